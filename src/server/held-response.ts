// A response that is held until an ask ends. Thousands are held at once, for a minute each: what handled the
// request up to here (the framework's objects, the chain of whoever awaits whom) would be kept with each of them,
// and is as much again as the connection itself needs. So over node:http the handling ends here, and the response
// is sent by itself when its time has come. Nothing below may hold on to the call or its request.

import { type Ask, AsklineError } from "../core/index.js";
import type { Waiting } from "../hub/index.js";
import type { Credential, Principal } from "./auth/principal.js";
import type { Call, Services } from "./call.js";
import { ALREADY_SENT, exchangeOf, type HangUp, hangUpOf, rememberLater } from "./node-requests.js";
import { json } from "./respond.js";

export interface Hold {
  readonly id: string;
  readonly waiting: Waiting;
  readonly seconds: number;
  readonly status: number;
  /** Gives back the place of a waiting request. */
  readonly leave: () => void;
  /** What is told instead where the server closes: to those who could not safely try again elsewhere. */
  readonly onClose?: Ask;
}

/** The ask as it stands when the wait is over, or an error of the one shape. */
export async function heldResponse(call: Call, principal: Principal, hold: Hold): Promise<Response> {
  const { request, services, refuse, requestId } = call;
  const over = ended(services, principal.credential, { ...hold, requestId }, hangUpOf(request));
  const exchange = exchangeOf(request);
  // A span lasts for as long as its request is handled: who traces requests pays for it.
  if (exchange === undefined || services.tracing !== undefined) return over;
  const response = over.catch(refuse);
  rememberLater(request, response);
  services.waits.countApart(response.then(exchange.answer));
  return ALREADY_SENT;
}

async function ended(
  { waits, auth }: Services,
  credential: Credential,
  { id, waiting, seconds, status, leave, onClose, requestId }: Hold & { readonly requestId: string },
  hangUp: HangUp,
): Promise<Response> {
  // As on every response: that of one sent by itself is not added by whoever handled it.
  const headers = { "askline-request-id": requestId };
  try {
    const ask = await waits.hold(id, waiting, seconds, hangUp);
    // A minute is long enough to be revoked in.
    if (await auth.isValid(credential)) return json(status, { ask }, headers);
  } catch (error) {
    const closing = error instanceof AsklineError && error.code === "closed";
    if (closing && onClose !== undefined) return json(status, { ask: onClose }, headers);
    throw error;
  } finally {
    leave();
  }
  throw new AsklineError("unauthorized", "this credential expired or was revoked while waiting");
}
