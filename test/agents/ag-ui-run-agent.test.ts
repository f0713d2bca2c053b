// Agents of other makes, on AG-UI's own client: `runAgent` answers their interrupts.
import { EventType, type Interrupt, type ResumeEntry, type RunAgentInput } from "@ag-ui/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  AgentRunError,
  park,
  type RunAgentOptions,
  runAgent,
} from "../../src/agents/frameworks/ag-ui/index.ts";
import { createHub, type Hub, memoryStore } from "../../src/hub/index.ts";
import type { Ask, SubmittedAnswer } from "../../src/index.ts";
import { type FakeClock, fakeClock } from "../../src/testing/index.ts";
import { agentRun, EventAgent, event } from "./drivers/ag-ui.ts";
import { watchAsks } from "./suite/next-ask.ts";
import { ANA, AWKWARD, COLOUR, formSchema, SINGLE } from "./suite/samples.ts";

const PARTS = { type: "array", items: { type: "string", enum: ["Roof", "Door", "Wall"] } };

function form(...schema: Parameters<typeof formSchema>): Partial<Interrupt> {
  return { reason: "input_required", responseSchema: formSchema(...schema) };
}

const EDITABLE = {
  type: "object",
  properties: { approved: { type: "boolean" }, editedArgs: { type: "object" } },
  required: ["approved"],
};

