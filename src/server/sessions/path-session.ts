import { AsklineError } from "../../core/index.js";
import { requireSessionId } from "../../sessions/index.js";

const PART = /^\/v1\/sessions\/([^/]+)\//;

/**
 * The session that an address is about, the same for requests and upgrades. A router gives a part that is badly
 * encoded as it stands: then `%zz` and `%25zz` would name one session.
 */
export function sessionIdIn({ pathname }: Pick<URL, "pathname">): string {
  const [, encoded = ""] = PART.exec(pathname) ?? [];
  return requireSessionId(decode(encoded));
}

function decode(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw new AsklineError(
      "invalid_request",
      "the session in this address is badly encoded; encode it as UTF-8, with %25 for a percent sign",
    );
  }
}
