import * as ai7 from "ai";
import { MockLanguageModelV4 } from "ai/test";
import * as ai6 from "ai-6";
import { MockLanguageModelV3 } from "ai-6/test";
import * as z from "zod";
import { askTool, park, parkedAskTool, withApproval } from "../../../src/agents/frameworks/ai-sdk.ts";
import {
  type AdapterDriver,
  type DeployArgs,
  type ScriptedCall,
  type Setting,
  untilEnded,
} from "../suite/driver.ts";

type Prompt = readonly { readonly role: string; readonly content: unknown }[];

interface Double {
  readonly model: ai7.LanguageModel;
  /** The prompt of each call of the model. */
  prompts(): readonly Prompt[];
}

interface Version {
  readonly name: string;
  generateText(options: {
    model: ai7.LanguageModel;
    tools: ai7.ToolSet;
    messages: ai7.ModelMessage[];
    abortSignal?: AbortSignal;
  }): Promise<{ readonly responseMessages: ai7.ModelMessage[] }>;
  double(turns: readonly Turn[]): Double;
}

type Turn = readonly { readonly id: string; readonly name: string; readonly input: unknown }[] | "done";

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

function resultOf(turn: Turn) {
  return {
    content:
      turn === "done"
        ? [{ type: "text" as const, text: "done" }]
        : turn.map(({ id, name, input }) => ({
            type: "tool-call" as const,
            toolCallId: id,
            toolName: name,
            input: JSON.stringify(input),
          })),
    finishReason:
      turn === "done"
        ? { unified: "stop" as const, raw: "stop" }
        : { unified: "tool-calls" as const, raw: "tool-calls" },
    usage: USAGE,
    warnings: [],
  };
}

const seven: Version = {
  name: "AI SDK 7",
  async generateText(options) {
    const { response } = await ai7.generateText({ ...options, stopWhen: ai7.stepCountIs(4) });
    return { responseMessages: response.messages };
  },
  double(turns) {
    const model = new MockLanguageModelV4({ doGenerate: turns.map(resultOf) });
    return { model, prompts: () => model.doGenerateCalls.map(({ prompt }) => prompt) };
  },
};

const six: Version = {
  name: "AI SDK 6",
  async generateText({ model, tools, messages, abortSignal }) {
    const { response } = await ai6.generateText({
      model: model as unknown as ai6.LanguageModel,
      tools: tools as unknown as ai6.ToolSet,
      messages: messages as ai6.ModelMessage[],
      ...(abortSignal !== undefined && { abortSignal }),
      stopWhen: ai6.stepCountIs(4),
    });
    return { responseMessages: response.messages as ai7.ModelMessage[] };
  },
  double(turns) {
    const model = new MockLanguageModelV3({ doGenerate: turns.map(resultOf) });
    return {
      model: model as unknown as ai7.LanguageModel,
      prompts: () => model.doGenerateCalls.map(({ prompt }) => prompt),
    };
  },
};

const USER: ai7.ModelMessage = { role: "user", content: "Go on." };

function asking(calls: readonly ScriptedCall[]): Turn {
  return calls.map(({ id, input }) => ({ id, name: "ask_user_question", input }));
}

/** What the model read of each call, from its last prompt. */
function readBy({ prompts }: Double): Readonly<Record<string, string>> {
  const parts = (prompts().at(-1) ?? []).flatMap(({ role, content }) =>
    role === "tool" ? (content as readonly { toolCallId: string; output: { value: unknown } }[]) : [],
  );
  return Object.fromEntries(parts.map(({ toolCallId, output }) => [toolCallId, String(output.value)]));
}

function withSignal({ signal }: Setting): { abortSignal?: AbortSignal } {
  return signal === undefined ? {} : { abortSignal: signal };
}

function inPlace(version: Version): AdapterDriver {
  return {
    name: `${version.name}, in place`,
    async ask(calls, setting) {
      const double = version.double([asking(calls), "done"]);
      const tool = askTool(setting.hub, { ask: { ...setting.ask, session: setting.session } });
      await version.generateText({
        model: double.model,
        tools: { ask_user_question: tool },
        messages: [USER],
        ...withSignal(setting),
      });
      return readBy(double);
    },
    approve: (args, setting) => approveWith(version, args, setting),
  };
}

async function approveWith(version: Version, args: DeployArgs, setting: Setting) {
  const ran: unknown[] = [];
  const deploy = ai7.tool({
    description: "Deploys the service",
    inputSchema: z.object({ target: z.string() }),
    execute: async (input) => {
      ran.push(input);
      return `deployed to ${input.target}`;
    },
  });
  const double = version.double([[{ id: "call_deploy", name: "deploy", input: args }], "done"]);
  const ask = { ...setting.ask, session: setting.session };
  await version.generateText({
    model: double.model,
    tools: { deploy: withApproval(deploy, setting.hub, { name: "deploy", ask }) },
    messages: [USER],
    ...withSignal(setting),
  });
  return { text: readBy(double).call_deploy ?? "", ran };
}

const parked: AdapterDriver = {
  name: "AI SDK 7, parked",
  async ask(calls, setting) {
    const { storage, hub, session } = setting;
    const tools = { ask_user_question: parkedAskTool() };
    const options = { ask: { ...setting.ask, session } };
    const stored = storage?.load();
    let messages: ai7.ModelMessage[] = stored === undefined ? [USER] : JSON.parse(stored.toString());
    if (stored === undefined) {
      const first = seven.double([asking(calls)]);
      messages.push(...(await seven.generateText({ model: first.model, tools, messages })).responseMessages);
      storage?.save(JSON.stringify(messages));
    }
    for (;;) {
      const now = await park(messages, hub, options);
      messages = now.messages;
      if (now.pending.length === 0) break;
      await untilEnded(now.pending, setting);
    }
    const second = seven.double(["done"]);
    await seven.generateText({ model: second.model, tools, messages });
    return readBy(second);
  },
  approve: (args, setting) => approveWith(seven, args, setting),
};

export const aiSdkDrivers: readonly AdapterDriver[] = [inPlace(seven), inPlace(six), parked];
