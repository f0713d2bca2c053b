// Asks and outcomes for the suites: complete, valid, and with unique ids.

import { defined } from "../core/kit/tools.js";
import type { Ask, AskInput, AskRequest } from "../core/model/ask.js";
import type { Answerer, Outcome } from "../core/model/outcome.js";
import { requireAsk } from "../core/rules/parse-ask.js";
import type { NewAsk } from "../hub/seam/store.js";

export const ANA: Answerer = { kind: "person", id: "ana", surface: "suite" };
export const BEN: Answerer = { kind: "person", id: "ben", surface: "suite" };

const QUESTION: AskInput = {
  questions: [{ question: "Which authentication should the API use?", options: ["OAuth", "API key"] }],
};

let count = 0;

/** A unique id. */
export function newId(prefix: string): string {
  count += 1;
  return `${prefix}_${count.toString().padStart(8, "0")}`;
}

export type SampleInput = AskInput & {
  readonly id?: string | undefined;
  readonly asker?: string | undefined;
  readonly owner?: string | undefined;
};

/** A pending ask as a hub would store it, with the defaults of `parseAsk`. */
function sampleAsk(createdAt: number, input: SampleInput = {}): Ask {
  const { id, asker, owner, ...fields } = input;
  const { timeoutMs, ...request }: AskRequest = requireAsk(
    fields.questions === undefined && fields.approval === undefined ? { ...QUESTION, ...fields } : fields,
  );
  return Object.freeze({
    ...request,
    ...defined({ deadline: timeoutMs && createdAt + timeoutMs, asker, owner }),
    id: id ?? newId("ask"),
    status: "pending",
    createdAt,
  });
}

/** A sample ask as input for a store. */
export function sampleNewAsk(createdAt: number, input: SampleInput = {}): NewAsk {
  return { ask: sampleAsk(createdAt, input) };
}

export function answered(text: string, by: Answerer = ANA): Outcome {
  return { kind: "answered", answers: [{ question: "q1", selected: [], text }], by };
}

/** At least one outcome of each kind: by a person, by a policy and without an answerer. */
export const EVERY_OUTCOME: readonly Outcome[] = [
  {
    kind: "answered",
    answers: [{ question: "q1", selected: ["o1", "o2"], text: "and", note: "n" }],
    note: "in all",
    by: ANA,
  },
  {
    kind: "answered",
    answers: [{ question: "q1", selected: [], skipped: true }],
    by: { kind: "policy", name: "recommended" },
  },
  {
    kind: "decided",
    decisions: [
      { action: "a1", kind: "approve" },
      { action: "a2", kind: "edit", args: { path: "/tmp", list: [1, { two: null }] } },
      { action: "a3", kind: "reject", message: "no" },
    ],
    note: "careful",
    by: BEN,
  },
  { kind: "declined", reason: "not now", by: ANA },
  { kind: "declined", by: BEN },
  { kind: "replied", text: "what for?", by: ANA },
  { kind: "expired" },
  { kind: "withdrawn", reason: "no longer needed" },
  { kind: "withdrawn" },
  { kind: "unavailable", reason: "nobody there" },
];

export function settle(
  outcome: Outcome,
  settlementId: string = newId("settlement"),
): { readonly kind: "settle"; readonly settlementId: string; readonly outcome: Outcome } {
  return { kind: "settle", settlementId, outcome };
}
