// Asking, listing and looking.

import { type AskInput, AsklineError, isRecord } from "../../core/index.js";
import { typeName } from "../../core/read/input-reader.js";
import type { Principal } from "../access/principal.js";
import { AGENT_IS, LIMIT, ORDER, PAGE_AFTER, SESSION_IS, STATUS_IS, WAIT } from "../http/parameters.js";
import { readJson } from "../http/read-body.js";
import { json, type Reply } from "../http/reply.js";
import type { Operation } from "../openapi/operation.js";
import type { Call, Route } from "../routing/call.js";
import { authorized } from "../routing/identify.js";
import { readFilter, readPage, surfaceOf } from "../routing/read-query.js";
import { requireVisible, visiblePage } from "../routing/visible-asks.js";

const CREATE: Operation = {
  id: "createAsk",
  summary: "Create an ask",
  description:
    "With wait, the response is held until the ask has ended, for so many seconds at most. Hanging up withdraws nothing.",
  parameters: [WAIT],
  body: { schema: "AskInput" },
  responses: {
    201: { description: "It is new.", schema: "AskResponse" },
    200: { description: "Its session and key were known: the ask of then.", schema: "AskResponse" },
  },
  errors: ["invalid_ask", "key_conflict", "unsupported"],
};

const LIST: Operation = {
  id: "listAsks",
  summary: "A page of asks",
  parameters: [STATUS_IS, SESSION_IS, AGENT_IS, PAGE_AFTER, LIMIT, ORDER],
  responses: {
    200: {
      description: "Those that the caller may see.",
      schema: "AskPage",
      headers: { "Askline-Position": "Where to read events on from: with them, the list misses nothing." },
    },
  },
};

const GET: Operation = {
  id: "getAsk",
  summary: "One ask",
  description: "With wait, the response is held while the ask is pending, for so many seconds at most.",
  parameters: [WAIT],
  responses: { 200: { description: "As it stands.", schema: "AskResponse" } },
  errors: ["not_found"],
};

export const askRoutes: readonly Route[] = [
  {
    path: "/v1/asks",
    methods: {
      POST: authorized({ roles: ["agent"] }, CREATE, create),
      GET: authorized({ roles: ["agent", "person"] }, LIST, list),
    },
  },
  {
    path: "/v1/asks/{id}",
    methods: { GET: authorized({ roles: ["agent", "person"], links: true }, GET, get) },
  },
];

async function create(call: Call, principal: Principal): Promise<Reply> {
  const { hub, waits, rateLimits } = call.services;
  const seconds = WAIT.read(call.url.searchParams);
  // Before anything is stored: a refused sender has not asked.
  const leave = seconds === 0 ? undefined : rateLimits.wait(principal, call.address);
  try {
    const body = withinSessions(principal, await readJson(call));
    // Whatever it holds: the hub parses it, and says what is wrong with it.
    const submitted = await hub.submit(body as AskInput, { asker: principal.name });
    const { ask, created } = submitted;
    const status = created ? 201 : 200;
    if (leave === undefined) {
      submitted.waiting?.stop();
      return json(status, { ask });
    }
    // Without a key, a second try would ask twice.
    const onClose = ask.key === undefined ? { onClose: ask } : {};
    return waits.reply(call, principal, submitted, { seconds, status, leave, ...onClose });
  } catch (error) {
    leave?.();
    throw error;
  }
}

async function get(call: Call, principal: Principal): Promise<Reply> {
  const { hub, waits, rateLimits, showing } = call.services;
  const seconds = WAIT.read(call.url.searchParams);
  const ask = await requireVisible(call, principal);
  showing.sent(ask, principal, surfaceOf(call, principal));
  if (ask.outcome !== undefined || seconds === 0) return json(200, { ask });
  const leave = rateLimits.wait(principal, call.address);
  try {
    return waits.reply(call, principal, await hub.attend(ask.id), { seconds, status: 200, leave });
  } catch (error) {
    leave();
    throw error;
  }
}

async function list(call: Call, principal: Principal): Promise<Reply> {
  const { url, services } = call;
  const filter = readFilter(url.searchParams);
  const page = readPage(url.searchParams);
  // Before the list: whoever reads events on from here misses nothing that the list does not show.
  const position = await services.hub.position();
  const { asks, next } = await visiblePage(services.hub, principal, filter, page);
  const surface = surfaceOf(call, principal);
  for (const ask of asks) services.showing.sent(ask, principal, surface);
  const awaited = asks.filter(({ id }) => services.hub.isAwaited(id)).map(({ id }) => id);
  return json(
    200,
    { asks, ...(next !== undefined && { next }), awaited },
    { "askline-position": String(position) },
  );
}

/** A token for certain sessions asks in these; where it has only one, that need not be said. */
function withinSessions({ sessions }: Principal, body: unknown): unknown {
  // The parser also reads an ask that comes as text. Here, that would be one whose session nobody looked at.
  if (!isRecord(body)) {
    const message = `must be an object with questions or an approval, not ${typeName(body)}`;
    const issues = [{ code: "wrong_type" as const, path: [], message }];
    throw new AsklineError("invalid_ask", `invalid ask:\n${message}`, { issues });
  }
  if (sessions === undefined) return body;
  const given = body.session ?? (sessions.length === 1 ? sessions[0] : "");
  if (typeof given !== "string" || sessions.includes(given)) return { ...body, session: given };
  throw new AsklineError("forbidden", "this token may not ask in this session");
}
