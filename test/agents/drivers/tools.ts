import type {
  AnthropicCall,
  GeminiCall,
  ModelCall,
  OpenAIChatCall,
  OpenAIResponsesCall,
} from "../../../src/agents/frameworks/tools/calls.ts";
import { approved, runToolCall } from "../../../src/agents/frameworks/tools/index.ts";
import { createAskTool, NotApprovedError } from "../../../src/index.ts";
import type { AdapterDriver, ScriptedCall } from "../suite/driver.ts";

const NAME = "ask_user_question";

/** How a provider's API writes calls and their results. */
interface Shape {
  readonly name: string;
  call(scripted: ScriptedCall): ModelCall;
  text(result: unknown): string;
}

const shapes: readonly Shape[] = [
  {
    name: "OpenAI chat",
    call: ({ id, input }): OpenAIChatCall => ({
      id,
      function: { name: NAME, arguments: JSON.stringify(input) },
    }),
    text: (result) => (result as { content: string }).content,
  },
  {
    name: "OpenAI responses",
    call: ({ id, input }): OpenAIResponsesCall => ({
      type: "function_call",
      call_id: id,
      name: NAME,
      arguments: JSON.stringify(input),
    }),
    text: (result) => (result as { output: string }).output,
  },
  {
    name: "Anthropic",
    call: ({ id, input }): AnthropicCall => ({ type: "tool_use", id, name: NAME, input }),
    text: (result) => (result as { content: string }).content,
  },
  {
    name: "Gemini",
    call: ({ id, input }): GeminiCall => ({ functionCall: { id, name: NAME, args: input } }),
    text: (result) => {
      const { response } = (result as { functionResponse: { response: { output?: string; error?: string } } })
        .functionResponse;
      return response.output ?? response.error ?? "";
    },
  },
];

export const toolsDrivers: readonly AdapterDriver[] = shapes.map((shape) => ({
  name: `own loop, ${shape.name}`,
  async ask(calls, { hub, session, ask, signal }) {
    const tool = createAskTool({ resolver: hub, text: "described", ask: { ...ask, session } });
    const results = await Promise.all(
      calls.map(async (call) => {
        const result = await runToolCall(shape.call(call), tool, signal === undefined ? {} : { signal });
        return [call.id, shape.text(result)] as const;
      }),
    );
    return Object.fromEntries(results);
  },
  async approve(args, { hub, session, ask, signal }) {
    const ran: unknown[] = [];
    const deploy = approved(
      async (input: { readonly target: string }) => {
        ran.push(input);
        return `deployed to ${input.target}`;
      },
      hub,
      {
        name: "deploy",
        ask: { ...ask, session },
        key: () => "call_deploy",
        ...(signal !== undefined && { signal }),
      },
    );
    try {
      return { text: await deploy(args), ran };
    } catch (error) {
      if (error instanceof NotApprovedError) return { text: error.message, ran };
      throw error;
    }
  },
}));
