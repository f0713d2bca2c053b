import { requireHead, sessionNotFound } from "../../agents/sessions/read-transcript.js";
import { requireSessionId } from "../../agents/sessions/session-head.js";
import type { SessionHead } from "../../agents/sessions/transcript.js";
import { AsklineError } from "../../core/model/error.js";
import { maySee } from "../../core/model/visibility.js";
import type { Hub } from "../../hub/seam/port.js";
import type { Principal } from "../access/principal.js";

const PART = /^\/v1\/sessions\/([^/]+)\//;

/**
 * The session id in a path, for requests and upgrades alike. Strict, because a router passes a badly encoded segment
 * through unchanged: then `%zz` and `%25zz` would name the same session.
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
      "the session id in this URL is badly encoded; percent-encode it as UTF-8, with %25 for a percent sign",
    );
  }
}

/** Rejects with `not_found` if the session does not exist or the principal may not see it. */
export async function requireVisibleSession(
  hub: Hub,
  principal: Principal,
  sessionId: string,
): Promise<SessionHead> {
  const head = await requireHead(hub, sessionId);
  if (maySeeSession(principal, head)) return head;
  throw sessionNotFound(sessionId);
}

export function maySeeSession(principal: Principal, head: SessionHead): boolean {
  return maySee(principal, { ...head, session: head.sessionId });
}
