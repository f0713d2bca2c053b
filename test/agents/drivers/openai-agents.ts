import {
  Agent,
  type AgentInputItem,
  type Model,
  RunState,
  run,
  setTracingDisabled,
  tool,
  Usage,
} from "@openai/agents";
import * as z from "zod";
import { askTool, settleInterruptions, withApproval } from "../../../src/agents/frameworks/openai-agents.ts";
import { type AdapterDriver, type Setting, untilEnded } from "../suite/driver.ts";

setTracingDisabled(true);

interface Double extends Model {
  readonly inputs: AgentInputItem[][];
}

interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** Makes the calls until their results are in the input, then ends. */
function double(calls: readonly Call[]): Double {
  const inputs: AgentInputItem[][] = [];
  return {
    inputs,
    async getResponse({ input }) {
      const items = typeof input === "string" ? [] : [...input];
      inputs.push(items);
      const isAnswered = items.some(({ type }) => type === "function_call_result");
      return {
        usage: new Usage(),
        output: isAnswered
          ? [
              {
                type: "message",
                role: "assistant",
                status: "completed",
                content: [{ type: "output_text", text: "done" }],
              },
            ]
          : calls.map(({ id, name, input: args }) => ({
              type: "function_call",
              callId: id,
              name,
              arguments: JSON.stringify(args),
              status: "completed",
            })),
      };
    },
    getStreamedResponse() {
      throw new Error("not streamed");
    },
  };
}

function readBy({ inputs }: Double): Readonly<Record<string, string>> {
  return Object.fromEntries(
    (inputs.at(-1) ?? []).flatMap((item) => {
      if (item.type !== "function_call_result") return [];
      const { output } = item;
      return [[item.callId, typeof output === "object" && "text" in output ? output.text : String(output)]];
    }),
  );
}

function asking(calls: Parameters<AdapterDriver["ask"]>[0]): readonly Call[] {
  return calls.map(({ id, input }) => ({ id, name: "ask_user_question", input }));
}

function hostFields({ ask, session }: Setting) {
  return { ...ask, session };
}

/** Runs to the end, through the stored text of the state whenever a person is waited for. */
async function runParked(agent: Agent, setting: Setting): Promise<void> {
  const { storage, hub } = setting;
  const stored = storage?.load()?.toString();
  let state = stored ?? (await run(agent, "Go on.")).state.toString();
  for (;;) {
    storage?.save(state);
    const read = await RunState.fromString(agent, state);
    const pending = await settleInterruptions(read, hub, { ask: hostFields(setting) });
    if (pending.length > 0) {
      await untilEnded(pending, setting);
      continue;
    }
    const result = await run(agent, read);
    if (result.interruptions.length === 0) return;
    state = result.state.toString();
  }
}

function driver(parked: boolean): AdapterDriver {
  return {
    name: `OpenAI Agents, ${parked ? "parked" : "in place"}`,
    async ask(calls, setting) {
      const model = double(asking(calls));
      const agent = new Agent({
        name: "Agent",
        model,
        tools: [askTool(setting.hub, { ask: hostFields(setting), parked })],
      });
      if (parked) await runParked(agent, setting);
      else await run(agent, "Go on.", setting.signal === undefined ? {} : { signal: setting.signal });
      return readBy(model);
    },
    async approve(args, setting) {
      const ran: unknown[] = [];
      const deploy = tool({
        name: "deploy",
        description: "Deploys the service",
        parameters: z.object({ target: z.string() }),
        execute: async (input) => {
          ran.push(input);
          return `deployed to ${input.target}`;
        },
      });
      const model = double([{ id: "call_deploy", name: "deploy", input: args }]);
      const agent = new Agent({
        name: "Agent",
        model,
        tools: [withApproval(deploy, setting.hub, { ask: hostFields(setting), parked })],
      });
      if (parked) await runParked(agent, setting);
      else await run(agent, "Go on.", setting.signal === undefined ? {} : { signal: setting.signal });
      return { text: readBy(model).call_deploy ?? "", ran };
    },
  };
}

export const openAIAgentsDrivers: readonly AdapterDriver[] = [driver(false), driver(true)];
