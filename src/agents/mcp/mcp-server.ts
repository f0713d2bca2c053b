// An MCP server whose tools ask people. Uses the SDK's low-level server: the input of the tools is read by the core's
// parser, which accepts what models often get wrong and says what is wrong with the rest.

import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { type Clock, systemClock } from "../../core/kit/clock.js";
import { isRecord } from "../../core/kit/json.js";
import type { Ask, AskInput } from "../../core/model/ask.js";
import { withdrawAsk } from "../relay/port.js";
import { CARD_TOOL } from "../shapes/shared/mcp-card.js";
import { type CallOptions, callTool } from "./calls.js";
import { APPS_EXTENSION, CARD_MIME, CARD_URI } from "./cards.js";
import { clientForm, respondToForm, type ShownForms } from "./client-forms.js";
import type { AgentPort } from "./port.js";
import { deliver } from "./results.js";
import { createStates } from "./states.js";
import { TASKS_EXTENSION, taskOf } from "./tasks.js";
import { TOOL_NAMES, type ToolName, toolsFor } from "./tools.js";
import { createUndelivered } from "./undelivered.js";

export interface McpOptions {
  /** A client of a server (`connect`), or a hub in this process. */
  readonly port: AgentPort;
  /** How long a call waits before it returns `pending`, in place of the limit of the client that calls. */
  readonly waitMs?: number;
  /** `auto` (default): `post_question` is a task where the client declares them; `always`: every question is. */
  readonly tasks?: "auto" | "always" | "never";
  /** Fields of each ask, such as its session, recipients or deadline. */
  readonly ask?: Omit<AskInput, "questions" | "approval" | "key">;
  /** The folder of the project that the agent works on; shown to the person. */
  readonly project?: string;
  /** Where a person can answer, for the model's text: `at https://ask.example.com`. */
  readonly where?: string;
  /**
   * Whether the client's own form (elicitation) is a surface. `no` (default); `only`: a dismissed form withdraws the ask;
   * `race`: the form and the inbox; the first answer closes the other. Asks of clients without forms go to the inbox.
   */
  readonly elicit?: "no" | "only" | "race";
  /** False if a person can answer only in the client: then an ask of a client without forms is refused. */
  readonly hasInbox?: boolean;
  /** Lets approvals be answered in the client's form or card, which the agent's process reports. */
  readonly trustClient?: boolean;
  /** The person at the client: for a hub in this process, or a token that reports for several people. */
  readonly person?: string;
  /** The text of `askline/web/card.html`, for clients that show cards (MCP Apps). Without it there are no cards. */
  readonly card?: () => string | Promise<string>;
  /**
   * Signs what travels through the client. At least 32 characters, the same for all processes that serve one agent; random
   * by default.
   */
  readonly stateSecret?: string;
  readonly version?: string;
  readonly clock?: Clock;
}

/** What a client said about itself, where the connection does not remember it. */
export interface RememberedClient {
  readonly name?: string;
  readonly session?: string;
  readonly showsForms?: boolean;
  readonly showsCards?: boolean;
}

export interface Mcp {
  /** A server for one connection or one request. All of them share what was asked and not yet delivered. */
  createServer(client?: RememberedClient): Server;
  /** Cancels a call of a session whose requests do not share a connection. Does nothing for an unknown one. */
  cancel(session: string | undefined, requestId: unknown, reason: unknown): void;
  /** Takes the response to a form of such a session. Returns whether one was shown under this id. */
  respond(session: string | undefined, response: Readonly<Record<string, unknown>>): boolean;
}

/**
 * The tools of Askline as an MCP server.
 *
 * @example
 * const mcp = createMcp({ port: hub, ask: { recipients: ["ana"] } });
 * const server = mcp.createServer();
 * console.log(server.getClientVersion()?.name);
 */
