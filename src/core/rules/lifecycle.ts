// The life of an ask as one pure function. Stores guard their write with the same condition (`where status =
// 'pending'`), so that only one of two concurrent endings is stored.
//
//   pending --answer--------> answered      (questions only)
//           --decide--------> decided       (approvals only)
//           --decline-------> declined
//           --reply---------> replied
//           --deadline------> expired | answered by policy | pending and overdue
//           --withdraw------> withdrawn
//           --unreachable---> unavailable
//           --activity------> pending, possibly with a later deadline if it has not passed
//           --any ending after the deadline, unless it is to wait--> refused, with what the deadline makes of it
//   settled --the same ending by the same person--> acknowledged, unchanged
//           --anything else-----------------------> refused, with the outcome that stands

import { canonicalJson, deepFreeze, type Json } from "../kit/json.js";
import type { Ask } from "../model/ask.js";
import { misfitOf, toOutcome, type ValidEnding } from "../model/ending.js";
import type { Answerer, Outcome } from "../model/outcome.js";
import { validateAnswers } from "./validate-answers.js";

/** The fields of an ask that `transition` looks at. */
export type AskState = Pick<
  Ask,
  | "status"
  | "outcome"
  | "questions"
  | "approval"
  | "deadline"
  | "onDeadline"
  | "extendOnActivity"
  | "latest"
  | "overdue"
>;

/** What may happen to an ask. An ending must be validated first. */
export type LifecycleEvent =
  | (ValidEnding & { readonly by: Answerer })
  | { readonly type: "deadline" }
  | { readonly type: "withdraw"; readonly reason?: string }
  | { readonly type: "unreachable"; readonly reason?: string }
  | { readonly type: "activity" };

export type Transition =
  | { readonly kind: "settled"; readonly outcome: Outcome }
  | { readonly kind: "overdue" }
  | { readonly kind: "extended"; readonly deadline: number }
  | { readonly kind: "unchanged" }
  /** The ask already ended in exactly this way: acknowledge it and write nothing. */
  | { readonly kind: "repeated"; readonly outcome: Outcome }
  | { readonly kind: "refused"; readonly refusal: Refusal };

export type Refusal =
  | { readonly code: "already_settled"; readonly outcome: Outcome }
  | { readonly code: "wrong_kind"; readonly message: string }
  | { readonly code: "not_due" }
  /** The deadline has passed, whether or not its timer has fired: the outcome that it gives. */
  | { readonly code: "too_late"; readonly outcome: Outcome };

/** What happens to an ask when an event occurs at `now`. */
export function transition(ask: AskState, event: LifecycleEvent, now: number): Transition {
  const message = misfitOf(ask, event.type);
  if (message !== undefined) return { kind: "refused", refusal: { code: "wrong_kind", message } };
  if (ask.outcome !== undefined) return afterTheEnd(ask.outcome, event);
  if (event.type === "deadline") return atDeadline(ask, now);
  if (event.type === "activity") return onActivity(ask, now);
  const due = atDeadline(ask, now);
  if (due.kind === "settled") return { kind: "refused", refusal: { code: "too_late", outcome: due.outcome } };
  return { kind: "settled", outcome: outcomeOf(event) };
}

/** Whether two outcomes are the same, by the same person; the surface and the derived `choices` do not matter. */
export function sameOutcome(one: Outcome, other: Outcome): boolean {
  return comparable(one) === comparable(other);
}

function comparable(outcome: Outcome): string {
  const by = "by" in outcome && outcome.by.kind === "person" ? { by: outcome.by.id } : {};
  return canonicalJson({ ...outcome, ...by, choices: undefined } as unknown as Json);
}

/** The outcome that a pending ask of the right kind ends with. */
function outcomeOf(event: Exclude<LifecycleEvent, { readonly type: "deadline" | "activity" }>): Outcome {
  if ("answers" in event) return answered(event);
  if ("by" in event) return toOutcome(event, event.by);
  const kind = event.type === "withdraw" ? "withdrawn" : "unavailable";
  return deepFreeze({ kind, ...(event.reason !== undefined && { reason: event.reason }) });
}

/** As `toOutcome`, but faster, because nearly all asks end this way. */
function answered({
  answers,
  note,
  by: given,
}: Extract<LifecycleEvent, { readonly answers: unknown }>): Outcome {
  const kind = "answered";
  const by = Object.isFrozen(given) ? given : Object.freeze({ ...given });
  deepFreeze(answers);
  return Object.freeze(note === undefined ? { kind, answers, by } : { kind, answers, note, by });
}

/** Validated answers and decisions are frozen already. */
function settled(outcome: Outcome): Transition {
  return { kind: "settled", outcome: deepFreeze(outcome) };
}

function afterTheEnd(outcome: Outcome, event: LifecycleEvent): Transition {
  if (event.type === "activity") return { kind: "unchanged" };
  const repeats = event.type !== "deadline" && sameOutcome(outcomeOf(event), outcome);
  if (repeats) return { kind: "repeated", outcome };
  return { kind: "refused", refusal: { code: "already_settled", outcome } };
}

function atDeadline(ask: AskState, now: number): Transition {
  if (ask.deadline === undefined || now < ask.deadline)
    return { kind: "refused", refusal: { code: "not_due" } };
  switch (ask.onDeadline) {
    case "wait":
      return { kind: ask.overdue ? "unchanged" : "overdue" };
    case "recommended":
      return settled(recommendedOutcome(ask) ?? { kind: "expired" });
    case "expire":
      return settled({ kind: "expired" });
  }
}

/** The recommended options as an answer; undefined if a question has none or they are not a valid answer. */
function recommendedOutcome(ask: AskState): Outcome | undefined {
  if (ask.approval !== undefined) return undefined;
  const wanted = ask.questions.map((question) => {
    const recommended = question.options.filter((option) => option.recommended && !option.input);
    return {
      question: question.id,
      selected: (question.multiSelect ? recommended : recommended.slice(0, 1)).map(({ id }) => id),
    };
  });
  const checked = validateAnswers(ask, wanted, { partial: false });
  return checked.ok
    ? { kind: "answered", answers: checked.answers, by: { kind: "policy", name: "recommended" } }
    : undefined;
}

function onActivity(ask: AskState, now: number): Transition {
  const { deadline, extendOnActivity, latest, onDeadline } = ask;
  if (deadline === undefined || extendOnActivity === undefined) return { kind: "unchanged" };
  // Once the deadline has passed, its policy decides, whether or not a timer has fired.
  if (now >= deadline && onDeadline !== "wait") return { kind: "unchanged" };
  const wanted = Math.min(now + extendOnActivity, latest ?? Number.POSITIVE_INFINITY);
  return wanted > deadline ? { kind: "extended", deadline: wanted } : { kind: "unchanged" };
}
