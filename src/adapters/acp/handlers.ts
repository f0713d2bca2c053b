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
import type { Client } from "../../client/index.js";
import { type Ask, type AskInput, AsklineError, isBlank, type Json, type Outcome } from "../../core/index.js";
import { digestKey } from "../../core/kit/digest-key.js";
import { keepNewest } from "../../core/kit/tools.js";
import { folderMetadata } from "../../core/model/folder.js";
import { writtenWords } from "../../core/text/written-words.js";
import { withdrawnOutcome } from "../../core/tool/abort.js";
import {
  askOfForm,
  correctedMessage,
  type FormProblem,
  replyToForm,
} from "../../dialects/shared/schema-form.js";
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

/** The most tool calls and answered requests that are remembered. */
const REMEMBERED = 1_000;
/** The code of `$/cancel_request`. */
const CANCELLED = -32_800;

/**
 * Handlers for a client of the Agent Client Protocol. Each request waits until a person has answered.
 *
 * @example
 * const asking = acpHandlers(hub, { cwd: "/home/ana/shop" });
 * const capabilities = asking.capabilities; // then: client().onRequest("elicitation/create", asking.createElicitation)
 */
export function acpHandlers(port: AcpPort, options: AcpOptions = {}): AcpHandlers {
  const toolCalls = new Map<string, ToolCallFacts>();
  const waiting = new Map<string, Set<AbortController>>();
  const rounds = new Map<string, number>();

  const settle = async (
    content: Pick<AskInput, "questions" | "approval" | "context" | "allowPartial">,
    keyParts: readonly Json[],
    sessionId: string | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly ask: Ask; readonly outcome: Outcome }> => {
    const request = await digestKey("acp", [sessionId ?? "", ...keyParts, content as unknown as Json]);
    // An answer counts for one request: the same one again is asked again. A new process begins at 0, so it finds the ask
    // that it did not live to see answered.
    const round = rounds.get(request) ?? 0;
    const ask = await posted(port, {
      ...options.ask,
      ...content,
      // Without a session, a key can be used again once its outcome was delivered.
      key: round === 0 ? request : `${request}:${round}`,
      metadata: {
        ...folderMetadata(options.cwd),
        ...(options.cwd !== undefined && { cwd: options.cwd }),
        ...(sessionId !== undefined && { acp: { session: sessionId } }),
        ...options.ask?.metadata,
      },
    });
    const over = (outcome: Outcome) => {
      rounds.set(request, round + 1);
      keepNewest(rounds, REMEMBERED);
      return { ask, outcome };
    };
    if (ask.outcome !== undefined) return over(ask.outcome);
    options.onAsk?.(ask);
    const cancelled = new AbortController();
    const own = waiting.get(sessionId ?? "") ?? new Set();
    waiting.set(sessionId ?? "", own.add(cancelled));
    try {
      return over(await port.wait(ask.id, { signal: AbortSignal.any([signal, cancelled.signal]) }));
    } catch (error) {
      if (!cancelled.signal.aborted && !isCancelled(signal)) throw error;
      return over(await withdrawnOutcome(ask, port.withdraw(ask.id, "the agent's turn was cancelled")));
    } finally {
      own.delete(cancelled);
      if (own.size === 0) waiting.delete(sessionId ?? "");
    }
  };
  /** The field of a response that carries what the person wrote, where there is no other. */
  const meta = (text: string | undefined, sessionId: string | undefined) => {
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
      const request = permissionAsk(facts, params.options);
      const { ask, outcome } = await settle(request, [toolCall.toolCallId], sessionId, signal);
      return {
        outcome: permissionResponse(params.options, ask, outcome),
        ...meta(writtenWords(outcome), sessionId),
      };
    },

    async createElicitation({ params, signal }) {
      if (!CreateElicitationRequest.isForm(params)) {
        throw invalid(
          `mode must be "form"; this client shows no ${JSON.stringify(params.mode)} elicitations`,
        );
      }
      const sessionId =
        "sessionId" in params && typeof params.sessionId === "string" ? params.sessionId : undefined;
      const toolCallId =
        "toolCallId" in params && typeof params.toolCallId === "string" ? params.toolCallId : "";
      const form = askOfForm(params.requestedSchema);
      if (!form.ok) throw invalid(form.message);
      let problems: readonly FormProblem[] = [];
      for (;;) {
        const context = correctedMessage(params.message, problems);
        const { ask, outcome } = await settle(
          {
            ...form.content,
            ...(!isBlank(context) && { context }),
          },
          [toolCallId, params.requestedSchema as unknown as Json],
          sessionId,
          signal,
        );
        const read = replyToForm(params.requestedSchema, ask.questions, outcome);
        if (read?.action !== "accept") {
          return { action: read?.action ?? "cancel", ...meta(writtenWords(outcome), sessionId) };
        }
        // What does not fit the form is never sent: the person gets the form again, and reads why.
        if (read.problems.length === 0) {
          return { action: "accept", content: read.content, ...meta(writtenWords(outcome), sessionId) };
        }
        problems = read.problems;
      }
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
      for (const controller of waiting.get(sessionId) ?? []) controller.abort();
    },
  };
}

async function posted(port: AcpPort, request: AskInput): Promise<Ask> {
  try {
    return await port.post(request);
  } catch (error) {
    if (error instanceof AsklineError && error.code === "invalid_ask") throw invalid(error.message);
    throw error;
  }
}

/** Nobody was asked; the agent reads what to fix. */
function invalid(message: string): RequestError {
  return RequestError.invalidParams(undefined, `${message}; nothing was asked`);
}

function isCancelled({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof RequestError && reason.code === CANCELLED;
}

function callName(sessionId: string, toolCallId: string): string {
  return JSON.stringify([sessionId, toolCallId]);
}

/** What the agent said about a tool call, with what it says now. */
function merged(before: ToolCallFacts | undefined, now: ToolCallFacts): ToolCallFacts {
  const given = Object.entries(now).filter(([, value]) => value !== undefined && value !== null);
  return { ...before, ...Object.fromEntries(given) };
}
