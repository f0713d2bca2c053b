import { afterEach, describe, expect, it, vi } from "vitest";
import {
  type Answer,
  type AskInput,
  AsklineError,
  type AskOptions,
  type Outcome,
  type Resolver,
} from "../../src/index.ts";
import { resolverSuite, runSuite } from "../../src/testing/index.ts";
import { type HubHarnessOptions, hubHarness } from "../support/hub-harness.ts";

interface Mistake extends HubHarnessOptions {
  readonly name: string;
  readonly caughtBy: readonly string[];
}

const MISTAKES: readonly Mistake[] = [
  {
    name: "picks are lost",
    resolver: answersAs((answer) => ({ ...answer, selected: [] })),
    caughtBy: ["answered: a picked option"],
  },
  {
    name: "picks come in the order of choosing",
    resolver: answersAs((answer) => ({ ...answer, selected: [...answer.selected].reverse() })),
    caughtBy: ["answered: several picks, in option order"],
  },
  {
    name: "picks travel as labels, and are split at commas",
    resolver: (hub) =>
      asking(async (request, options) => {
        const outcome = await hub.ask(request, options);
        if (outcome.kind !== "answered") return outcome;
        const labels = (request.questions?.[0]?.options ?? []).map((option) =>
          typeof option === "string" ? option : option.label,
        );
        const answers = outcome.answers.map((answer) => {
          const joined = answer.selected.map((id) => labels[Number(id.slice(1)) - 1]).join(", ");
          const found = joined.split(", ").map((label) => `o${labels.indexOf(label) + 1}`);
          return { ...answer, selected: labels.length > 2 && joined !== "" ? found : answer.selected };
        });
        return { ...outcome, answers };
      }),
    caughtBy: ["answered: labels with commas, quotes and line breaks"],
  },
  {
    name: "typed text is lost",
    resolver: answersAs(({ text: _lost, ...answer }) => answer),
    caughtBy: ["answered: typed text", "answered: picks and typed text together"],
  },
  {
    name: "typed text takes the place of picks",
    resolver: answersAs((answer) => (answer.text === undefined ? answer : { ...answer, selected: [] })),
    caughtBy: ["answered: picks and typed text together"],
  },
  {
    name: "notes are lost",
    resolver: outcomesAs(({ note: _lost, ...outcome }: Outcome & { note?: string }) => outcome as Outcome),
    caughtBy: ["answered: a note on an answer and one on the whole"],
  },
  {
    name: "answers come in the order of answering",
    resolver: outcomesAs((outcome) =>
      outcome.kind === "answered" ? { ...outcome, answers: [...outcome.answers].reverse() } : outcome,
    ),
    caughtBy: ["answered: several questions, in order"],
  },
  {
    name: "a skipped question is left out",
    resolver: outcomesAs((outcome) =>
      outcome.kind === "answered"
        ? { ...outcome, answers: outcome.answers.filter(({ skipped }) => !skipped) }
        : outcome,
    ),
    caughtBy: ["answered: a skipped question, if that is allowed"],
  },
  {
    name: "ids are given anew",
    resolver: answersAs((answer, index) => ({ ...answer, question: `q${index + 1}` })),
    caughtBy: ["answered: ids that the agent chose"],
  },
  {
    name: "the reason of a decline is lost",
    resolver: outcomesAs((outcome) =>
      outcome.kind === "declined" ? { kind: "declined", by: outcome.by } : outcome,
    ),
    caughtBy: ["declined, with a reason", "an approval can be declined as a whole"],
  },
  {
    name: "a decline has a reason that nobody gave",
    resolver: outcomesAs((outcome) =>
      outcome.kind === "declined" ? { ...outcome, reason: outcome.reason ?? "" } : outcome,
    ),
    caughtBy: ["declined, without a reason"],
  },
  {
    name: "a reply is taken for an answer",
    resolver: outcomesAs((outcome) =>
      outcome.kind === "replied" ? { kind: "answered", answers: [], by: outcome.by } : outcome,
    ),
    caughtBy: ["replied"],
  },
  {
    name: "somebody else is said to have answered",
    resolver: outcomesAs((outcome) =>
      "by" in outcome ? { ...outcome, by: { kind: "person", id: "ben", surface: "x" } } : outcome,
    ),
    caughtBy: ["answered: a picked option"],
  },
  {
    name: "a policy is said to have answered",
    resolver: outcomesAs((outcome) =>
      "by" in outcome ? { ...outcome, by: { kind: "policy", name: "x" } } : outcome,
    ),
    caughtBy: ["answered: a picked option"],
  },
  {
    name: "an outcome is more than JSON",
    resolver: outcomesAs((outcome) => ({ ...outcome, at: new Date(0) })),
    caughtBy: ["answered: a picked option"],
  },
  {
    name: "the person does not see the context",
    script: (script) => (ask, turn) => {
      const { context: _lost, ...rest } = ask;
      return script(rest, turn);
    },
    caughtBy: ["the person sees the whole ask"],
  },
  {
    name: "asks at once share an outcome",
    resolver: (hub) => {
      let shared: Promise<Outcome> | undefined;
      return asking((request, options) => {
        shared ??= hub.ask(request, options);
        return shared;
      });
    },
    caughtBy: ["concurrent asks do not mix", "the same question twice is asked twice"],
  },
  {
    name: "the same content is asked once",
    resolver: (hub) => {
      const known = new Map<string, Promise<Outcome>>();
      return asking((request, options) => {
        const content = JSON.stringify(request);
        const outcome = known.get(content) ?? hub.ask(request, options);
        known.set(content, outcome);
        return outcome;
      });
    },
    caughtBy: ["the same question twice is asked twice"],
  },
  {
    name: "texts are made ASCII",
    resolver: answersAs((answer) => ({ ...answer, text: answer.text?.replaceAll(/[^ -~]/g, "?") ?? "" })),
    caughtBy: ["texts in any language arrive unchanged"],
  },
  {
    name: "decisions come in the order of deciding",
    resolver: outcomesAs((outcome) =>
      outcome.kind === "decided" ? { ...outcome, decisions: [...outcome.decisions].reverse() } : outcome,
    ),
    caughtBy: ["approved, edited and rejected"],
  },
  {
    name: "an answer that does not fit declines the ask",
    script: (script) => (ask, turn) =>
      turn.refused === undefined ? script(ask, turn) : { type: "decline", reason: "invalid" },
    caughtBy: [
      "an invalid answer settles nothing, and the next one counts",
      "a decision that is not allowed settles nothing",
    ],
  },
  {
    name: "signals do not count",
    resolver: (hub) => asking((request) => hub.ask(request)),
    caughtBy: [
      "a signal that is already aborted withdraws the ask, and nobody is asked",
      "a signal that aborts while the ask is pending withdraws it",
    ],
  },
  {
    name: "an abort is a fault",
    resolver: (hub) =>
      asking(async (request, options) => {
        const outcome = await hub.ask(request, options);
        options?.signal?.throwIfAborted();
        return outcome;
      }),
    caughtBy: ["a signal that aborts with a custom reason also withdraws the ask"],
  },
  {
    name: "an abort after the end withdraws what comes later",
    resolver: (hub) => {
      const signals = new Map<string | undefined, AbortSignal | undefined>();
      return asking(async (request, options) => {
        if (signals.get(request.key)?.aborted) return { kind: "withdrawn" };
        signals.set(request.key, options?.signal);
        return hub.ask(request, options);
      });
    },
    caughtBy: ["a signal that aborts after the end changes nothing"],
  },
  {
    name: "one abort withdraws all",
    resolver: (hub) => {
      const all = new AbortController();
      return asking((request, options) => {
        options?.signal?.addEventListener("abort", () => all.abort());
        return hub.ask(request, { signal: all.signal });
      });
    },
    caughtBy: ["an abort of one ask leaves the others pending"],
  },
  {
    name: "an ask that breaks the rules is refused without a word",
    resolver: (hub) =>
      asking(async (request, options) => {
        try {
          return await hub.ask(request, options);
        } catch (error) {
          throw error instanceof AsklineError ? new AsklineError(error.code, "no") : error;
        }
      }),
    caughtBy: ["an invalid ask is refused with its issues, and nobody is asked"],
  },
  {
    name: "an ask that breaks the rules is mended and asked",
    resolver: (hub) =>
      asking((request, options) =>
        hub.ask(request, options).catch(() => hub.ask({ questions: [{ question: "?" }] })),
      ),
    caughtBy: ["an invalid ask is refused with its issues, and nobody is asked"],
  },
  {
    name: "an ask expires early",
    resolver: (hub) =>
      asking((request, options) =>
        hub.ask({ ...request, ...(request.timeoutMs && { timeoutMs: request.timeoutMs - 1 }) }, options),
      ),
    caughtBy: ["an ask expires at its deadline, not before"],
  },
  {
    name: "time is the wall clock",
    resolver: (hub, clock) =>
      asking((request, options) => {
        const deadline = clock.now() + (request.timeoutMs ?? 0);
        const late = new Promise<Outcome>((resolve) => {
          clock.schedule(1_000, () => {
            if (clock.now() > deadline) resolve({ kind: "expired" });
          });
        });
        return Promise.race([hub.ask(request, options), late]);
      }),
    caughtBy: ["a wall clock jump does not expire an ask"],
  },
  {
    name: "an ask with a deadline has expired at once",
    resolver: (hub) =>
      asking(async (request, options) =>
        request.timeoutMs === undefined ? hub.ask(request, options) : { kind: "expired" },
      ),
    caughtBy: ["an answer before the deadline counts"],
  },
  {
    name: "what to do at the deadline is forgotten",
    resolver: (hub) => asking(({ onDeadline: _lost, ...request }, options) => hub.ask(request, options)),
    caughtBy: [
      "at the deadline the recommended options are chosen if the ask says so",
      "an ask that waits at its deadline stays pending, and an answer after it counts",
    ],
  },
  {
    name: "a hidden timeout decides",
    resolver: (hub) => asking((request, options) => hub.ask({ timeoutMs: 60_000, ...request }, options)),
    caughtBy: ["an ask without a deadline does not expire"],
  },
  {
    name: "keys do not count",
    resolver: (hub) => asking(({ key: _lost, ...request }, options) => hub.ask(request, options)),
    caughtBy: [
      "the same session and key ask once, concurrently and later",
      "the same key with other content is refused",
    ],
  },
  {
    name: "sessions do not count",
    resolver: (hub) => asking(({ session: _lost, ...request }, options) => hub.ask(request, options)),
    caughtBy: ["the same key in another session is another ask"],
  },
];

