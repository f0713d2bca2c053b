// A session over HTTP: its agent writes, its persons read and answer.

import { type FollowedEvent, startOf } from "../../agents/sessions/follow.js";
import { readHistory } from "../../agents/sessions/history.js";
import { sessionWriter } from "../../agents/sessions/open-session.js";
import { followOpened, openedStart } from "../../agents/sessions/opened-sessions.js";
import { findHead, sessionNotFound } from "../../agents/sessions/read-transcript.js";
import { requireSessionEvent } from "../../agents/sessions/session-event.js";
import { openWithMessage, takeMessage } from "../../agents/sessions/take-message.js";
import type { SessionHead } from "../../agents/sessions/transcript.js";
import { defined } from "../../core/kit/tools.js";
import { AsklineError } from "../../core/model/error.js";
import { askerIdentity, askerOf } from "../../core/model/visibility.js";
import type { Principal } from "../access/principal.js";
import {
  EVENTS_AFTER,
  HISTORY_BEFORE,
  IDEMPOTENCY_KEY,
  LAST_EVENT,
  LIMIT,
  PAGE_AFTER,
  SESSION_AFTER,
  SESSION_LAST_EVENT,
  SESSION_SURFACE,
  SURFACE_HEADER,
  TICKET,
} from "../http/parameters.js";
import { readJson, readKnown } from "../http/read-body.js";
import { EVENT_STREAM_HEADERS, json, noContent, type Reply } from "../http/reply.js";
import type { Operation } from "../openapi/operation.js";
import type { Call, Route, Services } from "../routing/call.js";
import { authorized } from "../routing/identify.js";
import { attemptId, readPosition, surfaceOf } from "../routing/read-query.js";
import { maySeeSession, requireVisibleSession, sessionIdIn } from "../sessions/find-session.js";
import { type SessionStreamRequest, type StreamFrame, sessionFrames } from "../sessions/session-streams.js";

const FOLLOW: Operation = {
  id: "followSession",
  summary: "Follow a session as server-sent events or over a WebSocket",
  description:
    "With an upgrade, this is a WebSocket: each frame is an event, with its id next to its own fields, and a person sends frames with the same body as POST messages. An invalid frame is answered with { type: error, error }. Without an upgrade, events are server-sent, without event names.",
  parameters: [SESSION_AFTER, SESSION_LAST_EVENT, SESSION_SURFACE, SURFACE_HEADER, TICKET],
  responses: {
    101: { description: "A WebSocket." },
    200: { description: "An event stream.", type: "text/event-stream", items: "SessionEvent" },
  },
  errors: ["not_found", "position_trimmed"],
};

const HISTORY: Operation = {
  id: "readHistory",
  summary: "Get the messages of a session",
  parameters: [PAGE_AFTER, HISTORY_BEFORE, LIMIT],
  responses: {
    200: {
      description: "A page, oldest first.",
      schema: "History",
      headers: {
        "Askline-Position": "The position to follow the stream from after reading the whole history.",
        "Askline-Next": "The `after` of the next page; absent on the last page, and with `before`.",
        "Askline-Previous":
          "With `before`: the `before` of the page before this one; absent on the first page.",
      },
    },
  },
  errors: ["not_found"],
};

const MESSAGE: Operation = {
  id: "sendMessage",
  summary: "Send a message to a session: an answer or a text",
  description:
    "A text sent while a question is pending is a reply to that question. If the server lets people open sessions, a text to a session that does not exist opens it, for its sender and the agent that it names.",
  parameters: [SURFACE_HEADER, IDEMPOTENCY_KEY],
  body: { schema: "SessionMessageInput" },
  responses: {
    200: { description: "The ask that the message settled.", schema: "AskResponse" },
    204: { description: "Saved." },
  },
  errors: ["not_found", "already_settled", "invalid_answer", "wrong_kind", "unsupported"],
};

const OPENED: Operation = {
  id: "followOpenedSessions",
  summary: "Follow the sessions that people open for this agent, as server-sent events",
  description:
    "For servers that let people open sessions. Each event has its position as id and the name session.opened; the stream resumes from Last-Event-ID or after without missing events. Read the person's message from the session itself, with after=0.",
  parameters: [EVENTS_AFTER, LAST_EVENT, TICKET],
  responses: { 200: { description: "An event stream.", type: "text/event-stream", items: "OpenedSession" } },
  errors: ["position_trimmed"],
};

