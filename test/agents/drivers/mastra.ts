import { Agent } from "@mastra/core/agent";
import { Mastra } from "@mastra/core/mastra";
import { InMemoryStore } from "@mastra/core/storage";
import { createTool } from "@mastra/core/tools";
import * as z from "zod";
import { askTool, resumeSettled, withApproval } from "../../../src/agents/frameworks/mastra.ts";
import { type AdapterDriver, type Setting, untilEnded } from "../suite/driver.ts";

interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

type Part = {
  readonly type: string;
  readonly toolCallId: string;
  readonly output: { readonly value: string };
};
type Prompt = readonly { readonly role: string; readonly content: readonly Part[] }[];

/** Makes the calls until their results are in the prompt, then ends. */
export function double(calls: readonly Call[]) {
  let last: Prompt = [];
  const answer = (prompt: Prompt) => {
    last = prompt;
    return prompt.some(({ role }) => role === "tool")
      ? [{ type: "text", text: "done" }]
      : calls.map(({ id, name, input }) => ({
          type: "tool-call",
          toolCallId: id,
          toolName: name,
          input: JSON.stringify(input),
        }));
  };
  const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
  const model = {
    specificationVersion: "v2",
    provider: "double",
    modelId: "double",
    supportedUrls: {},
    async doGenerate({ prompt }: { readonly prompt: Prompt }) {
      const content = answer(prompt);
      const finishReason = content[0]?.type === "text" ? "stop" : "tool-calls";
      return { content, finishReason, usage, warnings: [] };
    },
    async doStream(options: { readonly prompt: Prompt }) {
      const { content, finishReason } = await model.doGenerate(options);
      const parts = content.flatMap((part): readonly object[] =>
        "text" in part
          ? [
              { type: "text-start", id: "1" },
              { type: "text-delta", id: "1", delta: part.text },
              { type: "text-end", id: "1" },
            ]
          : [part],
      );
      const all = [{ type: "stream-start", warnings: [] }, ...parts, { type: "finish", finishReason, usage }];
      const stream = new ReadableStream({
        start(controller) {
          for (const part of all) controller.enqueue(part);
          controller.close();
        },
      });
      return { stream };
    },
  };
  const read = (): Readonly<Record<string, string>> =>
    Object.fromEntries(
      last
        .filter(({ role }) => role === "tool")
        .flatMap(({ content }) => content.map(({ toolCallId, output }) => [toolCallId, output.value])),
    );
  return { model, read };
}

interface Suspended {
  readonly runId?: string;
  readonly suspendPayload?: { readonly suspendPayload: { readonly askline: { readonly ask: string } } };
}

async function run(
  calls: readonly Call[],
  setting: Setting,
  tools: Readonly<Record<string, ReturnType<typeof createTool>>>,
  parked: boolean,
): Promise<Readonly<Record<string, string>>> {
  const { model, read } = double(calls);
  const store = new InMemoryStore({ id: "runs" });
  const made = new Agent({ id: "agent", name: "Agent", instructions: "Work.", model: model as never, tools });
  const agent = new Mastra({ agents: { agent: made }, storage: store, logger: false }).getAgent("agent");
  const { hub, signal, storage } = setting;
  if (!parked) {
    await agent.generate("Go on.", { maxSteps: 5, ...(signal !== undefined && { abortSignal: signal }) });
    signal?.throwIfAborted();
    return read();
  }
  const suspended = (await restored(storage, store)) ?? (await agent.generate("Go on.", { maxSteps: 5 }));
  const { runId, suspendPayload } = suspended as Suspended;
  if (suspendPayload !== undefined) {
    const workflows = await store.getStore("workflows");
    const { runs } = (await workflows?.listWorkflowRuns()) ?? { runs: [] };
    storage?.save(JSON.stringify({ runId, suspendPayload, runs }));
    await untilEnded([await hub.get(suspendPayload.suspendPayload.askline.ask)], setting);
  }
  await resumeSettled(agent, suspended, hub);
  return read();
}

/** What another process stored: where it stopped, and the state of the run. */
async function restored(storage: Setting["storage"], store: InMemoryStore): Promise<Suspended | undefined> {
  const text = storage?.load()?.toString();
  if (text === undefined) return undefined;
  const { runs, ...suspended } = JSON.parse(text);
  const workflows = await store.getStore("workflows");
  for (const { workflowName, runId, snapshot } of runs) {
    await workflows?.persistWorkflowSnapshot({ workflowName, runId, snapshot });
  }
  return suspended;
}

function driver(parked: boolean): AdapterDriver {
  const host = ({ ask, session }: Setting) => ({ ask: { ...ask, session }, parked });
  return {
    name: `Mastra, ${parked ? "parked" : "in place"}`,
    ...(parked && { oneByOne: true }),
    ask: (calls, setting) =>
      run(
        calls.map(({ id, input }) => ({ id, name: "ask_user_question", input })),
        setting,
        { ask_user_question: createTool(askTool(setting.hub, host(setting))) },
        parked,
      ),
    async approve(args, setting) {
      const ran: unknown[] = [];
      const deploy = {
        id: "deploy",
        description: "Deploys the service",
        inputSchema: z.object({ target: z.string() }),
        execute: async (input: { target: string }) => {
          ran.push(input);
          return `deployed to ${input.target}`;
        },
      };
      const tool = createTool(withApproval(deploy, setting.hub, host(setting)));
      const calls = [{ id: "call_deploy", name: "deploy", input: args }];
      const { call_deploy: text = "" } = await run(calls, setting, { deploy: tool }, parked);
      return { text, ran };
    },
  };
}

export const mastraDrivers: readonly AdapterDriver[] = [driver(false), driver(true)];
