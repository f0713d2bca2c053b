import type { Issue } from "../kit/issue.js";
import { isRecord } from "../kit/json.js";
import type { Ask, AskContent } from "../model/ask.js";
import { ENDING_TYPES, ENDINGS, misfitOf, type ValidEnding } from "../model/ending.js";
import { OUTCOME } from "../model/outcome.js";
import { guarded, type InputReader, typeName } from "../read/input-reader.js";
import { plansOf } from "../read/read-fields.js";
import { refuseRemembering } from "./remembering.js";
import { readAnswers, type ValidateOptions } from "./validate-answers.js";
import { readDecisions } from "./validate-decisions.js";

export interface ValidateEndingOptions extends ValidateOptions {
  /** Leaves `remember` unchecked: an earlier version stored the ending, or no rule is made of it. */
  readonly anyRemember?: boolean;
}

export type ValidatedEnding =
  | { readonly ok: true; readonly ending: ValidEnding }
  | { readonly ok: false; readonly issues: readonly Issue[] };

type EndableAsk = AskContent & Partial<Pick<Ask, "allowPartial" | "session" | "agentId" | "metadata">>;

/**
 * Checks an ending against its ask and reports every problem at once; never throws. On success it has exactly one
 * answer for each question, or one decision for each action, in their order, frozen; `selected` holds option ids.
 *
 * @example
 * const checked = validateEnding(ask, { type: "reply", text: "Neither. Ask me tomorrow." });
 * if (!checked.ok) console.log(formatIssues(checked.issues));
 */
export function validateEnding(
  ask: EndableAsk,
  ending: unknown,
  options: ValidateEndingOptions = {},
): ValidatedEnding {
  return guarded((reader) => ({ ok: true, ending: readEnding(ask, ending, options, reader) }));
}

/** Checks the reason for withdrawing: optional, within its limit. */
export function validateReason(
  reason: unknown,
):
  | { readonly ok: true; readonly reason?: string }
  | { readonly ok: false; readonly issues: readonly Issue[] } {
  return guarded((reader) => ({ ok: true, ...read.withdrawn({}, { reason }, [], reader) }));
}

const read = plansOf(OUTCOME);

/** Of an ending with issues, which nobody gets. */
const NONE: ValidEnding = { type: "decline" };

function readEnding(
  ask: EndableAsk,
  given: unknown,
  options: ValidateEndingOptions,
  reader: InputReader,
): ValidEnding {
  if (!isRecord(given)) {
    const content = ask.approval === undefined ? "answers" : "decisions";
    reader.add("wrong_type", [], `must be an object with ${content}, not ${typeName(given)}`);
    return NONE;
  }
  const type = reader.choice(given.type ?? "", ["type"], ENDING_TYPES);
  if (type === undefined) return NONE;
  const misfit = misfitOf(ask, type);
  if (misfit !== undefined) {
    reader.add("conflict", ["type"], misfit);
    return NONE;
  }
  switch (type) {
    case "answer": {
      const { note } = read.answered({}, given, [], reader);
      const answers = readAnswers(ask, given.answers, options, reader, note);
      return note === undefined ? { type, answers } : { type, answers, note };
    }
    case "decide": {
      const decisions = readDecisions(ask, given.decisions, reader);
      if (!options.anyRemember) refuseRemembering(ask, decisions, reader);
      return read.decided({ type, decisions }, given, [], reader) as unknown as ValidEnding;
    }
    default:
      return read[ENDINGS[type]]({ type }, given, [], reader) as unknown as ValidEnding;
  }
}
