import {
  type AskContent,
  formatIssues,
  isRecord,
  OUTCOME_KINDS,
  type Outcome,
  validateDecisions,
  validateSubmission,
} from "../../core/index.js";
import { guarded } from "../../core/input-reader.js";
import { OUTCOME } from "../../core/model/outcome.js";
import { parseAnswerer } from "../../core/parse-answerer.js";
import { plansOf } from "../../core/read/read-fields.js";

export type ParsedOutcome =
  | { readonly ok: true; readonly outcome?: Outcome }
  | { readonly ok: false; readonly fault: string };

/** How an ask ended, held against what was asked; nothing where it has not ended. */
export function parseOutcome(value: unknown, ask: AskContent): ParsedOutcome {
  if (value === undefined) return { ok: true };
  const kind = isRecord(value) ? OUTCOME_KINDS.find((one) => one === value.kind) : undefined;
  if (!isRecord(value) || kind === undefined) return { ok: false, fault: "it is of no known kind" };
  const by = parseAnswerer(value.by);
  const needsBy = "by" in OUTCOME.variants[kind];
  if (needsBy && by === undefined) return { ok: false, fault: "nobody has given it" };
  if ((kind === "decided" || kind === "answered") && (kind === "decided") !== (ask.approval !== undefined)) {
    return { ok: false, fault: "it is for another kind of ask" };
  }
  const checked =
    kind === "answered"
      ? validateSubmission(ask, value, { partial: true })
      : kind === "decided"
        ? validateDecisions(ask, value)
        : guarded((reader) => ({ ok: true, ...read[kind]({}, value, [], reader) }));
  if (!checked.ok) {
    return { ok: false, fault: formatIssues(checked.issues).replaceAll(/\s*\n\s*/g, "; ") };
  }
  const { ok: _ok, ...fields } = checked;
  return { ok: true, outcome: Object.freeze({ kind, ...fields, ...(needsBy && { by }) }) as Outcome };
}

const read = plansOf(OUTCOME);
