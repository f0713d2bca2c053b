import type { Decision } from "../../core/model/approval.js";
import type { AskRequest } from "../../core/model/ask.js";
import type { Answer, Answerer, DeliveredOutcome, Outcome } from "../../core/model/outcome.js";
import type { Resolver } from "../../core/model/ports.js";
import { resolverOf } from "../../core/rules/resolvers.js";
import { displayText } from "../../core/text/display.js";
import { hang } from "../cells/wrap.js";
import { askAction } from "./ask-action.js";
import { askQuestion, type PromptResult } from "./ask-question.js";
import { type Dialogue, type Input, type Output, openDialogue } from "./dialogue.js";
import { inTurn } from "./in-turn.js";

export interface StdinResolverOptions {
  readonly input: Input;
  readonly output: Output;
  /** The answerer of the outcome; by default the person `local` at the surface `terminal`. */
  readonly by?: Answerer;
}

/**
 * Asks with numbered prompts on `output` and reads one line per answer from `input`: the canonical prompts, for any pair
 * of streams. An invalid line is explained and asked again; a blank line declines the whole ask; the end of the input
 * makes it `unavailable`. Concurrent asks are asked one after another.
 *
 * @example
 * const resolver = stdinResolver({ input: process.stdin, output: process.stderr });
 * const outcome = await resolver.ask({ questions: [{ question: "Which auth?", options: ["OAuth", "API key"] }] });
 */
export function stdinResolver({ input, output, by }: StdinResolverOptions): Resolver<DeliveredOutcome> {
  const answerer = by ?? { kind: "person", id: "local", surface: "terminal" };
  return resolverOf((ask, { signal }) =>
    inTurn(input, async () => {
      if (signal.aborted) return { kind: "withdrawn" };
      const dialogue = openDialogue(input, output, signal);
      try {
        return await converse(dialogue, ask, answerer);
      } finally {
        dialogue.close();
      }
    }),
  );
}

async function converse(dialogue: Dialogue, ask: AskRequest, by: Answerer): Promise<Outcome> {
  if (ask.context !== undefined) {
    dialogue.say(`\n${hang("", displayText(ask.context).trimEnd(), dialogue.columns)}\n`);
  }
  if (ask.approval !== undefined) {
    const { actions } = ask.approval;
    const decisions: Decision[] = [];
    for (const [index, action] of actions.entries()) {
      const decided = await askAction(dialogue, action, index + 1, actions.length);
      if (decided.kind !== "value") return ending(decided.kind, by);
      decisions.push(decided.value);
    }
    return { kind: "decided", decisions, by };
  }
  const answers: Answer[] = [];
  for (const [index, question] of ask.questions.entries()) {
    const answered = await askQuestion(dialogue, question, {
      position: index + 1,
      count: ask.questions.length,
      skippable: ask.allowPartial,
    });
    if (answered.kind !== "value") return ending(answered.kind, by);
    answers.push(answered.value);
  }
  return { kind: "answered", answers, by };
}

function ending(kind: Exclude<PromptResult<never>["kind"], "value">, by: Answerer): Outcome {
  switch (kind) {
    case "cancelled":
      return { kind: "declined", by };
    case "end":
      return { kind: "unavailable", reason: "the input ended before everything was answered" };
    case "aborted":
      return { kind: "withdrawn" };
  }
}