describe("the resolver suite on a resolver with one mistake", () => {
  it.each(MISTAKES)("notices that $name", async ({ caughtBy, ...options }) => {
    const cases = resolverSuite.filter(({ name }) => caughtBy.includes(name));
    expect(cases.map(({ name }) => name).sort()).toEqual([...caughtBy].sort());
    const results = await runSuite(cases, hubHarness(options), { timeoutMs: 500 });
    expect(results.filter(({ kind }) => kind !== "failed")).toEqual([]);
  });

  it("has a mistake for every case, so that every case can fail", () => {
    const noticed = new Set(MISTAKES.flatMap(({ caughtBy }) => caughtBy));
    expect(resolverSuite.map(({ name }) => name).filter((name) => !noticed.has(name))).toEqual([]);
  });
});

describe("the resolver suite on a resolver that ignores its signal", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("reports the case within five seconds, also if nothing of it can be closed", async () => {
    const [item] = resolverSuite.filter(({ name }) => name.includes("aborts while the ask is pending"));
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const harness = hubHarness({ resolver: (hub) => asking((request) => hub.ask(request)) });
    const stuck: typeof harness = {
      ...harness,
      open: async (script) => ({
        ...(await harness.open(script)),
        close: () => new Promise(() => undefined),
      }),
    };
    const ending = item?.run(stuck).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(String(await ending)).toContain("an ask must end when its signal aborts");
  });
});

function asking(ask: (request: AskInput, options?: AskOptions) => Promise<Outcome>): Resolver {
  return { ask };
}

function outcomesAs(change: (outcome: Outcome) => Outcome): (hub: Resolver) => Resolver {
  return (hub) => asking(async (request, options) => change(await hub.ask(request, options)));
}

function answersAs(change: (answer: Answer, index: number) => Answer): (hub: Resolver) => Resolver {
  return outcomesAs((outcome) =>
    outcome.kind === "answered" ? { ...outcome, answers: outcome.answers.map(change) } : outcome,
  );
}
