// What a model reads: a text, and the same as structured content.

import { formatIssues, type Issue } from "../../core/kit/issue.js";
import type { Json, JsonObject } from "../../core/kit/json.js";
import { messageOf } from "../../core/kit/tools.js";
import type { Ask } from "../../core/model/ask.js";
import { AsklineError } from "../../core/model/error.js";
import type { Answerer, Outcome } from "../../core/model/outcome.js";
import { describeOutcome } from "../../core/text/describe-outcome.js";
import type { Undelivered } from "./undelivered.js";

/** The result of a tool call, as MCP defines it. */
export interface CallResult {
  readonly content: { readonly type: "text"; readonly text: string }[];
  readonly structuredContent?: JsonObject;
  readonly isError?: boolean;
  readonly [more: string]: unknown;
}

export function textResult(text: string, structuredContent?: JsonObject): CallResult {
  return {
    content: [{ type: "text", text }],
    ...(structuredContent !== undefined && { structuredContent }),
  };
}

export function errorResult(text: string): CallResult {
  return { ...textResult(text), isError: true };
}

export function invalidInput(issues: readonly Issue[]): CallResult {
  return errorResult(
    `The input is invalid, and nothing was asked. Fix these problems and call the tool again:\n${formatIssues(issues)}`,
  );
}

/** A fault on the way to the person. Nothing is lost: the same call finds the ask again. */
export function faultResult(error: unknown): CallResult {
  const code = error instanceof AsklineError ? ` (${error.code})` : "";
  return errorResult(
    `Askline could not do this${code}: ${messageOf(error)}. Nobody has answered. A question that was already asked is still open: repeat the same call to go on waiting.`,
  );
}

/** `where` says where a person can answer. */
export function pendingResult(ask: Ask, where: string): CallResult {
  return textResult(
    `No answer yet: the question is still open as ${ask.id}, and a person can answer it ${where}. Call get_answer with this ask_id to wait for the answer. Do not ask again, and do not assume an answer.`,
    { status: "pending", ask_id: ask.id },
  );
}

export function postedResult(ask: Ask, where: string): CallResult {
  return textResult(
    `Asked as ${ask.id}. A person can answer ${where}. Go on with work that does not depend on the answer, then call get_answer with this ask_id.`,
    { status: "pending", ask_id: ask.id },
  );
}

function outcomeResult(ask: Ask, outcome: Outcome): CallResult {
  return textResult(describeOutcome(ask, outcome), structured(ask, outcome));
}

/** The outcome of an ask for the model, which reads it now; also for results of tasks. */
export function deliver(
  ask: Ask,
  { undelivered, where }: { readonly undelivered: Undelivered; readonly where: string },
): CallResult {
  if (ask.outcome === undefined) return pendingResult(ask, where);
  undelivered.delivered(ask);
  return outcomeResult(ask, ask.outcome);
}

/** The kind of the outcome, choices with their labels, notes, and who answered. */
function structured(ask: Ask, outcome: Outcome): JsonObject {
  const base = { status: outcome.kind, ask_id: ask.id };
  switch (outcome.kind) {
    case "answered":
      return {
        ...base,
        answers: ask.questions.map((question): JsonObject => {
          const answer = outcome.answers.find(({ question: id }) => id === question.id);
          const chosen = question.options.filter(({ id }) => answer?.selected.includes(id));
          return {
            id: question.id,
            question: question.question,
            choices: chosen.map(({ id, label }) => ({ id, label })),
            ...texts({ text: answer?.text, note: answer?.note }),
            ...(answer?.skipped === true && { skipped: true }),
          };
        }),
        ...texts({ note: outcome.note }),
        answered_by: answerer(outcome.by),
      };
    case "decided":
      return {
        ...base,
        decisions: (ask.approval?.actions ?? []).map(({ id, name, args }): JsonObject => {
          const decision = outcome.decisions.find(({ action }) => action === id);
          return {
            id,
            action: name,
            decision: decision?.kind ?? "reject",
            ...(decision?.kind === "approve" && { args: args as Json }),
            ...(decision?.kind === "edit" && { args: decision.args as Json }),
            ...(decision?.kind === "reject" && texts({ message: decision.message })),
          };
        }),
        ...texts({ note: outcome.note }),
        answered_by: answerer(outcome.by),
      };
    case "declined":
      return { ...base, ...texts({ reason: outcome.reason }), answered_by: answerer(outcome.by) };
    case "replied":
      return { ...base, text: outcome.text, answered_by: answerer(outcome.by) };
    case "expired":
      return base;
    case "withdrawn":
    case "unavailable":
      return { ...base, ...texts({ reason: outcome.reason }) };
  }
}

function answerer(by: Answerer): JsonObject {
  return by.kind === "person"
    ? { kind: by.kind, id: by.id, surface: by.surface, ...texts({ reported_by: by.via }) }
    : { kind: by.kind, name: by.name, ...texts({ rule: by.rule, made_by: by.madeBy }) };
}

function texts(values: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
