import { AIMessage, ToolMessage } from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
import { Command, END, interrupt, MemorySaver, START, StateGraph } from "@langchain/langgraph";
import { createAgent } from "langchain";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import {
  answerInterrupts,
  interruptTool,
  postInterrupts,
  resumeOnSettle,
} from "../../src/agents/frameworks/langchain/index.ts";
import type { GraphLike, Resuming } from "../../src/agents/frameworks/langchain/resume.ts";
import { createHub, type Hub, memoryStore } from "../../src/hub/index.ts";
import type { Ask } from "../../src/index.ts";
import { ANA, SINGLE } from "./suite/samples.ts";

let hub: Hub;
beforeEach(async () => {
  hub = await createHub({ store: memoryStore() });
});
afterEach(() => hub.close());

const GREEN = { answers: [{ question: "q1", selected: ["o2"] }] };
type ResumeFilter = (ask: Ask) => boolean;
const config = { configurable: { thread_id: "thread-1" } };

/** An agent that has stopped at an ask, and how often its model ran. */
async function parkedAgent(): Promise<{ agent: GraphLike; askId: string; runs: () => number }> {
  let runs = 0;
  const model = fakeModel()
    .respondWithTools([{ id: "call_1", name: "ask_user_question", args: { questions: [SINGLE] } }])
    .respond(() => {
      runs += 1;
      return new AIMessage("done");
    });
  const agent = createAgent({ model, tools: [interruptTool(hub)], checkpointer: new MemorySaver() });
  await agent.invoke({ messages: [{ role: "user", content: "Go on." }] }, config);
  const [ask] = (await hub.list({ status: "pending" })).asks;
  return { agent, askId: ask?.id ?? "", runs: () => runs };
}

