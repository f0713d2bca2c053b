// The agent's side: ask, wait, withdraw. The ask lives on the server; this file only waits for it.
//
//   posting --response lost-------> posting again, with the same key: still one ask
//           --response, pending---> waiting
//   waiting --held response ends--> waiting again
//           --network down--------> waiting again, as soon as it is back
//   any     --settled-------------> its outcome
//           --signal aborts-------> withdrawing: the server's outcome if it comes in time, else `withdrawn`
//           --client closes-------> rejected with `closed`; the ask stays as it is

import type { Clock } from "../core/kit/clock.js";
import { isRecord } from "../core/kit/json.js";
import type { Logger } from "../core/kit/logger.js";
import { messageOf, within } from "../core/kit/tools.js";
import type { AskInput, DeliveredAsk } from "../core/model/ask.js";
import type { Ending } from "../core/model/ending.js";
import { AsklineError } from "../core/model/error.js";
import type { DeliveredOutcome } from "../core/model/outcome.js";
import type { AskOptions, Resolver, ResumeLease, ResumeOptions } from "../core/model/ports.js";
import { abortReason, withdrawnOutcome } from "../core/rules/abort.js";
import { endAsk } from "./end-ask.js";
import { askPath, type Http, type PatientCall } from "./http.js";
import { randomId } from "./random-id.js";
import { createBackoff } from "./retries.js";
import { linkSignal, sleep } from "./signals.js";
import { bodyWith, readAskBody, readAskPage } from "./wire.js";

export interface Asking extends Resolver<DeliveredOutcome> {
  /** Stores an ask and returns at once. The same session and key give the same ask. */
  post(request: AskInput): Promise<DeliveredAsk>;
  /** Waits for the outcome of a stored ask. An abort only stops the wait: the ask stays pending. */
  wait(id: string, options?: AskOptions): Promise<DeliveredOutcome>;
  /** Ended asks of this agent whose outcome it has not fetched yet, newest first. Not for asks in a session. */
  undelivered(limit?: number): Promise<readonly DeliveredAsk[]>;
  withdraw(id: string, reason?: string): Promise<DeliveredAsk>;
  /**
   * Reports how a person ended an ask in a form of the agent's own host. If the token may not report for that person,
   * the ask ends as withdrawn, with the reason "answered elsewhere".
   */
  report(id: string, ending: Ending, options: ClientReportOptions): Promise<DeliveredAsk>;
  /** Claims the right to resume the run that was parked for an ask; see `ResumeLease`. */
  claimResume(id: string, options?: ResumeOptions): Promise<ResumeLease | undefined>;
  /**
   * Marks the run of an ask as resumed, unless another holder has the lease. Returns whether it did. Rejects while the
   * ask is pending.
   */
  finishResume(id: string, holder: string): Promise<boolean>;
}

export interface ClientReportOptions {
  /** The person who gave the ending; may be omitted if the token reports for one person only. */
  readonly person?: string | undefined;
  /** Where the person gave it, such as `mcp-form`. */
  readonly surface: string;
  readonly settlementId?: string | undefined;
}

export interface AskingOptions {
  readonly http: Http;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  readonly holdSeconds: number;
}

// How long an aborted `ask` waits for its final outcome, and how long the withdrawal is retried in the background.
const WITHDRAW_GRACE_MS = 3_000;
const WITHDRAW_FOR_MS = 60_000;
// A server that returns a pending ask sooner does not hold responses: back off instead of polling in a loop.
const SHORTEST_HOLD_MS = 1_000;

