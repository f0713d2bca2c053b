// Tools of the host in a Copilot session: one with which the model asks several questions at once, and an approval
// around any other.

import { isRecord } from "../../../core/kit/json.js";
import type { Resolver } from "../../../core/model/ports.js";
import { approveCall, NotApprovedError } from "../../tool/approve-call.js";
import { createAskTool, type ResolverToolOptions } from "../../tool/ask-tool.js";
import type { AskToolSchema } from "../../tool/ask-tool-definition.js";

export type AskToolOptions = Omit<ResolverToolOptions, "resolver" | "strict">;

/** What the SDK passes to a tool about its call, as far as it is used. */
export interface ToolInvocation {
  readonly sessionId: string;
  readonly toolCallId: string;
  readonly signal?: AbortSignal | undefined;
}

/** What a tool returns to the SDK. */
export interface ToolResult {
  textResultForLlm: string;
  resultType: "success" | "failure";
}

// The SDK's own type has mutable fields.
export interface CopilotAskTool {
  name: string;
  description: string;
  parameters: AskToolSchema<false>;
  skipPermission: true;
  defer: "never";
  handler: (input: unknown, invocation: ToolInvocation) => Promise<ToolResult>;
}

/**
 * A tool with which the model asks up to four questions at once; it waits in place. An invalid input is a failure that
 * lists the problems, and nobody is asked. The session is the Copilot session, unless `ask.session` is set.
 *
 * @example
 * const tools = [askTool(resolver)];
 */
export function askTool(resolver: Resolver, options: AskToolOptions = {}): CopilotAskTool {
  const made = (session: string) =>
    createAskTool({
      text: "described",
      ...options,
      ask: { session, ...options.ask },
      resolver,
      strict: false,
    });
  const { name, description, inputSchema } = made("");
  return {
    name,
    description,
    parameters: inputSchema,
    // The person is asked anyway.
    skipPermission: true,
    defer: "never",
    async handler(input, { sessionId, toolCallId, signal }) {
      const { text, isError } = await made(sessionId).execute(input, { toolCallId, signal });
      return { textResultForLlm: text, resultType: isError ? "failure" : "success" };
    },
  };
}

/** Any tool of the SDK, as far as it is used. */
export interface ApprovableTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly handler?: ((args: never, invocation: never) => unknown) | undefined;
}

/**
 * The same tool, which runs only after a person has approved its arguments, and with those that the person approved.
 * Otherwise the model reads how the ask ended. The runtime asks for no permission of its own.
 *
 * @example
 * const remove = { name: "remove", handler: async ({ path }: { path: string }) => `deleted ${path}` };
 * const tools = [withApproval(remove, resolver)];
 */
export function withApproval<T extends ApprovableTool>(
  tool: T,
  resolver: Resolver,
  options: Pick<AskToolOptions, "ask"> = {},
): T & { skipPermission: true } {
  const { name, description } = tool;
  const run = tool.handler as ((args: unknown, invocation: ToolInvocation) => unknown) | undefined;
  const handler = async (args: unknown, invocation: ToolInvocation): Promise<unknown> => {
    const { sessionId, toolCallId, signal } = invocation;
    try {
      const action = { name, args: isRecord(args) ? args : { input: args }, description };
      const approved = await approveCall(resolver, action, {
        ask: { session: sessionId, ...options.ask },
        toolCallId,
        signal,
      });
      return await run?.(isRecord(args) ? approved.args : approved.args.input, invocation);
    } catch (error) {
      if (!(error instanceof NotApprovedError)) throw error;
      return { textResultForLlm: error.message, resultType: "failure" } satisfies ToolResult;
    }
  };
  return { ...tool, handler, skipPermission: true };
}
