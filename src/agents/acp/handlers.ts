// The client's side of the Agent Client Protocol, as far as a person is asked: permission requests and forms of an agent
// become asks, and their outcomes its responses.
//
//   request --posted, or found by its key--> waiting
//   waiting --outcome-----------------------> the response
//           --$/cancel_request, cancel()----> withdrawn; the response says cancelled
//           --the connection closes---------> nothing is sent; the ask stays pending, and the same request finds it

import type {
  ClientCapabilities,
  CreateElicitationResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionNotification,
} from "@agentclientprotocol/sdk";
import { CreateElicitationRequest, RequestError } from "@agentclientprotocol/sdk";
import type { Client } from "../../client/connect.js";
import type { Json } from "../../core/kit/json.js";
import { keepNewest } from "../../core/kit/tools.js";
import type { Ask, AskInput } from "../../core/model/ask.js";
import { AsklineError } from "../../core/model/error.js";
import type { Outcome } from "../../core/model/outcome.js";
import { onAbort } from "../../core/rules/abort.js";
import { writtenWords } from "../../core/text/written-words.js";
import { formPrompt } from "../relay/form.js";
import { createRelay, type Prompt } from "../relay/relay.js";
import { permissionAsk, permissionResponse, type ToolCallFacts } from "./permission.js";

/** What the handlers need of a hub: a client of a server, or a hub in this process. */
export type AcpPort = Pick<Client, "post" | "wait" | "withdraw">;

export interface AcpOptions {
  /** Fields that the host adds to each ask, such as its recipients and its deadline. */
  readonly ask?: Omit<AskInput, "questions" | "approval" | "context" | "key">;
  /** The folder that the agent works in, as a full path; the person sees it, and remembered rules are for it. */
  readonly cwd?: string;
  /** Called once an ask is stored and nobody has answered yet. */
  readonly onAsk?: (ask: Ask) => void;
  /**
   * Called with what a person wrote and the protocol has no field for, such as the reason of a rejection. Send it to
   * the agent as the next prompt. The response has it too, as `_meta["askline/message"]`.
   */
  readonly onMessage?: (text: string, sessionId: string | undefined) => void;
}

/** A request or notification as the SDK gives it to a handler. */
interface Incoming<Params> {
  readonly params: Params;
  readonly signal: AbortSignal;
}

export interface AcpHandlers {
  /** What to add to `clientCapabilities` of `initialize`. */
  readonly capabilities: Pick<ClientCapabilities, "elicitation">;
  /** For `session/request_permission`. */
  requestPermission(request: Incoming<RequestPermissionRequest>): Promise<RequestPermissionResponse>;
  /** For `elicitation/create`. */
  createElicitation(request: Incoming<CreateElicitationRequest>): Promise<CreateElicitationResponse>;
  /** For `session/update`, if you want it: a permission request then shows what the agent said about the tool call. */
  sessionUpdate(notification: { readonly params: SessionNotification }): void;
  /** Withdraws what a session waits for. Call it when you send `session/cancel`. */
  cancel(sessionId: string): void;
}

/** The most tool calls that are remembered. */
const REMEMBERED = 1_000;
/** The code of `$/cancel_request`. */
const CANCELLED = -32_800;
const CANCELLED_TURN = "the agent's turn was cancelled";

/**
 * Handlers for a client of the Agent Client Protocol. Each request waits until a person has answered.
 *
 * @example
 * const asking = acpHandlers(hub, { cwd: "/home/ana/shop" });
 * const capabilities = asking.capabilities; // then: client().onRequest("elicitation/create", asking.createElicitation)
 */
