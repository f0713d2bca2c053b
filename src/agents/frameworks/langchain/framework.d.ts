// The parts of LangChain and LangGraph that the adapter uses, so that it compiles without them: they are not installed
// with Askline. This file is not published; a program sees the real types. test/agents compiles the adapter with those.

declare module "@langchain/core/tools" {
  export interface ToolRunnableConfig {
    readonly configurable?: Record<string, unknown>;
    readonly signal?: AbortSignal;
    readonly toolCall?: { readonly id?: string };
  }
  export interface StructuredToolInterface {
    name: string;
    invoke(input: unknown, config?: unknown): Promise<unknown>;
  }
  export function tool(
    run: (input: unknown, config: ToolRunnableConfig) => Promise<unknown>,
    fields: {
      name: string;
      description: string;
      schema: unknown;
      responseFormat: "content_and_artifact";
    },
  ): StructuredToolInterface;
}

declare module "@langchain/core/messages" {
  export class ToolMessage {
    constructor(fields: { content: string; tool_call_id: string; name: string; status: "error" });
  }
}

declare module "@langchain/langgraph" {
  export class Command {
    constructor(fields: { resume: Record<string, unknown> });
  }
  export function interrupt(value: unknown): unknown;
}
