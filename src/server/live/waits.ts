// Requests that are held until an ask ends. Thousands are held at once, for a minute each, so nothing here may hold
// on to the call or its request. A request leaves nothing behind when it is answered, its time is over, or its
// sender hangs up.

import { type Ask, AsklineError, type Clock } from "../../core/index.js";
import type { AttendedAsk, Hub, Waiting } from "../../hub/index.js";
import type { Auth } from "../access/auth.js";
import type { Credential, Principal } from "../access/principal.js";
import { type HeldReply, json, type PlainReply } from "../http/reply.js";
import type { OnHangUp } from "../http/request.js";

export const CLOSING = "the server is closing; try again, here or at another one of the same store";

export interface Waits {
  /** The ask when it has ended, the time is over, or the sender is gone; `closed` when the server closes first. */
  reply(call: HeldCall, principal: Principal, attended: AttendedAsk, hold: Hold): HeldReply | PlainReply;
  readonly size: number;
  /** Lets go of every held request. */
  close(): void;
}

/** What is needed of the request. */
interface HeldCall {
  readonly request: { readonly onHangUp: OnHangUp };
  refuse(error: unknown): PlainReply;
}

export interface Hold {
  readonly seconds: number;
  readonly status: number;
  /** Gives back the place of a waiting request. */
  readonly leave: () => void;
  /** Sent when the server closes, to a sender that could not safely try again elsewhere. */
  readonly onClose?: Ask;
}

export function createWaits(hub: Hub, auth: Auth, clock: Clock): Waits {
  /** What ends each wait that is held. */
  const held = new Set<() => void>();
  let closed = false;

  const endOf = async (id: string, waiting: Waiting, seconds: number, onHangUp: OnHangUp): Promise<Ask> => {
    let giveUp = (): void => undefined;
    const givenUp = new Promise<undefined>((resolve, reject) => {
      giveUp = () => (closed ? reject(new AsklineError("closed", CLOSING)) : resolve(undefined));
    });
    held.add(giveUp);
    const cancel = clock.schedule(seconds * 1_000, giveUp);
    const forget = onHangUp(giveUp);
    if (closed) giveUp();
    try {
      return (await Promise.race([waiting.ended, givenUp])) ?? (await hub.get(id));
    } finally {
      held.delete(giveUp);
      waiting.stop();
      cancel();
      forget();
    }
  };

  const replyAtEnd = async (
    credential: Credential,
    { status, leave, onClose }: Hold,
    ended: Promise<Ask>,
  ): Promise<PlainReply> => {
    try {
      const ask = await ended;
      // A minute is long enough to be revoked in.
      if (await auth.isValid(credential)) return json(status, { ask });
    } catch (error) {
      const closing = error instanceof AsklineError && error.code === "closed";
      if (closing && onClose !== undefined) return json(status, { ask: onClose });
      throw error;
    } finally {
      leave();
    }
    throw new AsklineError("unauthorized", "this credential expired or was revoked while waiting");
  };

  return {
    reply({ request, refuse }, { credential }, { ask, waiting }, hold) {
      if (waiting === undefined) {
        hold.leave();
        return json(hold.status, { ask });
      }
      const ended = endOf(ask.id, waiting, hold.seconds, request.onHangUp);
      return { held: replyAtEnd(credential, hold, ended).catch(refuse) };
    },
    get size() {
      return held.size;
    },
    close() {
      closed = true;
      for (const giveUp of [...held]) giveUp();
    },
  };
}
