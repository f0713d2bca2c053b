import { expect } from "vitest";
import type { Submission } from "../../../src/core/model/ending.ts";
import type { Hub } from "../../../src/hub/index.ts";
import { type Ask, AsklineError, describeOutcome, type Outcome } from "../../../src/index.ts";
import type { AdapterDriver, Setting } from "./driver.ts";
import { ANA, AWKWARD, BEN, MULTI, question, SINGLE } from "./samples.ts";

/** What a case gets: a hub with nobody at it yet, and the driver under test. */
export interface Scope {
  readonly driver: AdapterDriver;
  readonly hub: Hub;
  readonly setting: Setting;
  /** Resolves to the next ask that reaches a person. */
  nextAsk(): Promise<Ask>;
}

export interface AdapterCase {
  readonly name: string;
  run(scope: Scope): Promise<void>;
}

/** One call, which Ana answers; the model must read every one of `lines`. */
function answered(
  name: string,
  questions: readonly unknown[],
  submission: Submission,
  lines: readonly string[],
  fields: Partial<Setting> = {},
): AdapterCase {
  return {
    name: `answered: ${name}`,
    async run({ driver, hub, setting, nextAsk }) {
      const reading = driver.ask([{ id: "call_1", input: { questions } }], { ...setting, ...fields });
      const ask = await nextAsk();
      expect(ask).toMatchObject({ session: setting.session, key: "call_1" });
      await hub.answer(ask.id, submission, { by: ANA });
      const { call_1: text = "" } = await reading;
      expect(text.split("\n")).toEqual(expect.arrayContaining(["The person answered:", ...lines]));
    },
  };
}

/** One call that ends without an answer; the model must read the text of exactly that outcome. */
function ended(
  name: string,
  end: (hub: Hub, ask: Ask) => Promise<unknown>,
  kind: Outcome["kind"],
  fields: Partial<Setting> = {},
): AdapterCase {
  return {
    name,
    async run({ driver, hub, setting, nextAsk }) {
      const input = { questions: [SINGLE] };
      const reading = driver.ask([{ id: "call_1", input }], { ...setting, ...fields });
      const { id } = await nextAsk();
      await end(hub, await hub.get(id));
      const { call_1: text } = await reading;
      const ask = await hub.get(id);
      expect(ask.status).toBe(kind);
      expect(text).toBe(ask.outcome && describeOutcome(ask, ask.outcome));
      expect(text).not.toContain("answered:");
    },
  };
}

