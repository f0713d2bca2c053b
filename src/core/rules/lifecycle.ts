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
import type { Decision } from "../model/approval.js";
import type { Ask } from "../model/ask.js";
import type { Answer, Answerer, Outcome } from "../model/outcome.js";
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

/** What may happen to an ask. Answers and decisions must be validated first. */
export type LifecycleEvent =
  | {
      readonly type: "answer";
      readonly answers: readonly Answer[];
      readonly note?: string;
      readonly by: Answerer;
    }
  | {
      readonly type: "decide";
      readonly decisions: readonly Decision[];
      readonly note?: string;
      readonly by: Answerer;
    }
  | { readonly type: "decline"; readonly reason?: string; readonly by: Answerer }
  | { readonly type: "reply"; readonly text: string; readonly by: Answerer }
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
  if (event.type === "answer" && ask.approval !== undefined) {
    return wrongKind("this ask is an approval: decide on its actions instead of answering");
  }
  if (event.type === "decide" && ask.approval === undefined) {
    return wrongKind("this ask has questions: answer them instead of deciding");
  }
  if (ask.outcome !== undefined) return afterTheEnd(ask.outcome, event);
  if (event.type !== "deadline" && event.type !== "activity") {
    const due = atDeadline(ask, now);
    if (due.kind === "settled") {
      return { kind: "refused", refusal: { code: "too_late", outcome: due.outcome } };
    }
  }
  switch (event.type) {
    case "answer":
      return answered(event);
    case "decide":
      return settled({
        kind: "decided",
        decisions: event.decisions,
        ...(event.note !== undefined && { note: event.note }),
        by: kept(event.by),
      });
    case "decline":
      return settled({
        kind: "declined",
        ...(event.reason !== undefined && { reason: event.reason }),
        by: kept(event.by),
      });
    case "reply":
      return settled({ kind: "replied", text: event.text, by: kept(event.by) });
    case "withdraw":
      return settled({ kind: "withdrawn", ...(event.reason !== undefined && { reason: event.reason }) });
    case "unreachable":
      return settled({ kind: "unavailable", ...(event.reason !== undefined && { reason: event.reason }) });
    case "deadline":
      return atDeadline(ask, now);
    case "activity":
      return onActivity(ask, now);
  }
}

/** Whether two outcomes are the same, by the same person; the surface and the derived `choices` do not matter. */
export function sameOutcome(one: Outcome, other: Outcome): boolean {
  return comparable(one) === comparable(other);
}

function comparable(outcome: Outcome): string {
  const by = "by" in outcome && outcome.by.kind === "person" ? { by: outcome.by.id } : {};
  return canonicalJson({ ...outcome, ...by, choices: undefined } as unknown as Json);
}

/** The same as `settled`, but faster, because nearly all asks end this way. */
function answered(event: Extract<LifecycleEvent, { type: "answer" }>): Transition {
  const { note } = event;
  const answers = deepFreeze(event.answers);
  const by = kept(event.by);
  const outcome: Outcome =
    note === undefined ? { kind: "answered", answers, by } : { kind: "answered", answers, note, by };
  return { kind: "settled", outcome: Object.freeze(outcome) };
}

/** Validated answers and decisions are frozen already. */
function settled(outcome: Outcome): Transition {
  return { kind: "settled", outcome: deepFreeze(outcome) };
}

/** A copy that the caller cannot change later. */
function kept(by: Answerer): Answerer {
  return Object.isFrozen(by) ? by : Object.freeze({ ...by });
}

function wrongKind(message: string): Transition {
  return { kind: "refused", refusal: { code: "wrong_kind", message } };
}

function afterTheEnd(outcome: Outcome, event: LifecycleEvent): Transition {
  if (event.type === "activity") return { kind: "unchanged" };
  const wanted = wantedOutcome(event);
  if (wanted !== undefined && sameOutcome(wanted, outcome)) return { kind: "repeated", outcome };
  return { kind: "refused", refusal: { code: "already_settled", outcome } };
}

/** The outcome that an event would have led to. Undefined for a deadline, which is never a repeat. */
function wantedOutcome(event: LifecycleEvent): Outcome | undefined {
  if (event.type === "deadline" || event.type === "activity") return undefined;
  const pending: AskState = { status: "pending", questions: [], onDeadline: "expire" };
  const fitting = event.type === "decide" ? { ...pending, approval: { actions: [] } } : pending;
  const result = transition(fitting, event, 0);
  return result.kind === "settled" ? result.outcome : undefined;
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
