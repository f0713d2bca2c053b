// A bridge between an opencode server and a hub. The first answer wins, here or in opencode.
//
//   asked (event, or listed on connect) --posted, or found by its key--> waiting
//   waiting --outcome---------------------> replied to opencode
//           --answered in opencode--------> reported, or withdrawn as answered elsewhere
//           --its session stops-----------> withdrawn
//           --opencode has ended----------> withdrawn
//           --opencode cannot be reached--> waiting; compared with opencode's lists on the next connection
//   any     --the signal aborts-----------> left as it is: the next bridge finds it

import type { Client } from "../../client/connect.js";
import { createSseParser } from "../../client/sse-parser.js";
import { type Clock, systemClock } from "../../core/kit/clock.js";
import { isRecord, jsonOf } from "../../core/kit/json.js";
import type { Logger } from "../../core/kit/logger.js";
import { messageOf } from "../../core/kit/tools.js";
import type { Ask, AskInput } from "../../core/model/ask.js";
import type { Ending } from "../../core/model/ending.js";
import { createTasks, notShowable, stayConnected } from "../relay/bridge.js";
import { ELSEWHERE, isFromThere } from "../relay/port.js";
import { createRelay, leftovers, type Prompt } from "../relay/relay.js";
import { createHttp, hasEnded } from "./http.js";
import { askOf, endingOf, type OpencodeRequest, type Reply, readRequest, replyOf } from "./requests.js";

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
  readonly prompt: Prompt<Answer>;
  /** Our own reply was sent: the event that follows is about it. */
  replied?: true;
  /** It has ended in opencode. */
  over?: true;
}

interface Answer extends Reply {
  readonly ask: string;
}

const AGENT = "opencode";
const MOST_EVENT = 16_777_216;
const STOPPED = "the agent stopped waiting";
const ENDED = "opencode has ended";

/**
 * Connects an opencode server to a hub until the signal aborts: its questions and permissions become asks.
 *
 * @example
 * await bridgeOpencode(client, { url: "http://127.0.0.1:4096", signal, logger: console });
 */
export async function bridgeOpencode(port: OpencodePort, options: OpencodeOptions): Promise<void> {
  const { logger, clock = systemClock } = options;
  const ended = options.ended ?? new AbortController().signal;
  const signal = AbortSignal.any([options.signal, ended]);
  const url = options.url.replace(/\/+$/, "");
  const active = new Map<string, Active>();
  const tasks = createTasks(AGENT, { signal, logger });
  const { run } = tasks;
  /** What people wrote to a session instead of answering, to be sent when its turn has ended. */
  const prompts = new Map<string, readonly string[]>();
  let directory = options.directory ?? "";

  const { get, read, find, send } = createHttp({
    url,
    directory: () => directory,
    authorization: options.authorization,
    signal,
    clock,
  });

  const relay = createRelay(port, { ...options, there: { surface: AGENT, via: AGENT } });

  const answer = async ({ kind, id, sessionID }: OpencodeRequest, reply: Answer): Promise<void> => {
    // Before the reply, whose turn may end at once.
    if (reply.prompt !== undefined) prompts.set(sessionID, [...(prompts.get(sessionID) ?? []), reply.prompt]);
    const response = await send(`/${kind}/${id}/${reply.path}`, reply.body);
    if (response.ok) return;
    prompts.delete(sessionID);
    const why =
      response.status === 404 ? "opencode no longer waits for it" : `opencode returned ${response.status}`;
    logger.warn(`the answer to ${reply.ask} had no effect: ${why}`);
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
    const { request, prompt } = entry;
    try {
      const reply = await relay.ask(prompt, signal);
      if (reply === undefined) return;
      if (entry.over)
        logger.warn(`the answer to ${reply.ask} had no effect: opencode no longer waits for it`);
      else {
        entry.replied = true;
        await answer(request, reply);
      }
    } catch (error) {
      if (entry.over || signal.aborted) return;
      throw notShowable(error, request.id, AGENT);
    }
  };
  const begin = (request: OpencodeRequest | undefined): void => {
    if (request === undefined || active.has(request.id)) return;
    const prompt: Prompt<Answer> = {
      identity: [request.id],
      origin: { agent: AGENT, session: request.sessionID, folder: directory },
      content: askOf(request),
      facts: { opencode: { server: url, request: request.id } },
      reply(ask, outcome) {
        const reply = isFromThere(outcome) ? undefined : replyOf(request, ask, outcome);
        return reply && { reply: { ...reply, ask: ask.id } };
      },
    };
    const entry: Active = { request, prompt };
    active.set(request.id, entry);
    run(handle(entry));
  };

  /** The request has ended in opencode. */
  const end = (entry: Active, reason: string, ending?: (ask: Ask) => Ending | undefined): void => {
    active.delete(entry.request.id);
    if (entry.replied) return;
    entry.over = true;
    run(relay.endedThere(entry.prompt, reason, ending));
  };
  const onEvent = (event: unknown): void => {
    if (!isRecord(event) || !isRecord(event.properties)) return;
    const { type, properties } = event;
    if (type === "question.asked" || type === "permission.asked") {
      begin(readRequest(type === "question.asked" ? "question" : "permission", properties));
      return;
    }
    if (type === "session.idle") run(sendPrompts(String(properties.sessionID)));
    const isOver = type === "session.idle" || type === "session.deleted";
    const isAnswered = /^(question|permission)\.(replied|rejected)$/.test(String(type));
    for (const entry of [...active.values()]) {
      const { id, sessionID } = entry.request;
      if (isAnswered && properties.requestID === id)
        end(entry, ELSEWHERE, (ask) => endingOf(String(type), properties, ask));
      else if (type === "server.instance.disposed" || (isOver && properties.sessionID === sessionID))
        end(entry, STOPPED);
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
    for (const entry of active.values()) if (!open.has(entry.request.id)) end(entry, ELSEWHERE);
    const dead = new Map<string, Promise<boolean>>();
    for await (const ask of leftovers(port, { agentId: AGENT })) {
      const { opencode, project, cwd } = ask.metadata ?? {};
      if (!isRecord(opencode) || ![project, cwd].includes(directory)) continue;
      const server = String(opencode.server);
      if (server === url) {
        if (!open.has(String(opencode.request))) run(relay.endedThere(ask, ELSEWHERE));
        continue;
      }
      // Another opencode of this project: it runs beside this one, on another machine, or was killed with its bridge.
      const gone = dead.get(server) ?? hasEnded(server);
      dead.set(server, gone);
      if ((await gone) && (await knows(ask.session))) run(relay.endedThere(ask, ENDED));
    }
    for (const request of open.values()) begin(request);
  };

  let withdrawn: Promise<void> | undefined;
  const onEnd = (): void => {
    withdrawn = relay.over(ENDED).catch((error: unknown) => logger.warn(messageOf(error)));
  };
  ended.addEventListener("abort", onEnd, { once: true });
  await stayConnected(`opencode at ${url}`, { signal, logger, clock }, async (onReady) => {
    const { body } = await get("/event");
    if (body === null) throw new Error("GET /event returned nothing");
    // Events that come meanwhile wait in the stream.
    await compare();
    onReady();
    options.onConnected?.(directory);
    const parser = createSseParser({ maxLength: MOST_EVENT });
    for await (const chunk of body) {
      for (const { data } of parser.push(chunk)) onEvent(jsonOf(data));
    }
  });
  await tasks.done();
  ended.removeEventListener("abort", onEnd);
  await withdrawn;
}