const WRITE: Operation = {
  id: "writeSession",
  summary: "Write an event to a session",
  parameters: [IDEMPOTENCY_KEY],
  body: { schema: "SessionEventInput" },
  responses: {
    201: { description: "The new request.", schema: "SessionRequestResponse" },
    200: { description: "The existing request with the same key.", schema: "SessionRequestResponse" },
    204: { description: "Saved." },
  },
  errors: ["not_found", "invalid_ask", "key_conflict", "quota_exceeded", "unsupported"],
};

export const sessionRoutes: readonly Route[] = [
  {
    path: "/v1/sessions/opened",
    methods: {
      GET: authorized({ roles: ["agent"], admin: false, tickets: true, sessions: true }, OPENED, opened),
    },
  },
  {
    path: "/v1/sessions/{id}/stream",
    methods: {
      GET: authorized({ roles: ["agent", "person"], tickets: true, sessions: true }, FOLLOW, follow),
    },
  },
  {
    path: "/v1/sessions/{id}/history",
    methods: { GET: authorized({ roles: ["agent", "person"], sessions: true }, HISTORY, history) },
  },
  {
    path: "/v1/sessions/{id}/messages",
    methods: { POST: authorized({ roles: ["person"], sessions: true }, MESSAGE, message) },
  },
  {
    path: "/v1/sessions/{id}/events",
    methods: { POST: authorized({ roles: ["agent"], sessions: true }, WRITE, write) },
  },
];

async function history(call: Call, principal: Principal): Promise<Reply> {
  const { hub } = call.services;
  const { sessionId } = await requireVisibleSession(hub, principal, sessionIdIn(call.url));
  const after = PAGE_AFTER.read(call.url.searchParams);
  const before = HISTORY_BEFORE.read(call.url.searchParams);
  const limit = LIMIT.read(call.url.searchParams);
  const page = await readHistory(hub, sessionId, {
    ...defined({ after, before, limit }),
    onRead: (bytes) => void call.services.rateLimits.read(principal, bytes),
  });
  // The body is the document's list of messages; where to go on from stands beside it.
  return json(200, page.messages, {
    "askline-position": page.position,
    ...(page.next !== undefined && { "askline-next": page.next }),
    ...(page.previous !== undefined && { "askline-previous": page.previous }),
  });
}

const MESSAGE_FIELDS = ["type", "text", "agent", "session_id", "approval_key", "answers", "decisions"];

async function message(call: Call, principal: Principal): Promise<Reply> {
  const { hub } = call.services;
  const sessionId = sessionIdIn(call.url);
  const body = await readKnown(call, MESSAGE_FIELDS);
  const head = (await findHead(hub, sessionId)) ?? (await openFor(call, principal, sessionId, body));
  if (!maySeeSession(principal, head)) throw sessionNotFound(sessionId);
  const settlementId = attemptOf(call, "settlement", principal, sessionId);
  const taken = await takeMessage(hub, sessionId, body, {
    by: { kind: "person", id: principal.name, surface: surfaceOf(call, principal) },
    ...(settlementId !== undefined && { settlementId }),
  });
  return taken.ask === undefined ? noContent() : json(200, { ask: taken.ask });
}

/** Opens a session with a person's first message, if this server lets people do that. */
async function openFor(
  { services }: Call,
  principal: Principal,
  sessionId: string,
  body: unknown,
): Promise<SessionHead> {
  const { role, name, sessions } = principal;
  if (services.openSessions !== "people" || role !== "person") {
    throw new AsklineError(
      "not_found",
      `there is no session ${sessionId}; its agent has to open it first: people can open sessions only if the server was started with --open-sessions people`,
    );
  }
  if (sessions?.includes(sessionId) === false) throw sessionNotFound(sessionId);
  return openWithMessage(services.hub, sessionId, body, {
    person: name,
    isAgent: (agent) => isAgent(services, principal, agent, sessionId),
  });
}

/** About what is read for each token. */
const TOKEN_BYTES = 256;

