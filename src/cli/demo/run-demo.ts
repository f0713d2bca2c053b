// The demo agent: asks its questions one after the other and says what it would do with each answer. Its keys are fixed
// within a session, so a demo whose process was killed finds its pending ask and continues from there.

import { randomBytes } from "node:crypto";
import type { Client } from "../../client/connect.js";
import type { Logger } from "../../core/kit/logger.js";
import type { Ask } from "../../core/model/ask.js";
import type { Ending, SubmittedAnswer } from "../../core/model/ending.js";
import { unlessSettled } from "../../core/model/error.js";
import type { Outcome } from "../../core/model/outcome.js";
import type { Question } from "../../core/model/question.js";
import { numberedOptions } from "../../people/terminal/selection.js";
import { askServer } from "../connect/ask-server.js";
import { outcomeSummary, statusLine } from "../output/ask-summary.js";
import { DEMO_STEPS } from "./steps.js";

export const DEMO_AGENT = "askline-demo";

export interface DemoOptions {
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly logger: Logger;
  readonly reporter: DemoReporter;
}

/** Receives what happens in the demo. */
export interface DemoReporter {
  /** This demo continues an earlier one that was interrupted. */
  resumed(session: string): void;
  asked(ask: Ask, step: number, count: number): void;
  ended(ask: Ask, outcome: Outcome, reaction: string): void;
  finished(): void;
}

/** Resolves to true when finished, to false if the signal ended it. */
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
    // Answered before this process started, so there is nothing to report.
    if (pending === undefined) continue;
    const settled = { ...pending, status: outcome.kind, outcome };
    const chosen = outcome.kind === "answered" || outcome.kind === "decided";
    const reaction = chosen ? step.react(settled, outcome) : "I would continue without an answer.";
    reporter.ended(settled, outcome, reaction);
  }
  reporter.finished();
  return true;
}

/** How an ask ended, on one line. */
export function endingLine(ask: Ask, outcome: Outcome): string {
  const chosen = outcome.kind === "answered" || outcome.kind === "decided";
  const summary = chosen ? "" : outcomeSummary(ask);
  return summary === "" ? `${statusLine(ask)}.` : `${statusLine(ask)}: ${summary}.`;
}

/** An answer that fits an ask: for the printed `curl` line, and for the scripted person. */
export function sampleEnding(ask: Ask): Ending {
  if (ask.approval === undefined) return { type: "answer", answers: ask.questions.map(sampleAnswer) };
  const decisions = ask.approval.actions.map(({ id, allow }) =>
    allow.includes("approve")
      ? ({ action: id, kind: "approve" } as const)
      : ({ action: id, kind: "reject" } as const),
  );
  return { type: "decide", decisions };
}

/** The first option, for multi-select two options if allowed, without options a word. */
function sampleAnswer(question: Question): SubmittedAnswer {
  const options = numberedOptions(question);
  if (options.length === 0) return { question: question.id, text: "Aurora" };
  const { minPicks = 1, maxPicks = options.length, multiSelect } = question;
  const count = multiSelect ? Math.max(minPicks, Math.min(2, maxPicks)) : 1;
  return { question: question.id, selected: options.slice(0, count).map(({ label }) => label) };
}

/** Answers every ask of the demo until the signal aborts; for tests and `--answer-all`. */
export async function answerDemo(client: Client, signal: AbortSignal): Promise<void> {
  for await (const ask of client.watch({ agentId: DEMO_AGENT }, { signal })) {
    if (ask.status !== "pending") continue;
    // A real person may have answered first.
    await unlessSettled(client.settle(ask.id, sampleEnding(ask)));
  }
}
