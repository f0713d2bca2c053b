// An agent host: its questions and approvals become asks, and it gets their outcomes as hooks.
//
// Asks do not depend on the connection. When it closes they stay pending, and a host that sends a question again, or
// names it in `resume`, gets the answer that came meanwhile. A host that does neither may get it as well
// (`undelivered.ts`).

import type { GatewayMessage } from "../../agents/shapes/gateway/decode.js";
import { gateway } from "../../agents/shapes/gateway.js";
import { formatIssues } from "../../core/kit/issue.js";
import type { Ask, AskInput } from "../../core/model/ask.js";
import { AsklineError, meaningOf } from "../../core/model/error.js";
import type { Outcome } from "../../core/model/outcome.js";
import { askerOf } from "../../core/model/visibility.js";
import type { EndedAsk } from "../../hub/seam/port.js";
import type { Services } from "../routing/call.js";
import type { Connection, Role } from "./connection.js";
import { type FoundByKey, findByKeys } from "./find-asks.js";
import { GATEWAY_MARK } from "./names.js";
import { type AskName, errorEnvelope } from "./problems.js";
import type { HostLink, Undelivered } from "./undelivered.js";

type Message<Kind extends GatewayMessage["kind"]> = Extract<GatewayMessage, { readonly kind: Kind }>;

export interface HostOptions {
  /** 0 for asks that never expire. */
  readonly timeoutMs: number;
  readonly undelivered: Undelivered;
  /** The host sends its questions again, or resumes, so nothing is pushed to it. */
  readonly resumes: boolean;
}