export function createAsking({ http, clock, random, logger, holdSeconds }: AskingOptions): Asking {
  const send = (body: string, call: Partial<PatientCall>): Promise<DeliveredAsk> =>
    http.request({ method: "POST", path: "/v1/asks", body, ...call }, (reply) => readAskBody(reply.body));

  const withdraw = (id: string, reason?: string, call?: Partial<PatientCall>): Promise<DeliveredAsk> =>
    endAsk(http, id, "withdraw", { reason }, undefined, call);

  const outcomeOf = async (id: string, signal: AbortSignal | undefined): Promise<DeliveredOutcome> => {
    const path = askPath(id);
    const backoff = createBackoff(random);
    const call = { holdSeconds, patienceMs: Number.POSITIVE_INFINITY, signal };
    for (;;) {
      const start = clock.monotonic();
      const ask = await http.request({ method: "GET", path, ...call }, ({ body }) => readAskBody(body, id));
      if (ask.outcome !== undefined) return ask.outcome;
      if (clock.monotonic() - start >= SHORTEST_HOLD_MS) {
        backoff.reset();
        continue;
      }
      const linked = linkSignal(signal, http.life);
      await sleep(clock, backoff.next(), linked.signal).finally(linked.unlink);
    }
  };

  /** Withdraws an ask that may or may not have been stored: posting it again with its key returns its id. */
  const takeBack = async (body: string, known: DeliveredAsk | undefined): Promise<DeliveredOutcome> => {
    const call = { patienceMs: WITHDRAW_FOR_MS };
    try {
      const ask = known ?? (await send(body, call));
      if (ask.outcome !== undefined) return ask.outcome;
      return await withdrawnOutcome(ask, withdraw(ask.id, undefined, call));
    } catch (error) {
      if (!(error instanceof AsklineError)) throw error;
      if (error.code !== "closed") {
        logger.warn(
          `${known?.id ?? "an ask"} could not be withdrawn and may still be shown: ${error.message}`,
        );
      }
      if (error.code === "unreachable") return { kind: "withdrawn" };
      throw error;
    }
  };

  return {
    async ask(request, { signal } = {}) {
      const body = askBody(request);
      throwIfClosed(http);
      if (signal?.aborted) return { kind: "withdrawn" };
      let ask: DeliveredAsk | undefined;
      try {
        ask = await send(body, { holdSeconds, patienceMs: Number.POSITIVE_INFINITY, signal });
        return ask.outcome ?? (await outcomeOf(ask.id, signal));
      } catch (error) {
        if (!signal?.aborted || error !== abortReason(signal)) throw error;
        return await within(clock, WITHDRAW_GRACE_MS, takeBack(body, ask), () => ({ kind: "withdrawn" }));
      }
    },

    async post(request) {
      return send(askBody(request), {});
    },

    undelivered: async (limit = 100) =>
      http.request(
        {
          method: "GET",
          path: "/v1/asks",
          query: { status: "settled", order: "newest", delivered: "no", limit },
        },
        ({ body }) => readAskPage(body).asks,
      ),

    async wait(id, { signal } = {}) {
      throwIfClosed(http);
      if (signal?.aborted) throw abortReason(signal);
      return outcomeOf(id, signal);
    },

    withdraw,

    async report(id, ending, { person, surface, settlementId }) {
      const { type, ...content } = ending;
      return endAsk(http, id, "report", { person, surface, [type]: content }, settlementId);
    },

    finishResume: async (id, holder) => (await resume(http, id, holder, { end: "done" })).claimed,
    claimResume: (id, { holder = randomId("holder"), leaseMs } = {}) =>
      claimResume(http, id, holder, leaseMs),
  };
}

async function claimResume(
  http: Http,
  id: string,
  holder: string,
  leaseMs: number | undefined,
): Promise<ResumeLease | undefined> {
  const { expiresAt } = await resume(http, id, holder, { leaseMs });
  if (expiresAt === undefined) return undefined;
  return {
    holder,
    expiresAt,
    renew: (ms = leaseMs) => claimResume(http, id, holder, ms),
    done: async () => (await resume(http, id, holder, { end: "done" })).claimed,
    release: async () => void (await resume(http, id, holder, { end: "release" })),
  };
}

interface ResumeResponse {
  readonly claimed: boolean;
  readonly expiresAt?: number;
}

function resume(http: Http, id: string, holder: string, body: object): Promise<ResumeResponse> {
  return http.request(
    { method: "POST", path: askPath(id, "resume"), body: JSON.stringify({ holder, ...body }) },
    bodyWith<ResumeResponse>({ claimed: "boolean" }),
  );
}

/** The ask as JSON, always with a key: without one, a retry after a lost response would ask twice. */
function askBody(request: AskInput): string {
  if (!isRecord(request)) throw invalidAsk("it must be an object with questions or an approval");
  try {
    return JSON.stringify({ ...request, key: request.key ?? randomId("key") }, refuseLostNumbers);
  } catch (error) {
    throw invalidAsk(`it must be plain JSON (${messageOf(error)})`);
  }
}

/** JSON turns NaN and Infinity into null: a deadline of Infinity would silently become no deadline. */
function refuseLostNumbers(name: string, value: unknown): unknown {
  if (typeof value !== "number" || Number.isFinite(value)) return value;
  throw new RangeError(`${name} is ${value}`);
}

function invalidAsk(why: string): AsklineError {
  const message = `invalid ask: ${why}`;
  return new AsklineError("invalid_ask", message, {
    issues: [{ code: "wrong_type", path: [], message: why }],
  });
}

function throwIfClosed({ life }: Http): void {
  if (life.over !== undefined) throw life.over;
}
