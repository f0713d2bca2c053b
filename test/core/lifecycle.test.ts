import { describe, expect, it } from "vitest";
import { OUTCOME_KINDS } from "../../src/core/model/kinds.js";
import { type AskState, type LifecycleEvent, transition } from "../../src/core/rules/lifecycle.js";
import { type Outcome, requireAsk } from "../../src/index.js";

const ana = { kind: "person", id: "ana", surface: "web" } as const;
const questions = requireAsk({ questions: [{ question: "Q", options: ["A (Recommended)", "B"] }] });
const approval = requireAsk({ approval: { actions: [{ name: "mail", args: {} }] } });
const pending: AskState = { ...questions, status: "pending" };
const pendingApproval: AskState = { ...approval, status: "pending" };

const events: { readonly [Type in LifecycleEvent["type"]]: Extract<LifecycleEvent, { type: Type }> } = {
  answer: { type: "answer", answers: [{ question: "q1", selected: ["o2"] }], note: "n", by: ana },
  decide: { type: "decide", decisions: [{ action: "a1", kind: "approve" }], by: ana },
  decline: { type: "decline", reason: "no", by: ana },
  reply: { type: "reply", text: "why?", by: ana },
  deadline: { type: "deadline" },
  withdraw: { type: "withdraw", reason: "done" },
  unreachable: { type: "unreachable" },
  activity: { type: "activity" },
};

function settledBy(event: LifecycleEvent): Outcome {
  const state = { ...(event.type === "decide" ? pendingApproval : pending), deadline: 5 };
  const result = transition(state, event, event.type === "deadline" ? 5 : 4);
  if (result.kind !== "settled") throw new Error(result.kind);
  return result.outcome;
}

describe("a pending ask", () => {
  it("ends in the way of the event", () => {
    expect(settledBy(events.answer)).toEqual({
      kind: "answered",
      answers: events.answer.answers,
      note: "n",
      by: ana,
    });
    expect(settledBy(events.decide)).toEqual({
      kind: "decided",
      decisions: events.decide.decisions,
      by: ana,
    });
    expect(settledBy(events.decline)).toEqual({ kind: "declined", reason: "no", by: ana });
    expect(settledBy(events.reply)).toEqual({ kind: "replied", text: "why?", by: ana });
    expect(settledBy(events.deadline)).toEqual({ kind: "expired" });
    expect(settledBy(events.withdraw)).toEqual({ kind: "withdrawn", reason: "done" });
    expect(settledBy(events.unreachable)).toEqual({ kind: "unavailable" });
  });

  it("refuses an answer to an approval and a decision about questions", () => {
    expect(transition(pendingApproval, events.answer, 0)).toMatchObject({
      kind: "refused",
      refusal: { code: "wrong_kind" },
    });
    expect(transition(pending, events.decide, 0)).toMatchObject({
      kind: "refused",
      refusal: { code: "wrong_kind" },
    });
  });
});

describe("an ending after the deadline", () => {
  const endings = Object.values(events).filter(({ type }) => type !== "deadline" && type !== "activity");

  it.each(endings)("is refused with what the deadline gives: $type", (event) => {
    const state = { ...(event.type === "decide" ? pendingApproval : pending), deadline: 5 };
    const refusal = { code: "too_late", outcome: { kind: "expired" } };
    expect(transition(state, event, 5)).toEqual({ kind: "refused", refusal });
    expect(transition(state, event, 4).kind).toBe("settled");
    expect(transition({ ...state, onDeadline: "wait" }, event, 5).kind).toBe("settled");
  });
});

