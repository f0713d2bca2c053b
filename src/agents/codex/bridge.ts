// A bridge between an app-server of Codex and a hub. Codex sends each request to every client of a thread, and the first
// response wins: the one from here, or the one from Codex's own interface.
//
//   asked, or sent again on connect --posted, or found by its key--> waiting
//   waiting --outcome------------------------> the response; what a person wrote goes to the turn as a message
//           --nobody decided (expired)-------> nothing is sent; Codex's own dialog stays open
//           --resolved elsewhere-------------> withdrawn
//           --the turn ended-----------------> withdrawn
//           --the connection is lost---------> left as it is; Codex sends the request again on the next connection
//   any     --the signal aborts--------------> left as it is: the next bridge finds it

import type { Client } from "../../client/connect.js";
import { type Clock, systemClock } from "../../core/kit/clock.js";
import { isRecord, jsonOf } from "../../core/kit/json.js";
import type { Logger } from "../../core/kit/logger.js";
import { keepNewest, messageOf } from "../../core/kit/tools.js";
import type { Ask, AskInput } from "../../core/model/ask.js";
import type { Outcome } from "../../core/model/outcome.js";
import { createTasks, notShowable, stayConnected } from "../relay/bridge.js";
import { createRelay, leftovers, type Prompt } from "../relay/relay.js";
import { type CodexConnection, createCalls } from "./connection.js";
import { createEffects, itemName } from "./effects.js";
import { askedBy, type CodexReply, type CodexRequest, identityOf, readRequest } from "./requests.js";

type Fields = Readonly<Record<string, unknown>>;

/** What the bridge needs of a server of ours. */
export type CodexPort = Pick<Client, "post" | "wait" | "withdraw" | "list">;

export interface CodexOptions {
  /** Connects to the app-server; called again after each outage. */
  readonly open: (signal: AbortSignal) => Promise<CodexConnection>;
  /** Names the app-server, such as its address: asks of an earlier bridge to it are found by this. */
  readonly server: string;
  /** Fields that the host adds to each ask, such as its recipients. */
  readonly ask?: Omit<AskInput, "questions" | "approval" | "context" | "key" | "session">;
  /** The version of the host, for Codex's log. */
  readonly version?: string;
  /** Ends the bridge. Its asks stay pending. */
  readonly signal: AbortSignal;
  /** Receives one warning per outage, and what could not be shown or answered. */
  readonly logger: Logger;
  /** Called for each connection, with the version of Codex. */
  readonly onConnected?: (codex: string) => void;
  readonly onDisconnected?: () => void;
  /** The machine's clock by default. */
  readonly clock?: Clock;
  /** Called once an ask is stored and nobody has answered yet. */
  readonly onAsk?: (ask: Ask) => void;
}

const AGENT = "codex";
const ELSEWHERE = "answered in Codex, or no longer asked";
const INTERRUPTED = "the turn ended in Codex";
/** Parts of a thread that are remembered until somebody is asked about them. */
const REMEMBERED = 1_000;
/** Sent for every word of the model and every byte of a command; nobody reads them here. */
const NOT_WANTED = [
  ...["item/agentMessage/delta", "item/plan/delta", "item/reasoning/textDelta"],
  ...["item/reasoning/summaryTextDelta", "item/commandExecution/outputDelta", "item/fileChange/outputDelta"],
  ...["command/exec/outputDelta", "process/outputDelta", "turn/diff/updated"],
];

/**
 * Connects an app-server of Codex to a hub until the signal aborts: its approvals and questions become asks.
 *
 * @example
 * async function follow(open: CodexOptions["open"]): Promise<void> {
 *   await bridgeCodex(client, { open, server: "ws://127.0.0.1:4500", signal, logger: console });
 * }
 */
export async function bridgeCodex(port: CodexPort, options: CodexOptions): Promise<void> {
  const { signal, clock = systemClock } = options;
  await stayConnected("Codex", { ...options, clock }, async (onReady) => {
    const connection = await options.open(signal);
    try {
      await serve(connection, port, options, onReady);
    } finally {
      connection.close();
    }
    if (!signal.aborted) throw new Error("it closed the connection");
  });
}

interface Active {
  readonly request: CodexRequest;
  /** Once it is asked here. */
  prompt?: Prompt<Answer>;
  /** We replied; the next `resolved` event is ours. */
  replied?: true;
  /** Why Codex no longer waits for it. */
  over?: string;
}

interface Answer extends CodexReply {
  readonly ask: string;
  readonly kind: Outcome["kind"];
}

