// A session over HTTP. Each written event is sent after the previous one was accepted, with an idempotency key, so that a
// retry after a lost response does not write it twice.

import { endingText } from "../agents/shapes/stream/answer.js";
import type { Clock } from "../core/kit/clock.js";
import { isRecord, jsonOf } from "../core/kit/json.js";
import type { DeliveredAsk } from "../core/model/ask.js";
import type { HistoryMessage } from "../core/model/history-message.js";
import type { DeliveredOutcome } from "../core/model/outcome.js";
import type {
  SessionAskOptions,
  SessionEnding,
  SessionWriter,
  ToolRule,
} from "../core/model/session-writer.js";
import type { StreamEvent } from "../core/model/stream-event.js";
import { endOrWithdraw } from "../core/rules/abort.js";
import type { Asking } from "./asking.js";
import { malformed } from "./failed-try.js";
import type { Http, Reply } from "./http.js";
import { streamMessages } from "./message-stream.js";
import { randomId } from "./random-id.js";
import { readAskBody } from "./wire.js";

export interface RemoteSessionOptions {
  readonly sessionId: string;
  /** The language of the option that is added for typed text, such as `vi`; English by default. */
  readonly locale?: string | undefined;
  /** Ids of the people who may read and answer; every person if empty or absent. */
  readonly recipients?: readonly string[] | undefined;
  readonly agentId?: string | undefined;
  /** How tool calls are shown, by tool name. */
  readonly rules?: Readonly<Record<string, ToolRule>> | undefined;
  /** In milliseconds; `null` for no timeout. The server's defaults are 600,000 and 300,000. */
  readonly timeouts?: { readonly questionMs?: number | null; readonly approvalMs?: number | null };
}

export interface FollowSessionOptions {
  /** The id of the last event that was read; `"0"`, the default, for all events. */
  readonly after?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** An event of a session's stream, and the id to resume after. */
export interface RemoteSessionEvent {
  readonly id: string;
  readonly event: StreamEvent;
}

/** The events of a session, none missed, through every outage. */
export function followRemoteSession(
  http: Http,
  clock: Clock,
  sessionId: string,
  { after = "0", signal }: FollowSessionOptions = {},
): AsyncIterable<RemoteSessionEvent> {
  let position = after;
  return streamMessages(http, clock, {
    path: sessionPath(sessionId, "stream"),
    signal,
    position: () => position,
    read({ id, data }) {
      const event = jsonOf(data);
      if (!isRecord(event) || typeof event.type !== "string") throw malformed("an event has no type");
      position = id;
      return [{ id, event: event as unknown as StreamEvent }];
    },
  });
}

/** A page of a session's history, oldest first. */
export interface RemoteHistory {
  readonly messages: readonly HistoryMessage[];
  /** The `before` of the page before this one; undefined for the first page. */
  readonly previous?: string | undefined;
  /** Where `followSession` goes on after the newest page. */
  readonly position: string;
}

/** The last messages of a session, or those before a page that was read. */
export function readRemoteHistory(
  http: Http,
  sessionId: string,
  { before = "end", limit }: { readonly before?: string; readonly limit?: number } = {},
): Promise<RemoteHistory> {
  return http.request(
    { method: "GET", path: sessionPath(sessionId, "history"), query: { before, limit } },
    ({ body, headers }) => {
      const [previous, position] = [headers.get("askline-previous"), headers.get("askline-position")];
      if (!Array.isArray(body) || position === null) throw malformed("the history cannot be read");
      const messages = body.filter(isRecord) as unknown as readonly HistoryMessage[];
      return { messages, previous: previous ?? undefined, position };
    },
  );
}

/** Sends a person's text to a session: the reply to a pending question, if there is one. */
export function sendRemoteMessage(http: Http, sessionId: string, text: string): Promise<void> {
  return http.request(
    {
      method: "POST",
      path: sessionPath(sessionId, "messages"),
      headers: { "idempotency-key": randomId("message") },
      body: JSON.stringify({ type: "message", text }),
    },
    () => undefined,
  );
}

export async function openRemoteSession(
  http: Http,
  asking: Pick<Asking, "wait" | "withdraw">,
  options: RemoteSessionOptions,
): Promise<SessionWriter> {
  const { sessionId, locale, recipients, agentId, rules = {}, timeouts = {} } = options;
  const path = sessionPath(sessionId, "events");
  let last: Promise<unknown> = Promise.resolve();

  const send = <T>(event: object, read: (reply: Reply) => T): Promise<T> => {
    const headers = { "idempotency-key": randomId("write") };
    const body = JSON.stringify(event);
    const sent = last.then(() => http.request({ method: "POST", path, headers, body }, read));
    last = sent.catch(() => undefined);
    return sent;
  };
  const writeEvent = (event: object): Promise<void> => send(event, () => undefined);

  const askAndWait = async (
    event: object,
    { signal, onAsked, ...request }: SessionAskOptions,
  ): Promise<SessionEnding> => {
    // Always with a key: without one, a retry after a lost response would ask twice.
    const key = request.key ?? randomId("key");
    const { ask, approvalKey } = await send({ ...event, ...request, key }, readPosted);
    onAsked?.({ askId: ask.id, approvalKey });
    const { id } = ask;
    const ending = (): Promise<DeliveredOutcome> => asking.wait(id, { signal });
    const outcome = ask.outcome ?? (await endOrWithdraw(signal, ask, ending(), () => asking.withdraw(id)));
    return { askId: id, approvalKey, outcome, text: endingText(ask, outcome) };
  };

  await writeEvent({ type: "open", locale, recipients, agentId });
  return {
    sessionId,
    user: (text) => writeEvent({ type: "user", text }),
    thinking: (text) => writeEvent({ type: "thinking", text }),
    text: (text, { final = false } = {}) => writeEvent({ type: "text", text, final }),
    toolUse: (use) =>
      writeEvent({
        type: "tool_use",
        rule: Object.hasOwn(rules, use.name) ? rules[use.name] : undefined,
        ...use,
      }),
    toolResult: (result) => writeEvent({ type: "tool_result", ...result }),
    summary: (text) => writeEvent({ type: "summary", text }),
    ask: (questions, options = {}) =>
      askAndWait({ type: "ask", questions, timeoutMs: timeouts.questionMs }, options),
    approve: (actions, options = {}) =>
      askAndWait({ type: "approve", actions, timeoutMs: timeouts.approvalMs }, options),
  };
}

function sessionPath(sessionId: string, part: string): string {
  return `/v1/sessions/${encodeURIComponent(sessionId)}/${part}`;
}

function readPosted({ body }: Reply): { readonly ask: DeliveredAsk; readonly approvalKey: string } {
  const ask = readAskBody(body);
  const approvalKey = isRecord(body) ? body.approvalKey : undefined;
  if (typeof approvalKey !== "string") throw malformed("the body has no approvalKey");
  return { ask, approvalKey };
}