describe("resumeOnSettle", () => {
  it("resumes once, however many processes watch", async () => {
    const { agent, askId, runs } = await parkedAgent();
    let resumed = 0;
    let first: () => void = () => undefined;
    const once = new Promise<void>((resolve) => {
      first = resolve;
    });
    const onResumed = (): void => {
      resumed += 1;
      first();
    };
    // Each has its own claims, as each process has.
    const watchers = [1, 2, 3].map(() => resumeOnSettle(agent, hub, { onResumed }));
    await hub.answer(askId, GREEN, { by: ANA });
    await once;
    for (const watcher of watchers) await watcher.close();
    expect([resumed, runs()]).toEqual([1, 1]);
  });

  it("resumes an ask that ended while no process ran", async () => {
    const { agent, askId, runs } = await parkedAgent();
    await hub.answer(askId, GREEN, { by: ANA });
    const thread = await new Promise<string>((resolve) => {
      const resuming = resumeOnSettle(agent, hub, {
        onResumed: (name) => void resuming.close().then(() => resolve(name)),
      });
    });
    expect([thread, runs()]).toEqual(["thread-1", 1]);
  });

  it("takes over from a process that died while it resumed", async () => {
    const { agent, askId, runs } = await parkedAgent();
    await hub.answer(askId, GREEN, { by: ANA });
    expect(await hub.claimResume(askId, { holder: "dead", leaseMs: 1_000 })).toBeDefined();
    await new Promise<void>((resolve) => {
      const resuming = resumeOnSettle(agent, hub, {
        sweepMs: 100,
        onResumed: () => void resuming.close().then(resolve),
      });
    });
    expect(runs()).toBe(1);
  });

  it("reports a graph that fails, gives the lease back and tries again", async () => {
    const { agent, askId } = await parkedAgent();
    const logged: string[] = [];
    let failures = 1;
    const flaky: GraphLike = {
      getState: (thread) => agent.getState(thread),
      invoke: async (input, thread) => {
        if (failures-- > 0) throw new Error("the model is down");
        return agent.invoke(input, thread);
      },
    };
    await hub.answer(askId, GREEN, { by: ANA });
    await new Promise<void>((resolve) => {
      const resuming = resumeOnSettle(flaky, hub, {
        sweepMs: 50,
        logger: { warn: (message) => void logged.push(message), error: () => undefined },
        onResumed: () => void resuming.close().then(resolve),
      });
    });
    expect(logged).toEqual(["could not resume thread thread-1; it is tried again"]);
  });

  it("goes on from the last checkpoint when the model failed after it had read the outcome", async () => {
    const reads: unknown[] = [];
    const model = fakeModel()
      .respondWithTools([{ id: "call_1", name: "ask_user_question", args: { questions: [SINGLE] } }])
      .respond(new Error("the model is down"))
      .respond((messages) => {
        reads.push(
          messages.filter((message) => ToolMessage.isInstance(message)).map(({ content }) => content),
        );
        return new AIMessage("done");
      });
    const agent = createAgent({ model, tools: [interruptTool(hub)], checkpointer: new MemorySaver() });
    await agent.invoke({ messages: [{ role: "user", content: "Go on." }] }, config);
    const [ask] = (await hub.list({ status: "pending" })).asks;
    await hub.answer(ask?.id ?? "", GREEN, { by: ANA });
    await new Promise<void>((resolve) => {
      const resuming = resumeOnSettle(agent, hub, {
        sweepMs: 50,
        logger: { warn: () => undefined, error: () => undefined },
        onResumed: () => void resuming.close().then(resolve),
      });
    });
    expect(reads).toEqual([['The person answered:\n1. "Which colour?"\n   chose: "Green"']]);
    expect(await hub.claimResume(ask?.id ?? "")).toBeUndefined();
  });

  /** Two graphs with one hub, each with a watcher, whose asks both end; which watcher resumed which thread. */
  async function resumedBy(checkpointers: readonly MemorySaver[], mine?: (name: string) => ResumeFilter) {
    const resumed: string[] = [];
    const watchers: Resuming[] = [];
    for (const [index, name] of ["one", "two"].entries()) {
      const args = { questions: [SINGLE] };
      const model = fakeModel()
        .respondWithTools([{ id: `call_${name}`, name: "ask_user_question", args }])
        .respond(new AIMessage(name));
      const tools = [interruptTool(hub, { ask: { metadata: { graph: name } } })];
      const graph = createAgent({ model, tools, checkpointer: checkpointers[index] ?? new MemorySaver() });
      const filter = mine?.(name);
      const onResumed = (thread: string): void => void resumed.push(`${name}: ${thread}`);
      watchers.push(resumeOnSettle(graph, hub, { onResumed, ...(filter && { filter }) }));
      const thread = { configurable: { thread_id: `thread-${name}` } };
      await graph.invoke({ messages: [{ role: "user", content: "Go on." }] }, thread);
    }
    for (const { id } of (await hub.list({ status: "pending" })).asks) {
      await hub.answer(id, GREEN, { by: ANA });
    }
    await expect.poll(() => resumed.length).toBe(2);
    for (const watcher of watchers) await watcher.close();
    return resumed.sort();
  }

  it("leaves the threads of other graphs to their own watchers", async () => {
    expect(await resumedBy([])).toEqual(["one: thread-one", "two: thread-two"]);
  });

  it("leaves the asks out that a filter does, where graphs share a checkpointer", async () => {
    const saver = new MemorySaver();
    const mine =
      (name: string): ResumeFilter =>
      (ask) =>
        ask.metadata?.graph === name;
    expect(await resumedBy([saver, saver], mine)).toEqual(["one: thread-one", "two: thread-two"]);
  });

  it("leaves a run alone that has not come to its interrupt yet", async () => {
    const { agent, askId, runs } = await parkedAgent();
    await hub.answer(askId, GREEN, { by: ANA });
    let early = true;
    const looked: boolean[] = [];
    const slow: GraphLike = {
      async getState(thread) {
        const { tasks, ...state } = await agent.getState(thread);
        looked.push(early);
        return early ? { ...state, tasks: [], next: ["tools"] } : { ...state, tasks };
      },
      invoke: (input, thread) => agent.invoke(input, thread),
    };
    await new Promise<void>((resolve) => {
      const resuming = resumeOnSettle(slow, hub, {
        sweepMs: 50,
        onResumed: () => void resuming.close().then(resolve),
      });
      void expect
        .poll(() => looked.length)
        .toBeGreaterThan(1)
        .then(() => {
          early = false;
        });
    });
    expect(runs()).toBe(1);
  });
});

