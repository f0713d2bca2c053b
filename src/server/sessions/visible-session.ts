// Who sees which sessions, by the rule for asks: an agent those that it opened, a person those addressed to them or
// to nobody in particular, and with a token for certain sessions only these. What one may not see is not there.

import type { Hub } from "../../hub/index.js";
import { requireHead, type SessionHead } from "../../sessions/index.js";
import { noSession } from "../../sessions/read-transcript.js";
import type { Principal } from "../auth/principal.js";

export async function requireVisibleSession(
  hub: Hub,
  principal: Principal,
  sessionId: string,
): Promise<SessionHead> {
  const head = await requireHead(hub, sessionId);
  if (canSeeSession(principal, head)) return head;
  throw noSession(sessionId);
}

export function canSeeSession({ role, name, sessions }: Principal, head: SessionHead): boolean {
  if (sessions !== undefined && !sessions.includes(head.sessionId)) return false;
  switch (role) {
    case "admin":
      return true;
    case "agent":
      return head.asker === name;
    case "person":
      return head.recipients.length === 0 || head.recipients.includes(name);
  }
}
