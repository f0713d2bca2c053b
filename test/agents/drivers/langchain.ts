import { deserialize, serialize } from "node:v8";
import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
import { tool } from "@langchain/core/tools";
import { Command, MemorySaver } from "@langchain/langgraph";
import { type AgentMiddleware, createAgent, humanInTheLoopMiddleware } from "langchain";
import * as z from "zod";
import {
  answerInterrupts,
  askTool,
  interruptTool,
  postInterrupts,
  resumeOnSettle,
} from "../../../src/agents/frameworks/langchain/index.ts";
import type { InterruptLike } from "../../../src/agents/frameworks/langchain/interrupts.ts";
import type { GraphLike } from "../../../src/agents/frameworks/langchain/resume.ts";
import type { AdapterDriver, ScriptedCall, Setting } from "../suite/driver.ts";

interface Result {
  readonly messages: readonly BaseMessage[];
  readonly __interrupt__?: readonly InterruptLike[];
}

function model(calls: readonly { readonly id: string; readonly name: string; readonly args: unknown }[]) {
  return fakeModel()
    .respondWithTools(
      calls.map(({ id, name, args }) => ({ id, name, args: args as Record<string, unknown> })),
    )
    .respond(new AIMessage("done"));
}

function asking(calls: readonly ScriptedCall[]) {
  return model(calls.map(({ id, input }) => ({ id, name: "ask_user_question", args: input })));
}

function readBy({ messages }: Result): Readonly<Record<string, string>> {
  return Object.fromEntries(
    messages.flatMap((message) =>
      ToolMessage.isInstance(message) ? [[message.tool_call_id, String(message.content)]] : [],
    ),
  );
}

const START = { messages: [{ role: "user", content: "Go on." }] };

function configOf({ session, signal }: Setting) {
  return { configurable: { thread_id: session }, ...(signal !== undefined && { signal }) };
}

function deployTool(ran: unknown[]) {
  return tool(
    async (input: { target: string }) => {
      ran.push(input);
      return `deployed to ${input.target}`;
    },
    { name: "deploy", description: "Deploys the service", schema: z.object({ target: z.string() }) },
  );
}

function deployAgent(ran: unknown[], args: unknown) {
  return createAgent({
    model: model([{ id: "call_deploy", name: "deploy", args }]),
    tools: [deployTool(ran)],
    // LangChain's types do not compile with exactOptionalPropertyTypes, which this repository has.
    middleware: [
      humanInTheLoopMiddleware({ interruptOn: { deploy: true } } as never) as unknown as AgentMiddleware,
    ],
    checkpointer: new MemorySaver(),
  });
}

const inPlace: AdapterDriver = {
  name: "LangChain, in place",
  async ask(calls, setting) {
    const agent = createAgent({
      model: asking(calls),
      tools: [askTool(setting.hub, setting.ask === undefined ? {} : { ask: setting.ask })],
    });
    return readBy(await agent.invoke(START, configOf(setting)));
  },
  async approve(args, setting) {
    const ran: unknown[] = [];
    const agent = deployAgent(ran, args);
    const config = configOf(setting);
    const stopped: Result = await agent.invoke(START, config);
    const resume = await answerInterrupts(stopped.__interrupt__ ?? [], setting.hub, {
      session: setting.session,
      ...(setting.ask !== undefined && { ask: setting.ask }),
      ...(setting.signal !== undefined && { signal: setting.signal }),
    });
    const result: Result = await agent.invoke(new Command({ resume }), config);
    return { text: readBy(result).call_deploy ?? "", ran };
  },
};

/** Resumes as the asks end, until the run does not wait for one any more. */
async function untilResumed(graph: GraphLike, setting: Setting): Promise<Result> {
  const { hub, session, signal } = setting;
  const withdraw = async (): Promise<void> => {
    const { asks } = await hub.list({ session, status: "pending" });
    await Promise.all(asks.map(({ id }) => hub.withdraw(id)));
  };
  signal?.addEventListener("abort", () => void withdraw(), { once: true });
  if (signal?.aborted) await withdraw();
  let finish: (result: Result) => void = () => undefined;
  const finished = new Promise<Result>((resolve) => {
    finish = resolve;
  });
  const resuming = resumeOnSettle(graph, hub, {
    onResumed: (_thread, result) => {
      const { __interrupt__: interrupts = [] } = result as Result;
      if (interrupts.length === 0) finish(result as Result);
    },
  });
  try {
    return await finished;
  } finally {
    await resuming.close();
  }
}

const interrupting: AdapterDriver = {
  name: "LangGraph, interrupted",
  async ask(calls, setting) {
    const { storage, hub } = setting;
    const checkpointer = new MemorySaver();
    const stored = storage?.load();
    if (stored !== undefined) Object.assign(checkpointer, deserialize(stored));
    const agent = createAgent({
      // A run that is continued has made its calls already.
      model: stored === undefined ? asking(calls) : fakeModel().respond(new AIMessage("done")),
      tools: [interruptTool(hub, setting.ask === undefined ? {} : { ask: setting.ask })],
      checkpointer,
    });
    if (stored === undefined) {
      const result: Result = await agent.invoke(START, { configurable: { thread_id: setting.session } });
      storage?.save(serialize({ storage: checkpointer.storage, writes: checkpointer.writes }));
      if ((result.__interrupt__ ?? []).length === 0) return readBy(result);
    }
    return readBy(await untilResumed(agent, setting));
  },
  async approve(args, setting) {
    const ran: unknown[] = [];
    const agent = deployAgent(ran, args);
    const stopped: Result = await agent.invoke(START, { configurable: { thread_id: setting.session } });
    await postInterrupts(stopped.__interrupt__ ?? [], setting.hub, {
      session: setting.session,
      ...(setting.ask !== undefined && { ask: setting.ask }),
    });
    return { text: readBy(await untilResumed(agent, setting)).call_deploy ?? "", ran };
  },
};

export const langChainDrivers: readonly AdapterDriver[] = [inPlace, interrupting];