describe("AG-UI: runAgent answers the interrupts of an agent", () => {
  let hub: Hub;
  let clock: FakeClock;
  let nextAsk: () => Promise<Ask>;
  const messages: string[] = [];

  beforeEach(async () => {
    clock = fakeClock({ now: Date.now() });
    hub = await createHub({ store: memoryStore(), clock });
    nextAsk = watchAsks(hub);
    messages.length = 0;
  });
  afterEach(() => hub.close());

  const answer = (ask: Ask, ...answers: readonly Omit<SubmittedAnswer, "question">[]) =>
    hub.answer(
      ask.id,
      { answers: answers.map((each, index) => ({ question: `q${index + 1}`, ...each })) },
      { by: ANA },
    );

  interface Scripted {
    readonly agent: EventAgent;
    /** The inputs of the runs. */
    readonly inputs: RunAgentInput[];
  }

  /** An agent that proposes a tool call, ends its runs with these interrupts in turn, and then succeeds. */
  function scripted(...turns: readonly (readonly Partial<Interrupt>[] | "error")[]): Scripted {
    const inputs: RunAgentInput[] = [];
    const agent = new EventAgent(async function* (input) {
      const { threadId, runId } = input;
      const turn = turns[inputs.length];
      yield event(EventType.RUN_STARTED, { threadId, runId });
      if (inputs.length === 0) {
        const call = { toolCallId: "tc-1" };
        yield event(EventType.TOOL_CALL_START, { ...call, toolCallName: "deploy" });
        yield event(EventType.TOOL_CALL_ARGS, { ...call, delta: '{"target":"production"}' });
        yield event(EventType.TOOL_CALL_END, call);
      }
      inputs.push(input);
      if (turn === "error") {
        yield event(EventType.RUN_ERROR, { message: "the model is overloaded", code: "busy" });
        return;
      }
      const interrupts = turn?.map((fields, index) => ({
        id: `int-${index + 1}`,
        reason: "own:reason",
        ...fields,
      }));
      const outcome = interrupts === undefined ? { type: "success" } : { type: "interrupt", interrupts };
      yield event(EventType.RUN_FINISHED, {
        threadId,
        runId,
        outcome,
        ...(turn === undefined && { result: "done" }),
      });
    }, "thread-1");
    return { agent, inputs };
  }

  const start = ({ agent }: Scripted, options: RunAgentOptions<EventAgent> = {}) =>
    runAgent(agent, hub, { onMessage: (text) => messages.push(text), ...options });

  /** Runs an agent with one interrupt; the entry that it was resumed with. */
  async function entryFor(
    interrupt: Partial<Interrupt>,
    end: (ask: Ask) => Promise<unknown>,
  ): Promise<ResumeEntry | undefined> {
    const made = scripted([interrupt]);
    const running = start(made);
    await end(await nextAsk());
    expect((await running).result).toBe("done");
    return made.inputs[1]?.resume?.[0];
  }

  it.each<[string, Partial<Interrupt>, readonly Omit<SubmittedAnswer, "question">[], unknown]>([
    ["one pick", form({ colour: COLOUR }), [{ selected: ["o2"] }], { colour: "g" }],
    ["several picks", form({ parts: PARTS }), [{ selected: ["o3", "o1"] }], { parts: ["Roof", "Wall"] }],
    [
      "a label with a comma, a quote and a newline",
      form({ colour: { type: "string", enum: [AWKWARD, "Green"] } }),
      [{ selected: [AWKWARD] }],
      { colour: AWKWARD },
    ],
    [
      "several questions, typed and chosen",
      form({ colour: COLOUR, why: { type: "string" }, days: { type: "integer" }, sure: { type: "boolean" } }),
      [{ selected: ["o1"] }, { text: 'warm, or "red"' }, { text: "3" }, { selected: ["o1"] }],
      { colour: "r", why: 'warm, or "red"', days: 3, sure: true },
    ],
    [
      "a question that may be skipped",
      form({ colour: COLOUR, why: { type: "string" } }, ["colour"]),
      [{ selected: ["o1"] }, { skipped: true }],
      { colour: "r" },
    ],
    ["one value", { responseSchema: { type: "number" }, message: "How many?" }, [{ text: "4.5" }], 4.5],
    ["one value of several", { responseSchema: { enum: ["a", "b"] } }, [{ selected: ["o2"] }], "b"],
    ["a confirmation", { reason: "confirmation", message: "Go on?" }, [{ selected: ["o2"] }], false],
    ["a message alone", { message: "Which colour do you like?" }, [{ text: "Blue" }], "Blue"],
    ["nothing but a reason", { metadata: { order: 42 } }, [{ text: "yes" }], "yes"],
    [
      "a schema that no form can show, as JSON",
      form({ place: { type: "object" } }),
      [{ text: '{"place":{"city":"Huế"}}' }],
      { place: { city: "Huế" } },
    ],
    [
      "a choice of too many, as JSON",
      {
        responseSchema: {
          type: "object",
          properties: { n: { enum: Array.from({ length: 99 }, (_, n) => n) } },
        },
      },
      [{ text: '{"n":42}' }],
      { n: 42 },
    ],
  ])("answered: %s", async (_name, interrupt, answers, payload) => {
    const entry = await entryFor(interrupt, async (ask) => {
      expect(ask).toMatchObject({ session: "thread-1", metadata: { agui: { interrupt: "int-1" } } });
      await answer(ask, ...answers);
    });
    expect(entry).toMatchObject({ interruptId: "int-1", status: "resolved" });
    expect(entry?.payload).toEqual(payload);
  });

  it("a form whose fields were all skipped was resumed with {}, which reads as a yes", async () => {
    const optional = form({ colour: COLOUR, why: { type: "string" } }, []);
    const entry = await entryFor(optional, (ask) => answer(ask, { skipped: true }, { skipped: true }));
    expect(entry).toMatchObject({ interruptId: "int-1", status: "cancelled" });
    expect(entry).not.toHaveProperty("payload");
  });

  it("shows the message, the descriptions of choices, the tool call, and metadata where there is no message", async () => {
    await entryFor(
      { ...form({ colour: COLOUR }), message: "About the house", toolCallId: "tc-1" },
      async (ask) => {
        expect(ask.context).toContain("About the house");
        expect(ask.context).toContain('"target": "production"');
        expect(ask.questions).toMatchObject([
          { question: "Which colour?", options: [{ description: "warm" }, {}] },
        ]);
        await answer(ask, { selected: ["o1"] });
      },
    );
    await entryFor({ metadata: { order: 42 } }, async (ask) => {
      expect(ask.context).toContain('"order": 42');
      await answer(ask, { text: "yes" });
    });
    await entryFor({ message: "x".repeat(9_000) }, async (ask) => {
      expect(ask.context).toBe("x".repeat(9_000));
      await answer(ask, { text: "yes" });
    });
  });

  it("is not asked if it cannot be shown whole", async () => {
    await expect(start(scripted([{ message: "x".repeat(70_000) }]))).rejects.toMatchObject({
      code: "invalid_ask",
    });
    expect((await hub.list({})).asks).toEqual([]);
  });

  it.each<[string, Partial<Interrupt>, string, string, unknown]>([
    ["a number", form({ days: { type: "integer", maximum: 9 } }), "ten", "9", { days: 9 }],
    ["JSON", form({ place: { type: "object" } }), "{place", '{"place":{}}', { place: {} }],
    ["an object", form({ place: { type: "object" } }), "[]", '{"place":{}}', { place: {} }],
  ])(
    "never sends what does not fit, and asks again with the reason: %s",
    async (_name, interrupt, bad, good, payload) => {
      const made = scripted([interrupt]);
      const running = start(made);
      const first = await nextAsk();
      await answer(first, { text: bad });
      // The same mistake again is asked again too.
      const second = await nextAsk();
      expect(second.context).toContain("Please correct");
      await answer(second, { text: bad });
      const third = await nextAsk();
      await answer(third, { text: good });
      await running;
      expect(made.inputs).toHaveLength(2);
      expect(made.inputs[1]?.resume).toMatchObject([{ status: "resolved", payload }]);
    },
  );

  it("an interrupt of `park` keeps its questions, typed answers included", async () => {
    const agents = await createHub({ store: memoryStore() });
    const call = { id: "call_1", name: "ask_user_question", input: { questions: [SINGLE] } };
    const agent = new EventAgent(
      (input) => agentRun(input, [call], (run) => park(run, agents, { person: "ana" })),
      "thread-1",
    );
    const running = runAgent(agent, hub);
    const ask = await nextAsk();
    expect(ask.questions).toMatchObject([
      { header: "Choice", freeText: true, options: [{ label: "Red", description: "takes 3 days" }, {}] },
    ]);
    await answer(ask, { text: 'Blue, or "teal"' });
    const { newMessages } = await running;
    expect(newMessages.at(-1)).toMatchObject({ role: "tool", content: expect.stringContaining("typed: ") });
    await agents.close();
  });

  it.each<[string, (ask: Ask) => Promise<unknown>, object]>([
    [
      "declined",
      ({ id }) => hub.decline(id, "not my call", { by: ANA }),
      { outcome: "declined", message: "not my call" },
    ],
    [
      "replied",
      ({ id }) => hub.reply(id, "What is it for?", { by: ANA }),
      { outcome: "replied", message: "What is it for?" },
    ],
    ["withdrawn", ({ id }) => hub.withdraw(id), { outcome: "withdrawn" }],
  ])("%s: cancelled, and the words of the person are kept", async (_name, end, about) => {
    const entry = await entryFor(form({ colour: COLOUR }), end);
    expect(entry).toEqual({
      interruptId: "int-1",
      status: "cancelled",
      metadata: { askline: { ask: expect.any(String), ...about } },
    });
    expect(messages).toEqual("message" in about ? [about.message] : []);
  });

  it("expired: cancelled when the interrupt expires, or earlier if the host says so", async () => {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const made = scripted([{ ...form({ colour: COLOUR }), expiresAt }]);
    const ended = start(made, { ask: { timeoutMs: 30 } });
    await nextAsk();
    await clock.advance(600_000);
    await ended;
    expect(made.inputs[1]?.resume).toMatchObject([{ status: "cancelled" }]);
    const entry = await entryFor({ ...form({ colour: COLOUR }), expiresAt }, async ({ id, deadline }) => {
      expect(deadline).toBe(Date.parse(expiresAt));
      await clock.advance(3_600_000);
      await hub.wait(id);
    });
    expect(entry).toMatchObject({ status: "cancelled", metadata: { askline: { outcome: "expired" } } });
  });

  it("an interrupt that has expired already is cancelled, and nobody is asked", async () => {
    const made = scripted([{ ...form({ colour: COLOUR }), expiresAt: "2020-01-01T00:00:00Z" }]);
    await start(made);
    expect(made.inputs[1]?.resume).toMatchObject([{ interruptId: "int-1", status: "cancelled" }]);
    expect((await hub.list({})).asks).toEqual([]);
  });

  it("withdrawn by an abort", async () => {
    const made = scripted([form({ colour: COLOUR }), form({ parts: PARTS })]);
    const controller = new AbortController();
    const running = start(made, { signal: controller.signal }).catch((error: unknown) => error);
    const both = [await nextAsk(), await nextAsk()];
    controller.abort();
    expect(await running).toBe(controller.signal.reason);
    for (const { id } of both) expect((await hub.get(id)).status).toBe("withdrawn");
    expect(made.inputs).toHaveLength(1);
  });

  it("ends at once when it is aborted while the agent runs, even if the agent does not stop", async () => {
    const agent = new EventAgent(async function* ({ threadId, runId }) {
      yield event(EventType.RUN_STARTED, { threadId, runId });
      await new Promise(() => undefined);
    }, "thread-1");
    const controller = new AbortController();
    const running = runAgent(agent, hub, { signal: controller.signal });
    controller.abort();
    await expect(running).rejects.toBe(controller.signal.reason);
  });

  it("parallel interrupts do not mix, and are resumed together", async () => {
    const made = scripted([
      { message: "First?" },
      { message: "Second?" },
      { message: "Third?", expiresAt: "2020-01-01T00:00:00Z" },
    ]);
    const running = start(made);
    const both = [await nextAsk(), await nextAsk()];
    const of = (text: string) => both.find(({ questions }) => questions[0]?.question === text) as Ask;
    await answer(of("Second?"), { text: "two" });
    expect(made.inputs).toHaveLength(1);
    await answer(of("First?"), { text: "one" });
    await running;
    expect(made.inputs[1]?.resume).toMatchObject([
      { interruptId: "int-1", payload: "one" },
      { interruptId: "int-2", payload: "two" },
      { interruptId: "int-3", status: "cancelled" },
    ]);
  });

  describe("an approval", () => {
    const approval = { reason: "tool_call", toolCallId: "tc-1", message: "Deploy to production?" };

    it("sends the arguments that the person edited", async () => {
      const entry = await entryFor(
        { ...approval, responseSchema: EDITABLE },
        async ({ id, approval: shown }) => {
          expect(shown?.actions).toMatchObject([
            { name: "deploy", args: { target: "production" }, description: "Deploy to production?" },
          ]);
          const decisions = [{ action: "a1", kind: "edit" as const, args: { target: "staging" } }];
          await hub.decide(id, { decisions }, { by: ANA });
        },
      );
      expect(entry?.payload).toEqual({ approved: true, editedArgs: { target: "staging" } });
    });

    it.each([
      ["approve", { approved: true }],
      ["reject", { approved: false }],
    ] as const)("of an agent that takes no edits is only approved or rejected: %s", async (kind, payload) => {
      const entry = await entryFor(approval, async ({ id, approval: shown }) => {
        expect(shown?.actions[0]?.allow).toEqual(["approve", "reject"]);
        const message = kind === "reject" ? { message: "not on a Friday" } : {};
        await hub.decide(id, { decisions: [{ action: "a1", kind, ...message }] }, { by: ANA });
      });
      expect(entry?.payload).toEqual(payload);
      expect(messages).toEqual(kind === "reject" ? ["not on a Friday"] : []);
    });

    it("puts the reason of a rejection where the schema has a field for it", async () => {
      const { properties } = EDITABLE;
      const responseSchema = { ...EDITABLE, properties: { ...properties, reason: { type: "string" } } };
      const entry = await entryFor({ ...approval, responseSchema }, ({ id }) =>
        hub.decide(id, { decisions: [{ action: "a1", kind: "reject", message: "no" }] }, { by: ANA }),
      );
      expect(entry?.payload).toEqual({ approved: false, reason: "no" });
      expect(messages).toEqual([]);
    });

    it("that is declined is not given: the interrupt is cancelled", async () => {
      const entry = await entryFor(approval, ({ id }) => hub.decline(id, undefined, { by: ANA }));
      expect(entry).toMatchObject({ status: "cancelled" });
      expect(entry).not.toHaveProperty("payload");
    });
  });

  it("asks again when the agent raises the same interrupt again", async () => {
    const made = scripted([{ message: "More?" }], [{ message: "More?" }]);
    const running = start(made);
    await answer(await nextAsk(), { text: "yes" });
    await answer(await nextAsk(), { text: "no" });
    await running;
    expect(made.inputs.map(({ resume }) => resume?.[0]?.payload)).toEqual([undefined, "yes", "no"]);
  });

  it("asks again when another process raises interrupts that were answered and resumed before", async () => {
    for (const text of ["yes", "no"]) {
      const made = scripted([{ message: "First?" }, { message: "Second?" }]);
      const running = start(made);
      for (const ask of [await nextAsk(), await nextAsk()]) await answer(ask, { text });
      await running;
      expect(made.inputs[1]?.resume).toMatchObject([{ payload: text }, { payload: text }]);
    }
  });

  it("a run that fails after the answer is resumed with the same answer, and nobody is asked twice", async () => {
    const made = scripted([{ message: "More?" }], "error");
    const running = start(made);
    await answer(await nextAsk(), { text: "yes" });
    const error = await running.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AgentRunError);
    expect(error).toMatchObject({ message: "the model is overloaded", code: "busy" });
    expect((await start(made)).result).toBe("done");
    expect(made.inputs[2]?.resume).toMatchObject([{ payload: "yes" }]);
    expect((await hub.list({})).asks).toHaveLength(1);
  });

  it("passes the parameters to every run, and a run id to the first", async () => {
    const made = scripted([{ message: "More?" }]);
    const context = [{ description: "place", value: "Huế" }];
    const running = start(made, { parameters: { runId: "run-1", context } });
    await answer(await nextAsk(), { text: "yes" });
    await running;
    expect(made.inputs.map((input) => input.context)).toEqual([context, context]);
    expect(made.inputs[0]?.runId).toBe("run-1");
    expect(made.inputs[1]?.runId).not.toBe("run-1");
  });
});
