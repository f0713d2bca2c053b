// A bridge between an opencode server and a hub. The first answer wins, here or in opencode.
//
//   asked (event, or listed on connect) --posted, or found by its key--> waiting
//   waiting --outcome---------------------> replied to opencode
//           --answered in opencode--------> reported, or withdrawn as answered elsewhere
//           --its session stops-----------> withdrawn
//           --opencode has ended----------> withdrawn
//           --opencode cannot be reached--> waiting; compared with opencode's lists on the next connection
//   any     --the signal aborts-----------> left as it is: the next bridge finds it

import type { Client } from "../../client/index.js";
import { createBackoff } from "../../client/retries.js";
import { sleep } from "../../client/signals.js";
import { createSseParser } from "../../client/sse-parser.js";
import {
  type Ask,
  type AskInput,
  AsklineError,
  type Clock,
  isRecord,
  type Logger,
  systemClock,
} from "../../core/index.js";
import { jsonOf } from "../../core/kit/json.js";
import { messageOf } from "../../core/kit/tools.js";
import { folderMetadata } from "../../core/model/folder.js";
import { createHttp, hasEnded } from "./http.js";
import { askOf, type OpencodeRequest, readRequest, replyOf, reportOf } from "./requests.js";

/** What the bridge needs of a server of ours. */
export type OpencodePort = Pick<Client, "post" | "wait" | "withdraw" | "list" | "report">;

export interface OpencodeOptions {
  /** Where opencode listens, such as `http://127.0.0.1:4096`. */
  readonly url: string;
  /** The project; the folder that opencode was started in by default. */
  readonly directory?: string;
  /** The value of the Authorization header, if opencode has a password. */
  readonly authorization?: string;
  /** Fields that the host adds to each ask, such as its recipients. */
  readonly ask?: Omit<AskInput, "questions" | "approval" | "context" | "key" | "session">;
  /** Ends the bridge. Its asks stay pending. */
  readonly signal: AbortSignal;
  /** Ends the bridge because opencode has ended, and its questions with it: its asks are withdrawn. */
  readonly ended?: AbortSignal;
  /** Receives one warning per outage, and what could not be shown or answered. */
  readonly logger: Logger;
  /** Called for each connection, with the folder of the project. */
  readonly onConnected?: (directory: string) => void;
  /** Called once an ask is stored and nobody has answered yet. */
  readonly onAsk?: (ask: Ask) => void;
  /** The machine's clock by default. */
  readonly clock?: Clock;
}

interface Active {
  readonly request: OpencodeRequest;
  /** Stops the wait for our answer. */
  readonly stop: AbortController;
  ask?: Ask;
  /** Our own reply was sent: the event that follows is about it. */
  replied?: true;
}

const AGENT = "opencode";
const MOST_EVENT = 16_777_216;
const ELSEWHERE = "answered elsewhere";
const ENDED = "opencode has ended";

/**
 * Connects an opencode server to a hub until the signal aborts: its questions and permissions become asks.
 *
 * @example
 * await bridgeOpencode(client, { url: "http://127.0.0.1:4096", signal, logger: console });
 */
