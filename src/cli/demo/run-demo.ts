// The demo agent: asks its steps one after the other and says what it would do with each answer. Its keys are
// fixed within a session, so a demo whose process was killed finds its open ask and goes on from there.

import { randomBytes } from "node:crypto";
import type { Client } from "../../client/index.js";
import { type Ask, describeOutcome, displayText, type Logger, type Outcome } from "../../core/index.js";
import { askServer } from "../remote/ask-server.js";
import { statusLine } from "../screen/ask-summary.js";
import { DEMO_STEPS } from "./steps.js";

export const DEMO_AGENT = "askline-demo";

export interface DemoOptions {
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly logger: Logger;
  readonly reporter: DemoReporter;
}

/** Where the demo says what happens. */
export interface DemoReporter {
  /** An earlier demo was interrupted, and this one goes on with it. */
  resumed(session: string): void;
  asked(ask: Ask, step: number, count: number): void;
  ended(ask: Ask, outcome: Outcome, reaction: string): void;
  finished(): void;
}

/** Whether it came to its end; false where the signal ended it. */
export async function runDemo({ client, signal, logger, reporter }: DemoOptions): Promise<boolean> {
  const open = await client.list({ agentId: DEMO_AGENT, status: "pending" }, { limit: 1, order: "newest" });
  const [left] = open.asks;
  if (left !== undefined) reporter.resumed(left.session);
  const session = left?.session ?? `demo-${randomBytes(4).toString("hex")}`;
  for (const [index, step] of DEMO_STEPS.entries()) {
    if (signal.aborted) return false;
    const request = { ...step.input, session, key: step.key, agentId: DEMO_AGENT };
    let pending: Ask | undefined;
    const outcome = await askServer(request, {
      client,
      signal,
      logger,
      asked: (ask) => {
        pending = ask;
        reporter.asked(ask, index + 1, DEMO_STEPS.length);
      },
    });
    if (signal.aborted) return false;
    // Answered before this process was there: only what follows is news.
    if (pending === undefined) continue;
    const settled = { ...pending, status: outcome.kind, outcome };
    const chosen = outcome.kind === "answered" || outcome.kind === "decided";
    const reaction = chosen ? step.react(settled, outcome) : "I would go on without an answer.";
    reporter.ended(settled, outcome, reaction);
  }
  reporter.finished();
  return true;
}

/** How an ask ended, for a reader of the demo. */
export function endingLine(ask: Ask, outcome: Outcome): string {
  return outcome.kind === "answered" || outcome.kind === "decided"
    ? `${statusLine(ask)}.`
    : displayText(describeOutcome(ask, outcome));
}