/** Whether an agent of this name could take the session; the person's own, if there is one. Only a host knows its own. */
async function isAgent(
  { hub, auth, identifyCaller, rateLimits }: Services,
  principal: Principal,
  agent: string,
  sessionId: string,
): Promise<boolean | { readonly owner?: string }> {
  if (identifyCaller !== undefined) return true;
  const tokens = await auth.listTokens();
  rateLimits.read(principal, tokens.length * TOKEN_BYTES);
  const own = principal.name;
  const found = tokens.filter(
    ({ role, name, sessions, expiresAt }) =>
      role === "agent" &&
      name === agent &&
      sessions?.includes(sessionId) !== false &&
      (expiresAt === undefined || expiresAt > hub.now()),
  );
  return found.some(({ owner }) => owner === own) ? { owner: own } : found.length > 0;
}

/** The sessions that people opened for this agent. */
async function opened(call: Call, principal: Principal): Promise<Reply> {
  const { hub } = call.services;
  const { name, role, sessions } = principal;
  if (role !== "agent") {
    throw new AsklineError("forbidden", "people open sessions for an agent; connect with that agent's token");
  }
  const given = readPosition(call.url.searchParams, call.request.headers);
  const after = await openedStart(hub, name, given);
  async function* frames(signal: AbortSignal): AsyncGenerator<StreamFrame, void, void> {
    for await (const { position, sessionId, owner, ...event } of followOpened(hub, name, { after, signal })) {
      if (sessions?.includes(sessionId) === false) continue;
      if (owner !== undefined && owner !== principal.owner) continue;
      const data = JSON.stringify({ type: "session.opened", session: sessionId, ...event });
      yield { id: String(position), text: `id: ${position}\nevent: session.opened\ndata: ${data}\n\n` };
    }
  }
  return streamed(call, principal, { surface: "api", after: String(after), frames });
}

async function write(call: Call, principal: Principal): Promise<Reply> {
  const { hub } = call.services;
  const sessionId = sessionIdIn(call.url);
  const { sessions } = principal;
  if (sessions !== undefined && !sessions.includes(sessionId)) {
    throw new AsklineError("forbidden", "this token may not write this session");
  }
  const event = requireSessionEvent(await readJson(call));
  // The first event of a session may say what holds for all of it.
  const { type: _, ...opening } = event.type === "open" ? event : { type: event.type };
  // Any other event does not say who may see the session: it must not reopen a removed one for everybody.
  const reopen = event.type === "open";
  const session = sessionWriter({ ...opening, hub, sessionId, ...askerOf(principal), reopen });
  const once = attemptOf(call, "write", principal, sessionId);
  const posted = await session.write(event, once === undefined ? {} : { once });
  if (posted === undefined) return noContent();
  const { ask, approvalKey, created } = posted;
  return json(created ? 201 : 200, { ask, approvalKey });
}

async function follow(call: Call, principal: Principal): Promise<Reply> {
  const { request, url, services } = call;
  const { hub } = services;
  const { sessionId } = await requireVisibleSession(hub, principal, sessionIdIn(call.url));
  const surface = surfaceOf(call, principal);
  const after = SESSION_LAST_EVENT.read(request.headers) ?? SESSION_AFTER.read(url.searchParams);
  const { position } = await startOf(hub, sessionId, after);
  const from = after ?? String(position);
  const frames = (signal: AbortSignal): AsyncIterable<StreamFrame> =>
    sessionFrames(hub, principal, sessionId, { after: from, frame, signal });
  return streamed(call, principal, { surface, after: from, frames });
}

/** The frames as server-sent events. */
function streamed(
  { request, address, services }: Call,
  principal: Principal,
  reading: Pick<SessionStreamRequest, "surface" | "after" | "frames">,
): Reply {
  if (request.method === "HEAD") return { status: 200, headers: EVENT_STREAM_HEADERS, body: "" };
  const leave = services.rateLimits.stream(principal, address);
  return {
    status: 200,
    headers: EVENT_STREAM_HEADERS,
    start(sink) {
      sink.write("retry: 1000\n\n");
      const beat = (): void => sink.write(":\n\n");
      services.sessionStreams.start({ ...reading, principal, sink, leave, beat, kind: "session_events" });
    },
  };
}

/** Without a name: every event comes to a browser's `onmessage`, as the type is in the data. */
function frame({ id, event }: FollowedEvent): string {
  return `id: ${id}\ndata: ${JSON.stringify(event)}\n\n`;
}

function attemptOf(call: Call, prefix: string, principal: Principal, sessionId: string): string | undefined {
  return attemptId(call, prefix, [principal.role, askerIdentity(askerOf(principal)), sessionId]);
}
