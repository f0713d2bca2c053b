// Requests that are held until an ask ends. Thousands are held at once, for up to a minute each, so nothing here may
// keep the call or its request in memory. Nothing is left once the request is answered, times out or is aborted.

import type { Clock } from "../../core/kit/clock.js";
import type { Ask } from "../../core/model/ask.js";
import { AsklineError } from "../../core/model/error.js";
import type { AttendedAsk, Hub, Waiting } from "../../hub/seam/port.js";
import type { Auth } from "../access/auth.js";
import type { Principal } from "../access/principal.js";
import { type HeldReply, json, type PlainReply } from "../http/reply.js";
import type { OnHangUp } from "../http/request.js";

export const CLOSING = "the server is shutting down; try again, here or at another server of the same store";

export interface Waits {
  /** Replies with the ask once it has ended or the time is up; with `closed` if the server closes first. */
  reply(call: HeldCall, principal: Principal, attended: AttendedAsk, hold: Hold): HeldReply | PlainReply;
  /**
   * Waits for an end, for as long as it takes or `seconds`: resolves to it, or to what ended the wait instead. `left`:
   * the sender hung up. Then calls `stop`.
   */
  until<End>(
    onHangUp: OnHangUp,
    waiting: { readonly ended: Promise<End>; stop(): void },
    seconds?: number,
  ): Promise<End | "left" | "late" | "closing">;
  readonly size: number;
  /** Ends every held request. */
  close(): void;
}

/** The parts of a call that a wait needs. */
interface HeldCall {
  readonly request: { readonly onHangUp: OnHangUp };
  refuse(error: unknown): PlainReply;
}

export interface Hold {
  readonly seconds: number;
  readonly status: number;
  /** Frees the slot of the waiting request. */
  readonly leave: () => void;
  /** Sent beside the ask. */
  readonly more?: object;
  /** Sent when the server closes, if the sender cannot safely retry elsewhere. */
  readonly onClose?: Ask;
}

/** What a wait rejects with when its hub closes. */
function closingOf(error: unknown): "closing" {
  if (error instanceof AsklineError && error.code === "closed") return "closing";
  throw error;
}

export function createWaits(hub: Hub, auth: Auth, clock: Clock): Waits {
  /** Ends each held wait. */
  const held = new Set<() => void>();
  let closed = false;

  const until: Waits["until"] = async (onHangUp, waiting, seconds) => {
    let resolve = (_end: "left" | "late" | "closing"): void => undefined;
    const givenUp = new Promise<"left" | "late" | "closing">((take) => {
      resolve = take;
    });
    const giveUp = (): void => resolve("closing");
    held.add(giveUp);
    const forget = onHangUp(() => resolve(closed ? "closing" : "left"));
    const cancel = seconds === undefined ? undefined : clock.schedule(seconds * 1_000, () => resolve("late"));
    if (seconds === 0) resolve("late");
    if (closed) giveUp();
    try {
      // A closed hub rejects: the ask stays as it is, as when the server closes.
      return await Promise.race([waiting.ended.catch(closingOf), givenUp]);
    } finally {
      held.delete(giveUp);
      waiting.stop();
      forget();
      cancel?.();
    }
  };

  const endOf = async (id: string, waiting: Waiting, seconds: number, onHangUp: OnHangUp): Promise<Ask> => {
    const end = await until(onHangUp, waiting, seconds);
    if (end === "closing") throw new AsklineError("closed", CLOSING);
    return typeof end === "string" ? hub.get(id) : end;
  };

  const replyAtEnd = async (
    { credential, role }: Principal,
    { status, leave, onClose, more }: Hold,
    ended: Promise<Ask>,
  ): Promise<PlainReply> => {
    try {
      const ask = await ended;
      // The credential may have been revoked during the wait.
      if (await auth.isValid(credential)) {
        if (role === "agent") hub.delivered(ask);
        return json(status, { ask, ...more });
      }
    } catch (error) {
      const closing = error instanceof AsklineError && error.code === "closed";
      if (closing && onClose !== undefined) return json(status, { ask: onClose, ...more });
      throw error;
    } finally {
      leave();
    }
    throw new AsklineError("unauthorized", "the credential expired or was revoked while the request waited");
  };

  return {
    reply({ request, refuse }, principal, { ask, waiting }, hold) {
      if (waiting === undefined) {
        hold.leave();
        return json(hold.status, { ask, ...hold.more });
      }
      const ended = endOf(ask.id, waiting, hold.seconds, request.onHangUp);
      return { held: replyAtEnd(principal, hold, ended).catch(refuse) };
    },
    until,
    get size() {
      return held.size;
    },
    close() {
      closed = true;
      for (const giveUp of [...held]) giveUp();
    },
  };
}
