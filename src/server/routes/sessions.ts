// A session over HTTP: its agent writes it, its persons read and answer.

import { createHash } from "node:crypto";
import { AsklineError } from "../../core/index.js";
import { defined } from "../../core/kit.js";
import {
  type FollowedEvent,
  readHistory,
  requireSessionEvent,
  sessionWriter,
  startOf,
  takeMessage,
} from "../../sessions/index.js";
import type { Principal } from "../auth/principal.js";
import type { Call, Route } from "../call.js";
import { authorized } from "../identify.js";
import { IDEMPOTENCY_KEY, LIMIT, PAGE_AFTER, SESSION_AFTER, SESSION_LAST_EVENT } from "../parameters.js";
import { readJson } from "../read-body.js";
import { json, noContent, type Reply } from "../reply.js";
import type { RequestHeaders } from "../request.js";
import { sessionIdIn } from "../sessions/path-session.js";
import { requireVisibleSession } from "../sessions/visible-session.js";
import { EVENT_STREAM_HEADERS } from "./events.js";
import { FOLLOW, HISTORY, MESSAGE, WRITE } from "./session-operations.js";
import { surfaceOf } from "./surface.js";

export const sessionRoutes: readonly Route[] = [
  {
    path: "/v1/sessions/{id}/stream",
    methods: { GET: authorized({ roles: ["agent", "person"] }, FOLLOW, follow) },
  },
  {
    path: "/v1/sessions/{id}/history",
    methods: { GET: authorized({ roles: ["agent", "person"] }, HISTORY, history) },
  },
  {
    path: "/v1/sessions/{id}/messages",
    methods: { POST: authorized({ roles: ["person"] }, MESSAGE, message) },
  },
  { path: "/v1/sessions/{id}/events", methods: { POST: authorized({ roles: ["agent"] }, WRITE, write) } },
];

async function history(call: Call, principal: Principal): Promise<Reply> {
  const { hub } = call.services;
  const { sessionId } = await requireVisibleSession(hub, principal, sessionIdIn(call.url));
  const after = PAGE_AFTER.read(call.url.searchParams);
  const limit = LIMIT.read(call.url.searchParams);
  const page = await readHistory(hub, sessionId, {
    ...defined({ after, limit }),
  });
  // The body is the document's list of messages; where to go on from stands beside it.
  return json(200, page.messages, {
    "askline-position": page.position,
    ...(page.next !== undefined && { "askline-next": page.next }),
  });
}

async function message(call: Call, principal: Principal): Promise<Reply> {
  const { hub } = call.services;
  const { sessionId } = await requireVisibleSession(hub, principal, sessionIdIn(call.url));
  const body = await readJson(call);
  const settlementId = attemptOf(call.request.headers, "settlement", principal, sessionId);
  const taken = await takeMessage(hub, sessionId, body, {
    by: { kind: "person", id: principal.name, surface: surfaceOf(call, principal) },
    ...(settlementId !== undefined && { settlementId }),
  });
  return taken.ask === undefined ? noContent() : json(200, { ask: taken.ask });
}

async function write(call: Call, principal: Principal): Promise<Reply> {
  const { hub } = call.services;
  const sessionId = sessionIdIn(call.url);
  const { sessions, name } = principal;
  if (sessions !== undefined && !sessions.includes(sessionId)) {
    throw new AsklineError("forbidden", "this token may not write this session");
  }
  const event = requireSessionEvent(await readJson(call));
  // The first event of a session may say what holds for all of it.
  const { type: _, ...opening } = event.type === "open" ? event : { type: event.type };
  // Any other event says nothing of the recipients: it must not open to everybody what was removed.
  const reopen = event.type === "open";
  const session = sessionWriter({ ...opening, hub, sessionId, asker: name, reopen });
  const once = attemptOf(call.request.headers, "write", principal, sessionId);
  const posted = await session.write(event, once === undefined ? {} : { once });
  if (posted === undefined) return noContent();
  const { ask, approvalKey, created } = posted;
  return json(created ? 201 : 200, { ask, approvalKey });
}

async function follow(call: Call, principal: Principal): Promise<Reply> {
  const { request, url, services } = call;
  const { hub, sessionStreams, doors } = services;
  const { sessionId } = await requireVisibleSession(hub, principal, sessionIdIn(call.url));
  const surface = surfaceOf(call, principal);
  const after = SESSION_LAST_EVENT.read(request.headers) ?? SESSION_AFTER.read(url.searchParams);
  const { position } = await startOf(hub, sessionId, after);
  if (request.method === "HEAD") return { status: 200, headers: EVENT_STREAM_HEADERS, body: "" };
  const leave = doors.stream(principal, call.address);
  return {
    status: 200,
    headers: EVENT_STREAM_HEADERS,
    start(sink) {
      sink.write("retry: 1000\n\n");
      sessionStreams.start({
        ...{ principal, sessionId, surface, sink, frame, leave },
        kind: "session_events",
        after: after ?? String(position),
        beat: () => sink.write(":\n\n"),
      });
    },
  };
}

/** Without a name: every event comes to a browser's `onmessage`, as the type is in the data. */
function frame({ id, event }: FollowedEvent): string {
  return `id: ${id}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** An attempt belongs to whoever made it: nobody else's key can make it theirs. */
function attemptOf(
  headers: RequestHeaders,
  prefix: string,
  { role, name }: Principal,
  sessionId: string,
): string | undefined {
  const key = IDEMPOTENCY_KEY.read(headers);
  if (key === undefined || key === "") return undefined;
  const attempt = createHash("sha256").update(JSON.stringify([role, name, sessionId, key]));
  return `${prefix}_${attempt.digest("base64url")}`;
}
