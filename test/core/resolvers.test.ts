import { describe, expect, it } from "vitest";
import {
  type Clock,
  type Decision,
  type Outcome,
  type Resolver,
  resolverOf,
  staticResolver,
  withTimeout,
} from "../../src/index.js";

const request = { questions: [{ question: "Q", options: ["A", "B"] }] };
const answers = [{ question: "q1", selected: ["o2"] }];
const CHOICES = [{ question: "q1", labels: ["B"] }];
const never = resolverOf(() => new Promise<Outcome>(() => undefined));

/** A clock that stands still until it is moved. */
function stoppedClock(): Clock & { pass(milliseconds: number): void } {
  let now = 0;
  let timers: { due: number; task: () => void }[] = [];
  return {
    now: () => now,
    monotonic: () => now,
    schedule(delay, task) {
      const timer = { due: now + delay, task };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    pass(milliseconds) {
      now += milliseconds;
      const due = timers.filter((timer) => timer.due <= now);
      timers = timers.filter((timer) => timer.due > now);
      for (const { task } of due) task();
    },
  };
}

describe("staticResolver and resolverOf", () => {
  it("give an answered outcome for answers that fit", async () => {
    expect(await staticResolver(answers).ask(request)).toEqual({
      kind: "answered",
      answers,
      choices: CHOICES,
      by: { kind: "policy", name: "static" },
    });
  });

  it("reject answers that do not fit, whole outcomes included", async () => {
    const wrong = [{ question: "q1", selected: ["o9"] }];
    await expect(staticResolver(wrong).ask(request)).rejects.toMatchObject({ code: "invalid_answer" });
    const outcome: Outcome = { kind: "answered", answers: wrong, by: { kind: "policy", name: "p" } };
    await expect(staticResolver(outcome).ask(request)).rejects.toMatchObject({ code: "invalid_answer" });
  });

  it("take the exact text of a question instead of its id, where texts are unique", async () => {
    const questions = [{ question: "Which auth?" }, { question: "Which store?" }];
    const byText = [
      { question: "Which store?", text: "b" },
      { question: "q1", text: "a" },
    ];
    expect(await staticResolver(byText).ask({ questions })).toMatchObject({
      answers: [
        { question: "q1", text: "a" },
        { question: "q2", text: "b" },
      ],
    });
    const twice = [{ question: "Why?" }, { question: "Why?" }];
    const answer = [{ question: "Why?", text: "a" }];
    await expect(staticResolver(answer).ask({ questions: twice })).rejects.toMatchObject({
      issues: [{ code: "unknown_question" }, { code: "missing_answer" }, { code: "missing_answer" }],
    });
    const shadowed = [{ question: "q2" }, { question: "Why?" }];
    await expect(
      staticResolver([{ question: "q2", text: "a" }]).ask({ questions: shadowed }),
    ).rejects.toMatchObject({ code: "invalid_answer", issues: [{ code: "conflict" }] });
  });

  it("reject with the error that staticResolver is given", async () => {
    const error = new Error("no surface");
    await expect(staticResolver(error).ask(request)).rejects.toBe(error);
  });

  it("reject decisions that do not fit, put those that do in order, and mix up no kinds", async () => {
    const approval = { actions: [{ name: "a" }, { name: "b", allow: ["approve", "reject"] as const }] };
    const by = { kind: "policy", name: "p" } as const;
    const decide = (...decisions: readonly Decision[]): Promise<Outcome> =>
      staticResolver({ kind: "decided", decisions, by }).ask({ approval });
    const first = { action: "a1", kind: "approve" } as const;
    const second = { action: "a2", kind: "reject" } as const;
    expect(await decide(second, first)).toEqual({ kind: "decided", decisions: [first, second], by });
    await expect(decide(first)).rejects.toMatchObject({ code: "invalid_answer" });
    await expect(decide(first, { action: "a2", kind: "edit", args: {} })).rejects.toMatchObject({
      code: "invalid_answer",
      issues: [{ code: "decision_not_allowed" }],
    });
    await expect(staticResolver([]).ask({ approval })).rejects.toMatchObject({ code: "wrong_kind" });
    const decided = staticResolver({ kind: "decided", decisions: [], by });
    await expect(decided.ask(request)).rejects.toMatchObject({ code: "wrong_kind" });
  });

  it("reject an ask that breaks the rules, with its issues", async () => {
    const asked = never.ask({ questions: [] });
    await expect(asked).rejects.toMatchObject({ code: "invalid_ask", issues: [{ code: "no_questions" }] });
  });

  it("reject what nobody is said to have given", async () => {
    const nobodys = [
      { kind: "answered", answers },
      { kind: "declined" },
      { kind: "replied", text: "hm", by: {} },
    ];
    for (const outcome of nobodys as unknown as readonly Outcome[]) {
      await expect(staticResolver(outcome).ask(request)).rejects.toMatchObject({ code: "invalid_request" });
    }
  });

  it("pass on every other outcome, and a fault as a fault", async () => {
    expect(await staticResolver({ kind: "expired" }).ask(request)).toEqual({ kind: "expired" });
    const broken = resolverOf(() => Promise.reject(new Error("no line")));
    await expect(broken.ask(request)).rejects.toThrow("no line");
  });
});

describe("an aborted signal", () => {
  const cases: readonly [string, Resolver][] = [
    ["a resolver that ignores it", never],
    ["one with a timeout", withTimeout(never, 1e9)],
    [
      "one that rejects because of it",
      resolverOf(
        (_ask, { signal }) =>
          new Promise((_resolve, reject) =>
            signal.addEventListener("abort", () => reject(new Error("aborted"))),
          ),
      ),
    ],
  ];
  it.each(cases)("ends %s as withdrawn", async (_name, resolver) => {
    const controller = new AbortController();
    const asked = resolver.ask(request, { signal: controller.signal });
    controller.abort();
    expect(await asked).toEqual({ kind: "withdrawn" });
    expect(await resolver.ask(request, { signal: AbortSignal.abort() })).toEqual({ kind: "withdrawn" });
  });
});

describe("withTimeout", () => {
  it("expires what takes too long, and stops what waits inside", async () => {
    const clock = stoppedClock();
    let stopped = false;
    const slow = resolverOf((_ask, { signal }) => {
      signal.addEventListener("abort", () => {
        stopped = true;
      });
      return new Promise<Outcome>(() => undefined);
    });
    const asked = withTimeout(slow, 1_000, { clock }).ask(request);
    clock.pass(999);
    expect(stopped).toBe(false);
    clock.pass(1);
    expect(await asked).toEqual({ kind: "expired" });
    expect(stopped).toBe(true);
  });

  it("keeps an answer that was given at the last moment", async () => {
    const clock = stoppedClock();
    const lastMoment: Resolver = {
      ask: (_request, options) =>
        new Promise((resolve) => {
          options?.signal?.addEventListener("abort", () =>
            resolve({ kind: "declined", by: { kind: "policy", name: "p" } }),
          );
        }),
    };
    const asked = withTimeout(lastMoment, 10, { clock }).ask(request);
    clock.pass(10);
    expect((await asked).kind).toBe("declined");
  });

  it("does not hang on a resolver that breaks its contract and ignores the abort", async () => {
    const clock = stoppedClock();
    const deaf: Resolver = { ask: () => new Promise(() => undefined) };
    const asked = withTimeout(deaf, 10, { clock }).ask(request);
    clock.pass(10);
    clock.pass(60_000);
    expect(await asked).toEqual({ kind: "expired" });
  });

  it("lets a timely answer pass", async () => {
    expect(
      (await withTimeout(staticResolver(answers), 10, { clock: stoppedClock() }).ask(request)).kind,
    ).toBe("answered");
  });
});
