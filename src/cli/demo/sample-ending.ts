import type { Ask, DecisionSubmission, Question, Submission, SubmittedAnswer } from "../../core/index.js";
import { numberedOptions } from "../../terminal/selection.js";

/** An answer that fits an ask: for the printed `curl` line, and for the scripted person. */
export type SampleEnding =
  | { readonly action: "answer"; readonly body: Submission }
  | { readonly action: "decide"; readonly body: DecisionSubmission };

export function sampleEnding(ask: Ask): SampleEnding {
  if (ask.approval === undefined)
    return { action: "answer", body: { answers: ask.questions.map(sampleAnswer) } };
  const decisions = ask.approval.actions.map(({ id, allow }) =>
    allow.includes("approve")
      ? ({ action: id, kind: "approve" } as const)
      : ({ action: id, kind: "reject" } as const),
  );
  return { action: "decide", body: { decisions } };
}

/** The first option, or the fewest of several that are allowed, but two where they are; else a few words. */
function sampleAnswer(question: Question): SubmittedAnswer {
  const options = numberedOptions(question);
  if (options.length === 0) return { question: question.id, text: "Aurora" };
  const { minPicks = 1, maxPicks = options.length, multiSelect } = question;
  const count = multiSelect ? Math.max(minPicks, Math.min(2, maxPicks)) : 1;
  return { question: question.id, selected: options.slice(0, count).map(({ label }) => label) };
}