export function acpHandlers(port: AcpPort, options: AcpOptions = {}): AcpHandlers {
  const toolCalls = new Map<string, ToolCallFacts>();
  const relay = createRelay(port, {
    // Read anew for each ask. Without a session, a key can be used again once its outcome was delivered.
    get ask() {
      return { session: "", ...options.ask };
    },
    onAsk: options.onAsk,
  });

  const ask = async <R>(
    { content, reply }: Pick<Prompt<R>, "content" | "reply">,
    identity: readonly Json[],
    session: string | undefined,
    signal: AbortSignal,
  ): Promise<R | undefined> => {
    const prompt = {
      identity: [session ?? "", ...identity],
      origin: { session: session ?? "", folder: options.cwd },
      content,
      facts: session === undefined ? undefined : { acp: { session } },
      reply,
    };
    const forget = onAbort(signal, () => {
      if (isCancelled(signal)) void relay.endedThere(prompt, CANCELLED_TURN).catch(() => undefined);
    });
    try {
      // Closed before it was asked.
      if (isCancelled(signal)) return undefined;
      return await relay.ask(prompt, signal);
    } catch (error) {
      if (error instanceof AsklineError && error.code === "invalid_ask") throw invalid(error.message);
      throw error;
    } finally {
      forget();
    }
  };
  /** The field of a response that carries what the person wrote, where there is no other. */
  const meta = (outcome: Outcome, sessionId: string | undefined) => {
    const text = writtenWords(outcome);
    if (text === undefined) return {};
    options.onMessage?.(text, sessionId);
    return { _meta: { "askline/message": text } };
  };

  return {
    capabilities: { elicitation: { form: {} } },

    async requestPermission({ params, signal }) {
      const { sessionId, toolCall } = params;
      const facts = merged(toolCalls.get(callName(sessionId, toolCall.toolCallId)), toolCall);
      if (params.options.length === 0) throw invalid("options must not be empty");
      const content = permissionAsk(facts, params.options);
      const reply = (asked: Ask, outcome: Outcome) => ({
        reply: {
          outcome: permissionResponse(params.options, asked, outcome),
          ...meta(outcome, sessionId),
        },
      });
      const identity = [toolCall.toolCallId, content as unknown as Json];
      const response = await ask({ content, reply }, identity, sessionId, signal);
      return response ?? { outcome: { outcome: "cancelled" } };
    },

    async createElicitation({ params, signal }) {
      if (!CreateElicitationRequest.isForm(params)) {
        throw invalid(
          `mode must be "form"; this client shows no ${JSON.stringify(params.mode)} elicitations`,
        );
      }
      const { message, requestedSchema } = params;
      const sessionId = textIn(params, "sessionId");
      const form = formPrompt<CreateElicitationResponse>(requestedSchema, message, (read, outcome) => {
        const words = meta(outcome, sessionId);
        if (read?.action !== "accept") return { action: read?.action ?? "cancel", ...words };
        return { action: "accept", content: read.content, ...words };
      });
      if (!form.ok) throw invalid(form.message);
      const identity = [textIn(params, "toolCallId") ?? "", message, requestedSchema as unknown as Json];
      return (await ask(form, identity, sessionId, signal)) ?? { action: "cancel" };
    },

    sessionUpdate({ params: { sessionId, update } }) {
      if (update.sessionUpdate !== "tool_call" && update.sessionUpdate !== "tool_call_update") return;
      const name = callName(sessionId, update.toolCallId);
      if (update.status === "completed" || update.status === "failed") {
        toolCalls.delete(name);
        return;
      }
      toolCalls.set(name, merged(toolCalls.get(name), update));
      keepNewest(toolCalls, REMEMBERED);
    },

    cancel(sessionId) {
      void relay.over(CANCELLED_TURN, sessionId).catch(() => undefined);
    },
  };
}

/** Nobody was asked; the agent reads what to fix. */
function invalid(message: string): RequestError {
  return RequestError.invalidParams(undefined, `${message}; nothing was asked`);
}

function isCancelled({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof RequestError && reason.code === CANCELLED;
}

function textIn(params: object, name: string): string | undefined {
  const value: unknown = (params as Readonly<Record<string, unknown>>)[name];
  return typeof value === "string" ? value : undefined;
}

function callName(sessionId: string, toolCallId: string): string {
  return JSON.stringify([sessionId, toolCallId]);
}

/** What the agent said about a tool call, with what it says now. */
function merged(before: ToolCallFacts | undefined, now: ToolCallFacts): ToolCallFacts {
  const given = Object.entries(now).filter(([, value]) => value !== undefined && value !== null);
  return { ...before, ...Object.fromEntries(given) };
}