export async function bridgeOpencode(port: OpencodePort, options: OpencodeOptions): Promise<void> {
  const { logger, onAsk, clock = systemClock } = options;
  const ended = options.ended ?? new AbortController().signal;
  const signal = AbortSignal.any([options.signal, ended]);
  const url = options.url.replace(/\/+$/, "");
  const active = new Map<string, Active>();
  const tasks = new Set<Promise<void>>();
  /** What people wrote to a session instead of answering, to be sent when its turn has ended. */
  const prompts = new Map<string, readonly string[]>();
  const backoff = createBackoff(Math.random);
  let directory = options.directory ?? "";

  const { get, read, find, send } = createHttp({
    url,
    directory: () => directory,
    authorization: options.authorization,
    signal,
    clock,
  });
  const run = (task: Promise<void>): void => {
    const own = task
      .catch((error: unknown) => {
        if (!signal.aborted) logger.warn(`opencode: ${messageOf(error)}`);
      })
      .finally(() => tasks.delete(own));
    tasks.add(own);
  };

  const answer = async (entry: Active, ask: Ask, outcome: NonNullable<Ask["outcome"]>): Promise<void> => {
    const { request } = entry;
    const reply = replyOf(request, ask, outcome);
    if (reply === undefined) return;
    entry.replied = true;
    const { sessionID } = request;
    // Before the reply, whose turn may end at once.
    if (reply.prompt !== undefined) prompts.set(sessionID, [...(prompts.get(sessionID) ?? []), reply.prompt]);
    const response = await send(`/${request.kind}/${request.id}/${reply.path}`, reply.body);
    if (response.ok) return;
    prompts.delete(sessionID);
    const why =
      response.status === 404 ? "opencode no longer waits for it" : `opencode returned ${response.status}`;
    logger.warn(`the answer to ${ask.id} had no effect: ${why}`);
  };
  /** Sends what people wrote, once the turn is over: a prompt during it is stored, and nobody reads it. */
  const sendPrompts = async (sessionID: string): Promise<void> => {
    const text = prompts.get(sessionID)?.join("\n\n");
    prompts.delete(sessionID);
    if (text === undefined) return;
    const sent = await send(`/session/${sessionID}/prompt_async`, { parts: [{ type: "text", text }] });
    if (!sent.ok) logger.warn(`opencode returned ${sent.status} for what was written to it: ${text}`);
  };
  const handle = async (entry: Active): Promise<void> => {
    const { request, stop } = entry;
    try {
      const ask = await port.post({
        agentId: AGENT,
        ...options.ask,
        ...askOf(request),
        session: request.sessionID,
        key: request.id,
        metadata: {
          ...options.ask?.metadata,
          ...folderMetadata(directory),
          ...(directory !== "" && { cwd: directory }),
          opencode: { server: url, request: request.id },
        },
      });
      entry.ask = ask;
      if (ask.outcome === undefined) onAsk?.(ask);
      const outcome =
        ask.outcome ?? (await port.wait(ask.id, { signal: AbortSignal.any([signal, stop.signal]) }));
      if (!stop.signal.aborted) await answer(entry, ask, outcome);
    } catch (error) {
      if (stop.signal.aborted || signal.aborted) return;
      const refused = error instanceof AsklineError && error.code === "invalid_ask";
      throw refused
        ? new Error(`${request.id} cannot be shown here, answer it in opencode: ${error.message}`)
        : error;
    }
  };
  const begin = (request: OpencodeRequest | undefined): void => {
    if (request === undefined || active.has(request.id)) return;
    const entry: Active = { request, stop: new AbortController() };
    active.set(request.id, entry);
    run(handle(entry));
  };

  /** The request has ended in opencode. */
  const end = async (
    entry: Active,
    type: string,
    properties: Readonly<Record<string, unknown>>,
  ): Promise<void> => {
    active.delete(entry.request.id);
    if (entry.replied) return;
    entry.stop.abort();
    const { ask } = entry;
    if (ask === undefined || ask.outcome !== undefined) return;
    const report = reportOf(type, properties, ask);
    try {
      if (report === undefined) await port.withdraw(ask.id, "the agent stopped waiting");
      else await port.report(ask.id, report);
    } catch (error) {
      if (error instanceof AsklineError && error.code === "already_settled") return;
      // What cannot be reported as it is must not stay open.
      await port.withdraw(ask.id, ELSEWHERE);
    }
  };
  const onEvent = (event: unknown): void => {
    if (!isRecord(event) || !isRecord(event.properties)) return;
    const { type, properties } = event;
    if (type === "question.asked" || type === "permission.asked") {
      begin(readRequest(type === "question.asked" ? "question" : "permission", properties));
      return;
    }
    if (type === "session.idle") run(sendPrompts(String(properties.sessionID)));
    for (const entry of [...active.values()]) {
      const ended =
        type === "session.idle" || type === "session.deleted"
          ? properties.sessionID === entry.request.sessionID
          : /^(question|permission)\.(replied|rejected)$/.test(String(type)) &&
            properties.requestID === entry.request.id;
      if (ended || type === "server.instance.disposed") run(end(entry, String(type), properties));
    }
  };

  /** Sessions are stored: opencode knows those of its earlier processes, and none of another machine. */
  const knows = async (session: string): Promise<boolean> =>
    /^\w{1,128}$/.test(session) && (await find(`/session/${session}`));

  /** Finds what was asked before this connection, and closes what ended meanwhile. */
  const compare = async (): Promise<void> => {
    if (directory === "") {
      const path = await read("/path");
      if (isRecord(path) && typeof path.directory === "string") directory = path.directory;
    }
    const [questions, permissions, status] = await Promise.all([
      read("/question"),
      read("/permission"),
      read("/session/status"),
    ]);
    // A question stays listed after its turn was aborted; only one whose session works is waited for.
    const works = (sessionID: string): boolean => isRecord(status) && isRecord(status[sessionID]);
    for (const sessionID of prompts.keys()) if (!works(sessionID)) run(sendPrompts(sessionID));
    const listed = (kind: OpencodeRequest["kind"], items: unknown): readonly OpencodeRequest[] =>
      (Array.isArray(items) ? items : [])
        .flatMap((item) => readRequest(kind, item) ?? [])
        .filter(({ sessionID }) => works(sessionID));
    const open = new Map(
      [...listed("question", questions), ...listed("permission", permissions)].map((each) => [each.id, each]),
    );
    for (const entry of [...active.values()]) {
      if (open.has(entry.request.id)) continue;
      active.delete(entry.request.id);
      entry.stop.abort();
    }
    const dead = new Map<string, Promise<boolean>>();
    for await (const { id, key = "", session, server } of pendingOf(port, directory)) {
      if (server === url) {
        if (!open.has(key)) await port.withdraw(id, ELSEWHERE).catch(() => undefined);
        continue;
      }
      // Another opencode of this project: it runs beside this one, on another machine, or was killed with its bridge.
      const gone = dead.get(server) ?? hasEnded(server);
      dead.set(server, gone);
      if ((await gone) && (await knows(session))) await port.withdraw(id, ENDED).catch(() => undefined);
    }
    for (const request of open.values()) begin(request);
  };

  let down = false;
  while (!signal.aborted) {
    try {
      const { body } = await get("/event");
      if (body === null) throw new Error("GET /event returned nothing");
      // Events that come meanwhile wait in the stream.
      await compare();
      down = false;
      backoff.reset();
      options.onConnected?.(directory);
      const parser = createSseParser({ maxLength: MOST_EVENT });
      for await (const chunk of body) {
        for (const { data } of parser.push(chunk)) onEvent(jsonOf(data));
      }
    } catch (error) {
      if (signal.aborted) break;
      if (!down)
        logger.warn(`opencode at ${url} cannot be reached, trying again: ${messageOf(causeOf(error))}`);
      down = true;
    }
    await sleep(clock, backoff.next(), signal).catch(() => undefined);
  }
  await Promise.all(tasks);
  if (!ended.aborted) return;
  for (const { ask, replied } of active.values()) {
    if (ask === undefined || replied) continue;
    await port.withdraw(ask.id, ENDED).catch((error: unknown) => {
      if (!(error instanceof AsklineError && error.code === "already_settled")) logger.warn(messageOf(error));
    });
  }
}

interface PendingAsk extends Pick<Ask, "id" | "key" | "session"> {
  /** Where the opencode that asked listened. */
  readonly server: string;
}

/** The asks of bridges for the same project that nobody has answered. */
async function* pendingOf(port: OpencodePort, directory: string): AsyncGenerator<PendingAsk> {
  for (let after: string | undefined; ; ) {
    const page = await port.list({ status: "pending", agentId: AGENT }, after === undefined ? {} : { after });
    for (const { id, key, session, metadata } of page.asks) {
      const origin = metadata?.opencode;
      if (!isRecord(origin) || typeof origin.server !== "string" || metadata?.cwd !== directory) continue;
      yield { id, session, server: origin.server, ...(key !== undefined && { key }) };
    }
    if (page.next === undefined) return;
    after = page.next;
  }
}

/** `fetch` hides why it failed. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? error.cause : error;
}
