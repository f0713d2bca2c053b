import { AsklineError } from "../../core/index.js";
import { maySee } from "../../core/visibility.js";
import type { Hub } from "../../hub/index.js";
import { requireHead, requireSessionId, type SessionHead } from "../../sessions/index.js";
import { noSession } from "../../sessions/read-transcript.js";
import type { Principal } from "../auth/principal.js";

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

/** Rejects with `not_found` where there is no such session, and where the principal may not see it. */
export async function requireVisibleSession(
  hub: Hub,
  principal: Principal,
  sessionId: string,
): Promise<SessionHead> {
  const head = await requireHead(hub, sessionId);
  if (maySeeSession(principal, head)) return head;
  throw noSession(sessionId);
}

export function maySeeSession(principal: Principal, head: SessionHead): boolean {
  return maySee(principal, { ...head, session: head.sessionId });
}