describe("the deadline", () => {
  const at = (state: Partial<AskState>, now: number) =>
    transition({ ...pending, ...state }, events.deadline, now);

  it("does nothing before its time, and without one", () => {
    expect(at({ deadline: 11 }, 10)).toEqual({ kind: "refused", refusal: { code: "not_due" } });
    expect(at({}, 1e15)).toEqual({ kind: "refused", refusal: { code: "not_due" } });
  });

  it("settles as the recommended options, by a policy, or expires where there are none", () => {
    expect(at({ deadline: 10, onDeadline: "recommended" }, 10)).toEqual({
      kind: "settled",
      outcome: {
        kind: "answered",
        answers: [{ question: "q1", selected: ["o1"] }],
        by: { kind: "policy", name: "recommended" },
      },
    });
    const none = requireAsk({
      questions: [
        { question: "Q", options: ["A (Recommended)"] },
        { question: "R", options: ["B"] },
      ],
    });
    expect(at({ ...none, deadline: 10, onDeadline: "recommended" }, 10)).toEqual({
      kind: "settled",
      outcome: { kind: "expired" },
    });
    expect(at({ ...approval, deadline: 10, onDeadline: "recommended" }, 10)).toEqual({
      kind: "settled",
      outcome: { kind: "expired" },
    });
  });

  it("only marks an ask that is to wait, once", () => {
    expect(at({ deadline: 10, onDeadline: "wait" }, 10)).toEqual({ kind: "overdue" });
    expect(at({ deadline: 10, onDeadline: "wait", overdue: true }, 12)).toEqual({ kind: "unchanged" });
  });

  it("moves with activity to at least that much from now, never back, never beyond the latest", () => {
    const active = (state: Partial<AskState>, now: number) =>
      transition({ ...pending, ...state }, events.activity, now);
    expect(active({ deadline: 100, extendOnActivity: 50 }, 70)).toEqual({ kind: "extended", deadline: 120 });
    expect(active({ deadline: 100, extendOnActivity: 20 }, 70)).toEqual({ kind: "unchanged" });
    expect(active({ deadline: 100, extendOnActivity: 50, latest: 110 }, 70)).toEqual({
      kind: "extended",
      deadline: 110,
    });
    expect(active({ deadline: 100 }, 70)).toEqual({ kind: "unchanged" });
    expect(active({ extendOnActivity: 20 }, 70)).toEqual({ kind: "unchanged" });
    expect(active({ deadline: 100, extendOnActivity: 50 }, 100)).toEqual({ kind: "unchanged" });
    expect(active({ deadline: 100, extendOnActivity: 50, onDeadline: "wait" }, 100)).toEqual({
      kind: "extended",
      deadline: 150,
    });
  });
});

describe("a settled ask", () => {
  const fits = (event: LifecycleEvent, outcome: Outcome): AskState =>
    event.type === "decide"
      ? { ...pendingApproval, status: outcome.kind, outcome }
      : { ...pending, status: outcome.kind, outcome };

  it("stays as it is, whatever comes, and says what stands", () => {
    const outcomes = [
      events.answer,
      events.decide,
      events.decline,
      events.reply,
      events.deadline,
      events.withdraw,
      events.unreachable,
    ].map(settledBy);
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual([...OUTCOME_KINDS].sort());
    for (const outcome of outcomes) {
      for (const event of Object.values(events)) {
        const result = transition(fits(event, outcome), event, 1e15);
        if (event.type === "activity") expect(result).toEqual({ kind: "unchanged" });
        else if (event.type !== "deadline" && settledBy(event).kind === outcome.kind) {
          expect(result).toEqual({ kind: "repeated", outcome });
        } else expect(result).toEqual({ kind: "refused", refusal: { code: "already_settled", outcome } });
      }
    }
  });

  it("acknowledges the same answer by the same person from another surface, not another answer or person", () => {
    const state = fits(events.answer, settledBy(events.answer));
    const again = (change: Partial<typeof events.answer>) =>
      transition(state, { ...events.answer, ...change }, 0).kind;
    expect(again({ by: { ...ana, surface: "phone" } })).toBe("repeated");
    expect(again({ by: { ...ana, id: "bo" } })).toBe("refused");
    expect(again({ answers: [{ question: "q1", selected: ["o1"] }] })).toBe("refused");
    expect(again({ note: "other" })).toBe("refused");
  });
});