describe("interruptTool", () => {
  it("gives the canonical texts where they are wanted", async () => {
    const tool = interruptTool(hub, { text: "canonical" });
    const call = { type: "tool_call", id: "call_1", name: tool.name, args: { questions: [SINGLE] } };
    const ask = await hub.post({ questions: [SINGLE], session: "thread-1", key: "call_1" });
    await hub.decline(ask.id, undefined, { by: ANA });
    expect(await tool.invoke(call, config)).toMatchObject({ content: "[cancelled by user]" });
  });

  it("does not take what the graph is resumed with for an answer", async () => {
    const { agent, askId, runs } = await parkedAgent();
    const forged = new Command({ resume: { kind: "answered", answers: [] } });
    await agent.invoke(forged as never, config);
    expect(runs()).toBe(0);
    expect((await hub.get(askId)).status).toBe("pending");
    const { tasks } = await agent.getState(config);
    expect(tasks.flatMap(({ interrupts = [] }) => interrupts)).toHaveLength(1);
  });
});

describe("an interrupt of the Agent Inbox shape", () => {
  const request = {
    action_request: { action: "send_mail", args: { to: "ana" } },
    config: { allow_accept: true, allow_edit: true, allow_respond: true, allow_ignore: true },
    description: "The weekly report",
  };

  function graphOf(value: unknown) {
    return new StateGraph(z.object({ response: z.unknown().optional() }))
      .addNode("review", () => ({ response: interrupt(value) }))
      .addEdge(START, "review")
      .addEdge("review", END)
      .compile({ checkpointer: new MemorySaver() });
  }

  it("shows arguments that are not an object, too", async () => {
    const text = { ...request, action_request: { action: "run", args: "rm -rf /" } };
    const [ask] = await postInterrupts([{ id: "i1", value: text }], hub, { session: "thread-1" });
    expect(ask?.approval?.actions).toMatchObject([
      { name: "run", args: { input: "rm -rf /" }, allow: ["approve", "reject"] },
    ]);
  });

  it.each([
    ["accepted", { kind: "approve" as const }, { type: "accept", args: null }],
    [
      "edited",
      { kind: "edit" as const, args: { to: "ben" } },
      { type: "edit", args: { action: "send_mail", args: { to: "ben" } } },
    ],
    ["ignored", { kind: "reject" as const }, { type: "ignore", args: null }],
    [
      "rejected with a message",
      { kind: "reject" as const, message: "too long" },
      { type: "response", args: "too long" },
    ],
  ])("is %s", async (_name, decision, response) => {
    const graph = graphOf([request]);
    const stopped = await graph.invoke({}, config);
    const interrupts = "__interrupt__" in stopped ? (stopped.__interrupt__ as { id: string }[]) : [];
    const resuming = answerInterrupts(interrupts, hub, { session: "thread-1" });
    for await (const ask of hub.watch()) {
      expect(ask).toMatchObject({ context: "The weekly report", key: interrupts[0]?.id });
      await hub.decide(ask.id, { decisions: [{ action: "a1", ...decision }] }, { by: ANA });
      break;
    }
    expect(await graph.invoke(new Command({ resume: await resuming }), config)).toEqual({
      response: [response],
    });
  });

  it("is replied to, in a run that was parked", async () => {
    const graph = graphOf(request);
    const stopped = await graph.invoke({}, config);
    const [ask] = await postInterrupts(
      "__interrupt__" in stopped ? (stopped.__interrupt__ as { id: string }[]) : [],
      hub,
      { session: "thread-1" },
    );
    await hub.reply(ask?.id ?? "", "Add the figures first.", { by: ANA });
    const result = await new Promise<unknown>((resolve) => {
      const resuming = resumeOnSettle(graph, hub, {
        onResumed: (_thread, value) => void resuming.close().then(() => resolve(value)),
      });
    });
    expect(result).toEqual({ response: [{ type: "response", args: "Add the figures first." }] });
  });

  it("is refused if its shape is not known, and nobody is asked", async () => {
    await expect(answerInterrupts([{ id: "i1", value: "?" }], hub, { session: "s" })).rejects.toMatchObject({
      code: "unsupported",
    });
    expect((await hub.list({})).asks).toEqual([]);
  });
});