export function createMcp(options: McpOptions): Mcp {
  const { port, clock = systemClock, tasks = "auto" } = options;
  const calls: CallOptions = {
    port,
    clock,
    tasks,
    undelivered: createUndelivered(port),
    waitMs: options.waitMs,
    ask: options.ask ?? {},
    project: options.project,
    where: options.where ?? "in their Askline inbox",
    elicit: options.elicit ?? "no",
    hasInbox: options.hasInbox ?? true,
    trustClient: options.trustClient ?? false,
    person: options.person,
    hasCard: options.card !== undefined,
    states: createStates(options.stateSecret),
  };
  const shownForms: ShownForms = new Map();
  const running: RunningCalls = new Map();
  return {
    cancel(session, requestId, reason) {
      running.get(runningKey(session, requestId) ?? "")?.abort(reason);
    },
    respond: (session, response) => respondToForm(shownForms, session, response),
    createServer(remembered = {}) {
      const server = new Server(
        { name: "askline", title: "Askline", version: options.version ?? "0" },
        {
          capabilities: {
            tools: {},
            ...(options.card !== undefined && { resources: {} }),
            extensions: {
              [TASKS_EXTENSION]: {},
              ...(options.card !== undefined && { [APPS_EXTENSION]: { mimeTypes: [CARD_MIME] } }),
            },
          },
          // Nothing but an update changes them.
          cacheHints: { "tools/list": CACHED, "resources/list": CACHED, "resources/read": CACHED },
          instructions:
            "Ask the person you work for with ask_user_question, and before risky actions with ask_approval. If a result is pending, call get_answer with its ask_id.",
        },
      );
      serveTools(server, calls, remembered, running, shownForms);
      serveTasks(server, calls);
      if (options.card !== undefined) serveCard(server, options.card, remembered);
      return server;
    },
  };
}

const CACHED = { ttlMs: 60 * 60_000, cacheScope: "private" } as const;

/** The calls of sessions, by session and request id. */
type RunningCalls = Map<string, AbortController>;

function runningKey(session: string | undefined, requestId: unknown): string | undefined {
  return session === undefined ? undefined : `${session} ${JSON.stringify(requestId)}`;
}

function serveTools(
  server: Server,
  options: CallOptions,
  remembered: RememberedClient,
  running: RunningCalls,
  shownForms: ShownForms,
): void {
  server.setRequestHandler("tools/list", (_request, context) => ({
    tools: toolsFor({ ...options, showsCards: showsCards(server, context, remembered) }) as never,
  }));
  const known: readonly ToolName[] = options.hasCard ? [...TOOL_NAMES, CARD_TOOL] : TOOL_NAMES;
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const name = known.find((each) => each === params.name);
    if (name === undefined) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `there is no tool ${JSON.stringify(params.name)}; there are ${TOOL_NAMES.join(", ")}`,
      );
    }
    const { _meta: meta = {}, id, notify } = context.mcpReq;
    const cancelling = new AbortController();
    const key = runningKey(remembered.session, id);
    if (key !== undefined) running.set(key, cancelling);
    const signal = AbortSignal.any([context.mcpReq.signal, cancelling.signal]);
    const progressToken = meta.progressToken;
    let progress = 0;
    const result = await callTool(
      {
        name,
        args: params.arguments ?? {},
        client: clientName(server, context) ?? remembered.name,
        callId: shortText(meta["claudecode/toolUseId"]),
        session: remembered.session,
        path: subagentsIn(meta),
        takesTasks: takesTasks(server, context),
        form: clientForm(server, context, remembered, shownForms),
        showsCards: showsCards(server, context, remembered),
        hasProgress: progressToken !== undefined,
        signal,
        progress(message) {
          if (progressToken === undefined) return;
          progress += 1;
          const update = { progressToken, progress, message };
          void notify({ method: "notifications/progress", params: update }).catch(() => undefined);
        },
      },
      options,
    ).finally(() => {
      if (key !== undefined) running.delete(key);
    });
    if (result.resultType === "task") notifyOfEnd(server, String(result.taskId), options);
    return result as never;
  });
}

/**
 * Tells the client when a task has ended, as long as it stays connected. Over HTTP the connection ends with the request,
 * and the client polls.
 */
function notifyOfEnd(server: Server, id: string, options: CallOptions): void {
  const { port } = options;
  const closing = new AbortController();
  const before = server.onclose;
  server.onclose = () => {
    closing.abort();
    before?.();
  };
  void (async () => {
    await port.wait(id, { signal: closing.signal });
    await server.notification({
      method: "notifications/tasks",
      params: { ...taskOf(await port.get(id), options) },
    });
  })().catch(() => undefined);
}

/** The file, told that an MCP host is around it. */
function forHost(html: string): string {
  return html.replace("<body>", '<body data-host="mcp">');
}