export const adapterCases: readonly AdapterCase[] = [
  answered("one pick", [SINGLE], { answers: [{ question: "q1", selected: ["o2"] }] }, ['   chose: "Green"']),
  answered("several picks", [MULTI], { answers: [{ question: "q1", selected: ["o3", "o1"] }] }, [
    '   chose: "Roof"',
    '   chose: "Wall"',
  ]),
  answered("other", [SINGLE], { answers: [{ question: "q1", text: 'Blue, or "teal"' }] }, [
    '   typed: "Blue, or \\"teal\\""',
  ]),
  answered(
    "several questions",
    [SINGLE, MULTI],
    {
      answers: [
        { question: "q2", selected: ["o2"] },
        { question: "q1", selected: ["o1"] },
      ],
    },
    ['1. "Which colour?"', '   chose: "Red"', '2. "Which parts?"', '   chose: "Door"'],
  ),
  answered(
    "one question skipped",
    [SINGLE, MULTI],
    { answers: [{ question: "q1", selected: ["o1"] }] },
    ['   chose: "Red"', '2. "Which parts?"', "   skipped"],
    { ask: { allowPartial: true } },
  ),
  answered(
    "a label with a comma, a quote and a newline",
    [{ ...question("Which?", [AWKWARD, "Green"]), multiSelect: true }],
    { answers: [{ question: "q1", selected: ["o1", "o2"] }] },
    [`   chose: ${JSON.stringify(AWKWARD)}`, '   chose: "Green"'],
  ),

  ended("declined", (hub, { id }) => hub.decline(id, "not my call", { by: ANA }), "declined"),
  ended("replied", (hub, { id }) => hub.reply(id, "What is it for?", { by: ANA }), "replied"),
  ended("expired", (hub, { id }) => hub.wait(id), "expired", { ask: { timeoutMs: 60 } }),

  {
    name: "withdrawn by an abort",
    async run({ driver, hub, setting, nextAsk }) {
      const controller = new AbortController();
      const reading = driver
        .ask([{ id: "call_1", input: { questions: [SINGLE] } }], { ...setting, signal: controller.signal })
        .then(
          ({ call_1 }) => call_1,
          (error: unknown) => error,
        );
      const { id } = await nextAsk();
      controller.abort();
      // A run that waits in place ends with the abort; a parked one goes on and reads what happened.
      const read = await reading;
      await hub.wait(id);
      expect((await hub.get(id)).status).toBe("withdrawn");
      if (typeof read === "string")
        expect(read).toBe(describeOutcome({ questions: [] }, { kind: "withdrawn" }));
      else expect(read).toBeInstanceOf(Error);
    },
  },

  {
    name: "bad arguments: the model reads what to fix, and nobody is asked",
    async run({ driver, hub, setting }) {
      const input = { questions: [{ ...SINGLE, options: [{ label: "Only one", description: "alone" }] }] };
      const { call_1: text } = await driver.ask([{ id: "call_1", input }], setting);
      expect(text).toContain("nothing was asked");
      expect(text).toContain("options");
      expect((await hub.list({})).asks).toEqual([]);
    },
  },

  {
    name: "two racing answers: one wins, and the model reads that one",
    async run({ driver, hub, setting, nextAsk }) {
      const reading = driver.ask([{ id: "call_1", input: { questions: [SINGLE] } }], setting);
      const { id } = await nextAsk();
      const attempts = await Promise.allSettled([
        hub.answer(id, { answers: [{ question: "q1", selected: ["o1"] }] }, { by: ANA }),
        hub.answer(id, { answers: [{ question: "q1", selected: ["o2"] }] }, { by: BEN }),
      ]);
      const [lost] = attempts.flatMap((attempt) => (attempt.status === "rejected" ? [attempt.reason] : []));
      expect(lost).toBeInstanceOf(AsklineError);
      expect(lost.code).toBe("already_settled");
      const { call_1: text } = await reading;
      const ask = await hub.get(id);
      expect(text).toBe(ask.outcome && describeOutcome(ask, ask.outcome));
    },
  },

  {
    name: "parallel asks do not mix",
    async run({ driver, hub, setting, nextAsk }) {
      const reading = driver.ask(
        ["call_1", "call_2"].map((id) => ({
          id,
          input: { questions: [question(`Which, ${id}?`, ["Red", "Green"])] },
        })),
        setting,
      );
      const asks = [await nextAsk()];
      const answer = (key: string, selected: string) =>
        hub.answer(
          asks.find((ask) => ask.key === key)?.id ?? "",
          { answers: [{ question: "q1", selected: [selected] }] },
          { by: ANA },
        );
      if (driver.oneByOne) await answer("call_1", "o1");
      asks.push(await nextAsk());
      await answer("call_2", "o2");
      if (!driver.oneByOne) await answer("call_1", "o1");
      const texts = await reading;
      expect(texts.call_1?.split("\n").slice(1)).toEqual(['1. "Which, call_1?"', '   chose: "Red"']);
      expect(texts.call_2?.split("\n").slice(1)).toEqual(['1. "Which, call_2?"', '   chose: "Green"']);
    },
  },

  {
    name: "an approval runs with the arguments that the person edited",
    async run({ driver, hub, setting, nextAsk }) {
      const deploying = driver.approve({ target: "production" }, setting);
      const ask = await nextAsk();
      expect(ask.approval?.actions).toMatchObject([{ name: "deploy", args: { target: "production" } }]);
      const decisions = [{ action: "a1", kind: "edit" as const, args: { target: "staging" } }];
      await hub.decide(ask.id, { decisions }, { by: ANA });
      const { text, ran } = await deploying;
      expect(ran).toEqual([{ target: "staging" }]);
      expect(text).toBe("deployed to staging");
    },
  },
  {
    name: "an approval that is rejected runs nothing, and the model reads why",
    async run({ driver, hub, setting, nextAsk }) {
      const deploying = driver.approve({ target: "production" }, setting);
      const { id } = await nextAsk();
      const decisions = [{ action: "a1", kind: "reject" as const, message: "not on a Friday" }];
      await hub.decide(id, { decisions }, { by: ANA });
      const { text, ran } = await deploying;
      expect(ran).toEqual([]);
      expect(text).toContain("not on a Friday");
    },
  },
  {
    name: "an approval that an abort withdraws runs nothing",
    async run({ driver, hub, setting, nextAsk }) {
      const controller = new AbortController();
      const deploying = driver
        .approve({ target: "production" }, { ...setting, signal: controller.signal })
        .catch((error: unknown) => error);
      const { id } = await nextAsk();
      controller.abort();
      const result = await deploying;
      await hub.wait(id);
      expect((await hub.get(id)).status).toBe("withdrawn");
      // A run that waits in place ends with the abort.
      if (!(result instanceof Error)) expect(result).toMatchObject({ ran: [] });
    },
  },
];
