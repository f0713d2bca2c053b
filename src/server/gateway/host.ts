// An agent's host: its questions and approvals become asks, and how they end goes back to it as hooks.
//
// Nothing of an ask depends on the connection. When it is gone its asks stay pending, and a host that sends a
// question again, or names it in `resume`, gets what came meanwhile.

import { type Ask, type AskInput, AsklineError, type Outcome } from "../../core/index.js";
import { type GatewayMessage, gateway } from "../../dialects/gateway.js";
import type { EndedAsk } from "../../hub/index.js";
import type { Services } from "../routing/call.js";
import type { Connection, Role } from "./connection.js";
import { findByKeys } from "./find-asks.js";
import { type AskName, errorEnvelope, nameOf } from "./problems.js";

/** Marks an ask of the gateway: its key is a questionId, which devices may be shown. */
export const GATEWAY_MARK: Readonly<Record<string, true>> = { gateway: true };

type Message<Kind extends GatewayMessage["kind"]> = Extract<GatewayMessage, { readonly kind: Kind }>;

export function createHost(connection: Connection, services: Services, timeoutMs: number): Role {
  const { hub, logger } = services;
  const { principal } = connection;
  /** What is waited for, by the ask's id; the value ends the waiting. */
  const waits = new Map<string, () => void>();
  /** Asks that are being stored: what comes right behind them may be about one of them. */
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
    // Whoever stopped it is not told how it ended, nor that it could not be awaited.
    const isAwaited = (): boolean => waits.get(ask.id) === stop && waits.delete(ask.id);
    const onEnd = (ended: Outcome): void => {
      if (isAwaited()) deliver(ask, ended);
    };
    const onError = (error: unknown): void => {
      const closed = error instanceof AsklineError && error.code === "closed";
      if (isAwaited() && !closed) logger.warn(`the end of ${ask.id} could not be awaited`, error);
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
    // Parsed asks are what the hub takes, but for the type of what may be left out.
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

  const tellMissing = (name: AskName): void => {
    const id = name.questionId ?? name.executionId ?? "";
    const message = `there is no ask ${JSON.stringify(id)} of yours among the newest; send it again in full`;
    connection.send(errorEnvelope(new AsklineError("not_found", message), name).envelope);
  };

  const resume = async ({ questionIds, executionIds, sessionKey }: Message<"resume">): Promise<void> => {
    const keys = new Set([...questionIds, ...executionIds]);
    const found = await findAsked(keys, sessionKey);
    const known = { questions: new Set<string>(), approval: new Set<string>() };
    for (const one of found) {
      const wanted = one.approval === undefined ? questionIds : executionIds;
      if (one.key === undefined || !wanted.includes(one.key)) continue;
      known[kindOf(one)].add(one.key);
      follow(one);
    }
    for (const questionId of questionIds) if (!known.questions.has(questionId)) tellMissing({ questionId });
    for (const executionId of executionIds)
      if (!known.approval.has(executionId)) tellMissing({ executionId });
  };

  const withdraw = async (message: Message<"withdraw">): Promise<void> => {
    const { asks, id, sessionKey, reason } = message;
    const found = (await findAsked(new Set([id]), sessionKey)).filter((one) => kindOf(one) === asks);
    if (found.length === 0) return tellMissing(nameOf(message));
    for (const one of found) {
      // Who takes a question back is not told that it was taken back.
      const stop = waits.get(one.id);
      waits.delete(one.id);
      stop?.();
      try {
        await hub.withdraw(one.id, reason);
      } catch (error) {
        if (!(error instanceof AsklineError) || error.outcome === undefined) throw error;
        // It came too late. Where nobody waited any more, the host has been told.
        if (stop !== undefined) deliver(one, error.outcome);
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
          throw new AsklineError("forbidden", "an agent's host asks; only a person's device may answer");
        default:
          // Notices need no answer.
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