/** The card, for hosts that show it. Others need not know of it. */
function serveCard(
  server: Server,
  card: NonNullable<McpOptions["card"]>,
  remembered: RememberedClient,
): void {
  const about = { uri: CARD_URI, name: "card", title: "Askline card", mimeType: CARD_MIME };
  const meta = { ui: { csp: {}, prefersBorder: false } };
  server.setRequestHandler("resources/list", (_request, context) => ({
    resources: showsCards(server, context, remembered) ? [{ ...about, _meta: meta }] : [],
  }));
  server.setRequestHandler("resources/read", async ({ params }) => {
    if (params.uri !== CARD_URI) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `there is no resource ${JSON.stringify(params.uri)}`,
      );
    }
    return { contents: [{ uri: CARD_URI, mimeType: CARD_MIME, text: forHost(await card()), _meta: meta }] };
  });
}

function showsCards(server: Server, { mcpReq }: ServerContext, remembered: RememberedClient): boolean {
  return remembered.showsCards ?? declaresCards(capabilitiesOf(server, mcpReq));
}

export function declaresCards(capabilities: unknown): boolean {
  const extensions = isRecord(capabilities) ? capabilities.extensions : undefined;
  return isRecord(extensions) && isRecord(extensions[APPS_EXTENSION]);
}

function capabilitiesOf(server: Server, mcpReq: ServerContext["mcpReq"]): unknown {
  return envelopeOf(mcpReq)[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
}

/** The client's name: in the envelope of each request since 2026-07-28, before that from `initialize`. */
function clientName(server: Server, { mcpReq }: ServerContext): string | undefined {
  const info = envelopeOf(mcpReq)[CLIENT_INFO_META_KEY] ?? server.getClientVersion();
  return isRecord(info) ? shortText(info.name) : undefined;
}

function takesTasks(server: Server, { mcpReq }: ServerContext): boolean {
  const capabilities = capabilitiesOf(server, mcpReq);
  const extensions = isRecord(capabilities) ? capabilities.extensions : undefined;
  return isRecord(extensions) && isRecord(extensions[TASKS_EXTENSION]);
}

function envelopeOf({ envelope = {} }: ServerContext["mcpReq"]): Readonly<Record<string, unknown>> {
  return envelope as Readonly<Record<string, unknown>>;
}

/** Subagents, where the client names them. */
function subagentsIn(meta: Readonly<Record<string, unknown>>): readonly string[] {
  const path = meta["askline/agentPath"];
  const names = Array.isArray(path) ? path : [meta["claudecode/agentType"], meta["claudecode/agentId"]];
  return names
    .map(shortText)
    .filter((name) => name !== undefined)
    .slice(0, 16);
}

function shortText(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" && value.length <= 400 ? value : undefined;
}

/** Accepts anything; the handlers read what they need. */
const ANY_PARAMS = {
  "~standard": {
    version: 1 as const,
    vendor: "askline",
    validate: (value: unknown) => ({ value: isRecord(value) ? value : {} }),
  },
};

function serveTasks(server: Server, options: CallOptions): void {
  const { port } = options;
  /** Only for clients that declare the extension in the request: others were given no task. */
  const serve = (
    method: string,
    handle: (ask: Ask) => Promise<Readonly<Record<string, unknown>>> | Readonly<Record<string, unknown>>,
  ): void =>
    server.setRequestHandler(method, { params: ANY_PARAMS }, async (params, context) => {
      if (!takesTasks(server, context)) {
        const requiredCapabilities = { extensions: { [TASKS_EXTENSION]: {} } };
        throw new MissingRequiredClientCapabilityError(
          { requiredCapabilities },
          `${method} is for clients that declare the extension ${TASKS_EXTENSION}`,
        );
      }
      const taskId = isRecord(params) ? params.taskId : undefined;
      const id = typeof taskId === "string" && /^[\w.:-]{1,128}$/.test(taskId) ? taskId : undefined;
      const ask = id === undefined ? undefined : await port.get(id).catch(noSuchTask);
      if (ask === undefined)
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, "there is no such task");
      return { ...(await handle(ask)) };
    });
  serve("tasks/get", (ask) => {
    const task = taskOf(ask, options);
    return { ...task, ...(task.status === "completed" && { result: deliver(ask, options) }) };
  });
  serve("tasks/update", ({ id }) => {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `${id} needs no input from the client: a person answers it ${options.where}`,
    );
  });
  // An empty acknowledgement, also for a task that has ended: `tasks/get` says how.
  serve("tasks/cancel", async (ask) => {
    await withdrawAsk(port, ask, "the task was cancelled");
    return {};
  });
}

function noSuchTask(error: unknown): undefined {
  if (!isRecord(error) || error.code !== "not_found") throw error;
}
