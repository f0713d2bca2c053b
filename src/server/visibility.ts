// Who sees which asks. One rule, used by every route: what one may not see is not there.

import type { Ask, AskFilter } from "../core/index.js";
import type { Principal } from "./auth/principal.js";

export function canSee(principal: Principal, ask: Ask): boolean {
  const { role, name, sessions, askId } = principal;
  if (askId !== undefined && ask.id !== askId) return false;
  if (sessions !== undefined && !sessions.includes(ask.session)) return false;
  switch (role) {
    case "admin":
      return true;
    case "agent":
      return ask.asker === name;
    case "person":
      return ask.recipients.length === 0 || ask.recipients.includes(name);
  }
}

/** The part of {@link canSee} that a store can look up. */
export function visibleFilter({ role, name, sessions }: Principal): AskFilter {
  const [session] = sessions?.length === 1 ? sessions : [];
  return {
    ...(role === "agent" && { asker: name }),
    ...(role === "person" && { person: name }),
    ...(session !== undefined && { session }),
  };
}
