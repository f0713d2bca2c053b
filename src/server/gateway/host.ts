// An agent host: its questions and approvals become asks, and it gets their outcomes as hooks.
//
// Asks do not depend on the connection. When it closes they stay pending, and a host that sends a question again, or
// names it in `resume`, gets the answer that came meanwhile.

import { type Ask, type AskInput, AsklineError, type Outcome } from "../../core/index.js";
import { type GatewayMessage, gateway } from "../../dialects/gateway.js";
import type { EndedAsk } from "../../hub/index.js";
import type { Services } from "../routing/call.js";
import type { Connection, Role } from "./connection.js";
import { findByKeys } from "./find-asks.js";
import { type AskName, errorEnvelope, nameOf } from "./problems.js";

/** Marks an ask from the gateway: its key is a questionId, which devices use as its name. */
export const GATEWAY_MARK: Readonly<Record<string, true>> = { gateway: true };

type Message<Kind extends GatewayMessage["kind"]> = Extract<GatewayMessage, { readonly kind: Kind }>;

export function createHost(connection: Connection, services: Services, timeoutMs: number): Role {
  const { hub, logger } = services;
  const { principal } = connection;
  /** Stops the wait for each awaited ask, by ask id. */
  const waits = new Map<string, () => void>();
  /** Asks that are being stored: the next messages may be about one of them. */
  const storing = new Set<Promise<unknown>>();

  const deliver = (ask: Ask, outcome: Outcome): void => {
    const hook = gateway.encodeOutcome(ask, outcome, { id: ask.key ?? ask.id });
    if (hook !== undefined) connection.send(hook);
  };

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
    const stop = new AbortController();
    awaitEnd(ask, hub.wait(ask.id, { signal: stop.signal }), () => stop.abort());
  };

  const requireSession = (session: string): void => {
    if (principal.sessions === undefined || principal.sessions.includes(session)) return;
    connection.countBad();
    throw new AsklineError("forbidden", "this token may not ask in this session");
  };

  const ask = async ({ ask: request }: Message<"ask">): Promise<void> => {
    requireSession(request.session);
    // A parsed ask is valid input for the hub; only the types of optional fields differ.
    const submitting = hub.submit(request as AskInput, { asker: principal.name });
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

  const findAsked = async (keys: ReadonlySet<string>, session?: string): Promise<readonly Ask[]> => {
    if (storing.size > 0) await Promise.allSettled(storing);
    return findByKeys(hub, principal, keys, session);
  };

  const sendMissing = (name: AskName): void => {
    const id = name.questionId ?? name.executionId ?? "";
    const message = `no recent ask ${JSON.stringify(id)} of this host was found; send the whole question again`;
    connection.send(errorEnvelope(new AsklineError("not_found", message), name).envelope);
  };

  const resume = async ({ questionIds, executionIds, sessionKey }: Message<"resume">): Promise<void> => {
    const keys = new Set([...questionIds, ...executionIds]);
    const found = await findAsked(keys, sessionKey);
    const known = { questions: new Set<string>(), approval: new Set<string>() };
    for (const ask of found) {
      const wanted = ask.approval === undefined ? questionIds : executionIds;
      if (ask.key === undefined || !wanted.includes(ask.key)) continue;
      known[kindOf(ask)].add(ask.key);
      follow(ask);
    }
    for (const questionId of questionIds) if (!known.questions.has(questionId)) sendMissing({ questionId });
    for (const executionId of executionIds)
      if (!known.approval.has(executionId)) sendMissing({ executionId });
  };

  const withdraw = async (message: Message<"withdraw">): Promise<void> => {
    const { asks, id, sessionKey, reason } = message;
    const found = (await findAsked(new Set([id]), sessionKey)).filter((ask) => kindOf(ask) === asks);
    if (found.length === 0) return sendMissing(nameOf(message));
    for (const ask of found) {
      // A host gets no hook for its own withdrawal.
      const stop = waits.get(ask.id);
      waits.delete(ask.id);
      stop?.();
      try {
        await hub.withdraw(ask.id, reason);
      } catch (error) {
        if (!(error instanceof AsklineError) || error.outcome === undefined) throw error;
        // Already settled. Without a wait, the host has received the outcome before.
        if (stop !== undefined) deliver(ask, error.outcome);
      }
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
        case "answer":
        case "approval":
          connection.countBad();
          throw new AsklineError("forbidden", "a host can only ask; connect as a person's device to answer");
        default:
          // Notices need no reply.
          return undefined;
      }
    },
    end() {
      const stops = [...waits.values()];
      waits.clear();
      for (const stop of stops) stop();
    },
  };
}

function kindOf({ approval }: Ask): "questions" | "approval" {
  return approval === undefined ? "questions" : "approval";
}

function outcomeOf({ outcome }: EndedAsk): Outcome {
  return outcome;
}
