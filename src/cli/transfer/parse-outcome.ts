import {
  type AskContent,
  formatIssues,
  type Issue,
  isRecord,
  OUTCOME_KINDS,
  type Outcome,
  validateDecisions,
  validateReason,
  validateReply,
  validateSubmission,
} from "../../core/index.js";
import { parseAnswerer } from "../../core/parse-answerer.js";

export type ParsedOutcome =
  | { readonly ok: true; readonly outcome?: Outcome }
  | { readonly ok: false; readonly fault: string };

type Checked<T> = ({ readonly ok: true } & T) | { readonly ok: false; readonly issues: readonly Issue[] };

/** How an ask ended, held against what was asked; nothing where it has not ended. */
export function parseOutcome(value: unknown, ask: AskContent): ParsedOutcome {
  if (value === undefined) return { ok: true };
  const kind = isRecord(value) ? OUTCOME_KINDS.find((one) => one === value.kind) : undefined;
  if (!isRecord(value) || kind === undefined) return { ok: false, fault: "it is of no known kind" };
  const by = parseAnswerer(value.by);
  const needsBy = kind === "answered" || kind === "decided" || kind === "declined" || kind === "replied";
  if (needsBy && by === undefined) return { ok: false, fault: "nobody has given it" };
  if ((kind === "decided" || kind === "answered") && (kind === "decided") !== (ask.approval !== undefined)) {
    return { ok: false, fault: "it is for another kind of ask" };
  }
  const signed = by === undefined ? {} : { by };
  switch (kind) {
    case "answered":
      return taken(validateSubmission(ask, value, { partial: true }), { kind, ...signed });
    case "decided":
      return taken(validateDecisions(ask, value), { kind, ...signed });
    case "replied":
      return taken(validateReply(value.text), { kind, ...signed });
    case "declined":
      return taken(validateReason(value.reason), { kind, ...signed });
    case "withdrawn":
    case "unavailable":
      return taken(validateReason(value.reason), { kind });
    case "expired":
      return { ok: true, outcome: Object.freeze({ kind }) };
  }
}

function taken(checked: Checked<object>, rest: object): ParsedOutcome {
  if (!checked.ok) {
    return { ok: false, fault: formatIssues(checked.issues).replaceAll(/\s*\n\s*/g, "; ") };
  }
  const { ok: _ok, ...fields } = checked;
  // The validators have made all the fields that an outcome of this kind has.
  return { ok: true, outcome: Object.freeze({ ...rest, ...fields }) as Outcome };
}
