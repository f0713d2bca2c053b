import { type Ask, AsklineError } from "../../core/index.js";
import { maySee } from "../../core/visibility.js";
import type { Principal } from "../auth/principal.js";
import type { Call } from "../call.js";

export const ASK_ID: RegExp = /^[\w.:-]{1,128}$/;

/** The ask that the path names, if there is one that this principal may see. */
export async function requireVisible(call: Call, principal: Principal): Promise<Ask> {
  const id = requireAskId(call);
  const ask = await call.services.hub.get(id);
  if (!maySee(principal, ask)) throw noSuchAsk(id);
  return ask;
}

/** The id in the path. What cannot be one is not looked up. */
export function requireAskId(call: Call): string {
  const id = call.param("id");
  if (!ASK_ID.test(id)) throw noSuchAsk("of this id");
  return id;
}

/** Just what the hub says of an ask that does not exist: nobody learns that there is one. */
export function noSuchAsk(id: string): AsklineError {
  return new AsklineError("not_found", `there is no ask ${id}; it may have been pruned`);
}