export function createHost(connection: Connection, services: Services, options: HostOptions): Role {
  const { timeoutMs, undelivered, resumes } = options;
  const { hub, logger } = services;
  const { principal } = connection;
  /** Stops the wait for each awaited ask, by ask id. */
  const waits = new Map<string, () => void>();
  /** Asks that are being stored: the next messages may be about one of them. */
  const storing = new Set<Promise<unknown>>();

  const deliver = (ask: Ask, outcome: Outcome): void => {
    link.send(ask, outcome);
    if (!resumes) undelivered.sent(ask.id, link);
  };

  const link: HostLink = {
    principal,
    isWaitingFor: (askId) => waits.has(askId),
    send(ask, outcome) {
      const hook = gateway.encodeOutcome(ask, outcome, { id: ask.key ?? ask.id });
      if (hook !== undefined) connection.send(hook);
    },
    async caughtUp() {
      const isOpen = await connection.caughtUp();
      if (storing.size > 0) await Promise.allSettled(storing);
      return isOpen;
    },
  };
  const leave = resumes ? undefined : undelivered.join(link);

  const awaitEnd = (ask: Ask, outcome: Promise<Outcome>, stop: () => void): void => {
    if (!connection.isOpen) {
      stop();
      return;
    }
    waits.set(ask.id, stop);
    // After a stop, neither the outcome nor an error is reported.
    const isAwaited = (): boolean => waits.get(ask.id) === stop && waits.delete(ask.id);
    const onEnd = (ended: Outcome): void => {
      if (isAwaited()) deliver(ask, ended);
    };
    const onError = (error: unknown): void => {
      const closed = error instanceof AsklineError && error.code === "closed";
      if (isAwaited() && !closed) logger.warn(`failed to wait for the end of ${ask.id}`, error);
    };
    outcome.then(onEnd, onError);
  };

  const follow = (ask: Ask): void => {
    if (ask.outcome !== undefined) return void deliver(ask, ask.outcome);
    if (waits.has(ask.id) || !connection.isOpen) return;
    // Not `wait`, which frees the key of an ask without a session: a host may send its question again much later.
    const attending = hub.attend(ask.id);
    const ended = attending.then((found) => (found.waiting === undefined ? found.ask : found.waiting.ended));
    awaitEnd(
      ask,
      ended.then(outcomeOf),
      () =>
        void attending.then(
          ({ waiting }) => waiting?.stop(),
          () => undefined,
        ),
    );
  };

  const requireSession = (session: string): void => {
    if (principal.sessions === undefined || principal.sessions.includes(session)) return;
    connection.countBad();
    throw new AsklineError("forbidden", "this token may not ask in this session");
  };

  const ask = async ({ ask: request }: Message<"ask">): Promise<void> => {
    requireSession(request.session);
    // A parsed ask is valid input for the hub; only the types of optional fields differ.
    const submitting = hub.submit(request as AskInput, askerOf(principal));
    storing.add(submitting);
    try {
      const { ask, waiting } = await submitting;
      if (waiting === undefined) deliver(ask, ask.outcome);
      else if (waits.has(ask.id)) waiting.stop();
      else awaitEnd(ask, waiting.ended.then(outcomeOf), waiting.stop);
    } finally {
      storing.delete(submitting);
    }
  };

  /** Each ask that was meant, or why an id means none. */
  async function* findAsked(
    asks: AskKind,
    ids: readonly string[],
    session?: string,
  ): AsyncGenerator<Ask | Unclear, void, void> {
    if (storing.size > 0) await Promise.allSettled(storing);
    for await (const found of findByKeys(services, principal, ids, session)) yield pick(found, asks);
  }

  const sendError = ({ error, name }: Unclear): void => connection.send(errorEnvelope(error, name).envelope);

  const resume = async ({ questionIds, executionIds, sessionKey }: Message<"resume">): Promise<void> => {
    for (const [asks, ids] of [["questions", questionIds] as const, ["approval", executionIds] as const]) {
      for await (const ask of findAsked(asks, ids, sessionKey)) {
        if ("error" in ask) sendError(ask);
        else follow(ask);
      }
    }
  };

  const withdraw = async ({ asks, id, sessionKey, reason }: Message<"withdraw">): Promise<void> => {
    const { value: ask } = await findAsked(asks, [id], sessionKey).next();
    if (ask === undefined) return;
    if ("error" in ask) return sendError(ask);
    // A host gets no hook for its own withdrawal.
    const stop = waits.get(ask.id);
    waits.delete(ask.id);
    stop?.();
    undelivered.unwanted(ask.id);
    try {
      await hub.withdraw(ask.id, reason);
    } catch (error) {
      if (!(error instanceof AsklineError) || error.outcome === undefined) throw error;
      // Already settled. Without a wait, the host has received the outcome before.
      if (stop !== undefined) deliver(ask, error.outcome);
    }
  };

  return {
    name: "host",
    defaults: { metadata: GATEWAY_MARK, ...(timeoutMs > 0 && { timeoutMs }) },
    take(message) {
      switch (message.kind) {
        case "ask":
          return ask(message);
        case "resume":
          return resume(message);
        case "withdraw":
          return withdraw(message);
        case "hook":
          connection.countBad();
          throw new AsklineError("forbidden", "a host can only ask; connect as a person's device to answer");
        default:
          // Notices need no reply.
          return undefined;
      }
    },
    refused(asked, error) {
      const { fault, retry } = meaningOf(error.code);
      // Another try may work: the answer would end the ask for a host that sends it again.
      if (fault !== "caller" || retry === "here") return;
      const reason = error.issues === undefined ? error.message : formatIssues(error.issues);
      connection.send(gateway.encodeRefusal(asked, reason));
    },
    end() {
      leave?.();
      const stops = [...waits.values()];
      waits.clear();
      for (const stop of stops) stop();
    },
  };
}

type AskKind = Message<"withdraw">["asks"];

function kindOf({ approval }: Ask): AskKind {
  return approval === undefined ? "questions" : "approval";
}

/** Why an id means no ask. */
interface Unclear {
  readonly error: AsklineError;
  readonly name: AskName;
}

/** The ask with this id. An id that was used in several sessions means none of them. */
function pick({ key: id, asks: found, areAll }: FoundByKey, asks: AskKind): Ask | Unclear {
  const own = found.filter((ask) => kindOf(ask) === asks);
  const [first] = own;
  if (first !== undefined && own.length === 1 && areAll) return first;
  const error =
    first === undefined
      ? new AsklineError(
          "not_found",
          `no ask ${JSON.stringify(id)} of this host was found; send the whole question again`,
        )
      : new AsklineError(
          "invalid_request",
          `${JSON.stringify(id)} was used in several sessions; send the sessionKey as well`,
        );
  return { error, name: asks === "questions" ? { questionId: id } : { executionId: id } };
}

function outcomeOf({ outcome }: EndedAsk): Outcome {
  return outcome;
}