/** Serves one connection until it ends. */
async function serve(
  connection: CodexConnection,
  port: CodexPort,
  options: CodexOptions,
  onReady: () => void,
): Promise<void> {
  const { logger, clock = systemClock } = options;
  const closed = new AbortController();
  const ending = AbortSignal.any([options.signal, closed.signal]);
  const active = new Map<string | number, Active>();
  /** Folders of the threads that this connection follows, known once Codex has said what they did before. */
  const threads = new Map<string, Promise<string | undefined>>();
  /** Items by thread and id: what a change of files would change. */
  const items = new Map<string, Fields>();
  /** Asks of an earlier bridge, whose requests Codex may send again. */
  const earlier = new Map<string, Ask[]>();
  const tasks = createTasks("Codex", { signal: ending, logger });
  const { run } = tasks;
  const { call, send, take } = createCalls(connection, ending, clock);
  const effects = createEffects();

  const relay = createRelay(port, {
    ask: options.ask,
    onAsk(ask) {
      // What is found again is not left over.
      const left = earlier.get(ask.session)?.filter(({ id }) => id !== ask.id);
      if (left !== undefined) earlier.set(ask.session, left);
      options.onAsk?.(ask);
    },
  });

  const answer = async (request: CodexRequest, { result, message }: Answer): Promise<void> => {
    const { threadId, turnId: expectedTurnId } = request;
    if (message !== undefined) {
      // First, so that the model reads both at once.
      const input = [{ type: "text", text: message, text_elements: [] }];
      await call("turn/steer", { threadId, expectedTurnId, input }).catch((error: unknown) =>
        logger.warn(`what was written to Codex could not be sent (${messageOf(error)}): ${message}`),
      );
    }
    send({ id: request.id, result });
  };
  const handle = async (entry: Active): Promise<void> => {
    const { request } = entry;
    const { method, threadId } = request;
    const folder = await threads.get(threadId);
    const asked = askedBy(request, items.get(itemName(threadId, request.params.itemId)));
    if (asked === undefined) {
      logger.warn(`Codex asks what cannot be shown here, answer it in Codex: ${method}`);
      return;
    }
    if (entry.over !== undefined) return;
    entry.prompt = {
      identity: identityOf(request),
      origin: { agent: AGENT, session: threadId, folder },
      content: asked.content,
      facts: { codex: { server: options.server, method } },
      async reply(ask, outcome) {
        const given = await asked.reply(ask, outcome);
        if (given === undefined || "again" in given) return given;
        return { reply: { ...given.reply, ask: ask.id, kind: outcome.kind } };
      },
    };
    const reply = await relay.ask(entry.prompt, ending);
    if (reply === undefined) return;
    if (entry.over !== undefined) {
      const what = `what was ${reply.kind} in ${reply.ask} had no effect`;
      logger.warn(`${what}: it came too late for Codex (${entry.over})`);
      return;
    }
    entry.replied = true;
    effects.sent(request, reply.ask, reply.result);
    await answer(request, reply);
  };
  const begin = (request: CodexRequest): void => {
    if (active.has(request.id)) return;
    effects.asked(request);
    const entry: Active = { request };
    active.set(request.id, entry);
    run(
      handle(entry).catch((error: unknown) => {
        if (entry.over !== undefined || ending.aborted) return;
        throw notShowable(error, "a question", "Codex");
      }),
    );
  };
  /** Codex no longer waits for it. */
  const end = (entry: Active, reason: string): void => {
    active.delete(entry.request.id);
    if (entry.replied) return;
    entry.over = reason;
    if (entry.prompt !== undefined) run(relay.endedThere(entry.prompt, reason));
  };
  const withdrawEarlier = (threadId: string): void => {
    const asks = earlier.get(threadId) ?? [];
    earlier.delete(threadId);
    for (const ask of asks) run(relay.endedThere(ask, ELSEWHERE));
  };

  /** Follows a thread: Codex then sends what it waits for. One without a turn cannot be followed yet. */
  const follow = async (threadId: string): Promise<void> => {
    if (threads.has(threadId)) return;
    const resuming = resume(threadId);
    threads.set(
      threadId,
      resuming.catch(() => undefined),
    );
    try {
      await resuming;
    } catch (error) {
      threads.delete(threadId);
      if (!/no rollout|not found|not loaded/i.test(messageOf(error))) throw error;
    }
  };
  const resume = async (threadId: string): Promise<string | undefined> => {
    const newest = { limit: 1, sortDirection: "desc", itemsView: "full" };
    const page = { threadId, excludeTurns: true, initialTurnsPage: newest };
    const { thread, cwd, initialTurnsPage } = await call("thread/resume", page);
    const turns = isRecord(initialTurnsPage) ? initialTurnsPage.data : undefined;
    for (const turn of Array.isArray(turns) ? turns.filter(isRecord) : []) {
      for (const item of Array.isArray(turn.items) ? turn.items : []) remember(threadId, item);
    }
    if (isRecord(thread) && !isWaiting(thread.status)) withdrawEarlier(threadId);
    return typeof cwd === "string" && cwd !== "" ? cwd : undefined;
  };
  const remember = (threadId: string, item: unknown): void => {
    // Others are asked about with everything that they say.
    if (!isRecord(item) || item.type !== "fileChange") return;
    items.set(itemName(threadId, item.id), item);
    keepNewest(items, REMEMBERED);
  };
  const onNotification = (method: string, params: Fields): void => {
    const threadId = String(params.threadId ?? "");
    switch (method) {
      case "thread/status/changed":
        if (isRecord(params.status) && params.status.type === "active") run(follow(threadId));
        if (!isWaiting(params.status)) withdrawEarlier(threadId);
        return;
      case "thread/closed":
        threads.delete(threadId);
        for (const entry of [...active.values()]) {
          if (entry.request.threadId === threadId) end(entry, INTERRUPTED);
        }
        return;
      case "item/started":
        remember(threadId, params.item);
        return;
      case "item/fileChange/patchUpdated": {
        const name = itemName(threadId, params.itemId);
        if (Array.isArray(params.changes)) items.set(name, { ...items.get(name), changes: params.changes });
        return;
      }
      case "item/completed": {
        const warning = effects.ended(threadId, params.item);
        if (warning !== undefined) logger.warn(warning);
        if (isRecord(params.item)) items.delete(itemName(threadId, params.item.id));
        return;
      }
      case "serverRequest/resolved": {
        const entry = active.get(params.requestId as string | number);
        if (entry?.request.threadId === threadId) end(entry, ELSEWHERE);
        return;
      }
      case "turn/completed": {
        const turnId = isRecord(params.turn) ? params.turn.id : undefined;
        for (const entry of [...active.values()]) {
          const { request } = entry;
          if (request.threadId === threadId && request.turnId === turnId) end(entry, INTERRUPTED);
        }
        return;
      }
    }
  };
  const onMessage = (message: unknown): void => {
    if (!isRecord(message)) return;
    if (typeof message.method !== "string") take(message);
    else if (message.id === undefined) {
      onNotification(message.method, isRecord(message.params) ? message.params : {});
    } else {
      // Anything else is for Codex's other clients.
      const request = readRequest(message);
      if (request !== undefined) begin(request);
    }
  };

  const start = async (): Promise<void> => {
    const { userAgent } = await call("initialize", {
      clientInfo: { name: "askline", title: "Askline", version: options.version ?? "0" },
      capabilities: {
        ...{ experimentalApi: true, requestAttestation: false, optOutNotificationMethods: NOT_WANTED },
      },
    });
    send({ method: "initialized" });
    for await (const ask of leftovers(port, { agentId: AGENT })) {
      const { codex } = ask.metadata ?? {};
      if (!isRecord(codex) || codex.server !== options.server) continue;
      earlier.set(ask.session, [...(earlier.get(ask.session) ?? []), ask]);
    }
    const { data } = await call("thread/loaded/list", {});
    const loaded = (Array.isArray(data) ? data : []).filter((id) => typeof id === "string");
    for (const threadId of earlier.keys()) if (!loaded.includes(threadId)) withdrawEarlier(threadId);
    await Promise.all(loaded.map(follow));
    onReady();
    const [, codex = "unknown"] = /\/(\S+)/.exec(String(userAgent)) ?? [];
    options.onConnected?.(codex);
  };

  const stop = (): void => connection.close();
  options.signal.addEventListener("abort", stop, { once: true });
  let failure: unknown;
  run(
    start().catch((error: unknown) => {
      failure = error;
      connection.close();
    }),
  );
  try {
    for await (const text of connection.messages) onMessage(jsonOf(text));
  } finally {
    closed.abort();
    options.signal.removeEventListener("abort", stop);
    options.onDisconnected?.();
    await tasks.done();
  }
  if (failure !== undefined) throw failure;
}

/** Codex says of a thread whether it waits for a person, whatever the request is. */
function isWaiting(status: unknown): boolean {
  const flags = isRecord(status) && Array.isArray(status.activeFlags) ? status.activeFlags : [];
  return flags.length > 0;
}
