// What a relay needs of a hub: a hub in this process, a client of a server, or a Resolver alone.

import type { Ask, AskInput, DeliveredAsk } from "../../core/model/ask.js";
import type { Ending } from "../../core/model/ending.js";
import { AsklineError } from "../../core/model/error.js";
import type { Outcome } from "../../core/model/outcome.js";
import type { AskOptions, Resolver } from "../../core/model/ports.js";
import { withdrawnOutcome } from "../../core/rules/abort.js";
import { requireAsk } from "../../core/rules/parse-ask.js";

export interface RelayPort {
  /** Stores an ask, or returns the one with this session and key. */
  post(request: AskInput): Promise<Ask>;
  /** An abort stops the wait and does not change the ask. */
  wait(id: string, options?: AskOptions): Promise<Outcome>;
  withdraw(id: string, reason?: string): Promise<DeliveredAsk>;
}

/** Who ends prompts at the agent's own surface. */
export interface There {
  readonly surface: string;
  /** The person at the agent; the one that the token reports for by default. */
  readonly person?: string | undefined;
  /** Names the agent to a hub in this process; a server knows it by its token. */
  readonly via: string;
}

export interface ReportPort extends Pick<RelayPort, "withdraw"> {
  /** Without it, an ask that a person ended at the agent ends as withdrawn. */
  report?(
    id: string,
    ending: Ending,
    options: There & { readonly settlementId?: string },
  ): Promise<DeliveredAsk>;
}

/** Withdraws an ask, and returns how it ended: so, or another way just before. */
export function withdrawAsk(
  port: Pick<RelayPort, "withdraw">,
  ask: Ask,
  reason: string | undefined,
): Promise<Outcome> {
  return withdrawnOutcome(ask, port.withdraw(ask.id, reason));
}

/**
 * Reports how a person ended an ask at the agent, and returns how it ended: so, or another way just before. Rejects if
 * the ending is invalid, or not this person's to give.
 */
export async function reportThere(
  port: ReportPort,
  ask: Ask,
  ending: Ending,
  there: There,
): Promise<Outcome> {
  if (port.report === undefined) return withdrawAsk(port, ask, ELSEWHERE);
  return withdrawnOutcome(ask, port.report(ask.id, ending, there));
}

/** Whether a person ended it at the agent, which reported it. */
export function isFromThere(outcome: Outcome): boolean {
  return "by" in outcome && outcome.by.kind === "person" && outcome.by.via !== undefined;
}

/** Also what a server stores for a report of a token that may not report for that person. */
export const ELSEWHERE = "answered elsewhere";

/** Ends an ask that is over at the agent: as the person ended it there, if that is known and can be reported. */
export async function endThere(
  port: ReportPort,
  ask: Ask,
  reason: string,
  ending: Ending | undefined,
  there: There | undefined,
): Promise<Outcome> {
  if (ending !== undefined && there !== undefined) {
    try {
      return await reportThere(port, ask, ending, there);
    } catch (error) {
      if (!(error instanceof AsklineError)) throw error;
      // Not this person's to give, or not valid: it is over all the same.
    }
  }
  return withdrawAsk(port, ask, reason);
}

/** For a host that gives only a Resolver. Nothing is found again there, and the abort of a wait withdraws. */
export function resolverPort(resolver: Resolver): RelayPort {
  const asked = new Map<string, AskInput>();
  return {
    async post(request) {
      const { timeoutMs: _, callback: __, ...ask } = requireAsk(request);
      const id = request.key ?? "";
      asked.set(id, request);
      return { ...ask, id, status: "pending", createdAt: Date.now() };
    },
    async wait(id, options) {
      const request = asked.get(id);
      asked.delete(id);
      return resolver.ask(request ?? {}, options);
    },
    withdraw: (id) => Promise.reject(new AsklineError("not_found", `${id} is not waited for`)),
  };
}
