import { maySee } from "../../core/visibility.js";
import type { Hub } from "../../hub/index.js";
import { requireHead, type SessionHead } from "../../sessions/index.js";
import { noSession } from "../../sessions/read-transcript.js";
import type { Principal } from "../auth/principal.js";

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
