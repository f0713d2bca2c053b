// Asking, listing and looking.

import { type Ask, type AskInput, AsklineError, type AskPage, isRecord } from "../../core/index.js";
import { typeName } from "../../core/input-reader.js";
import { defined } from "../../core/kit.js";
import { maySee, visibleFilter } from "../../core/visibility.js";
import type { Principal } from "../auth/principal.js";
import type { Call, Route } from "../call.js";
import { authorized } from "../identify.js";
import type { Operation } from "../operation.js";
import { AGENT_IS, LIMIT, ORDER, PAGE_AFTER, SESSION_IS, STATUS_IS, WAIT } from "../parameters.js";
import { readJson } from "../read-body.js";
import { readFilter, readPage, surfaceOf } from "../read-query.js";
import { json, type Reply } from "../reply.js";
import { requireVisible } from "./require-visible.js";

/** Pages of the store that are read to fill one of ours, where only some of their asks may be seen. */
const MOST_READS = 20;
const USUAL_PAGE = 50;

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
  const { hub, waits, doors } = call.services;
  const seconds = WAIT.read(call.url.searchParams);
  // Before anything is stored: a refused sender has not asked.
  const leave = seconds === 0 ? undefined : doors.wait(principal, call.address);
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
  const { hub, waits, doors, showing } = call.services;
  const seconds = WAIT.read(call.url.searchParams);
  const ask = await requireVisible(call, principal);
  showing.sent(ask, principal, surfaceOf(call, principal));
  if (ask.outcome !== undefined || seconds === 0) return json(200, { ask });
  const leave = doors.wait(principal, call.address);
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

/** A page of what this principal may see. It may be short of its limit and still have a next one. */
export async function visiblePage(
  hub: Call["services"]["hub"],
  principal: Principal,
  filter: ReturnType<typeof readFilter>,
  { after, limit = USUAL_PAGE, order }: ReturnType<typeof readPage>,
): Promise<AskPage> {
  const { sessions } = principal;
  if (filter.session !== undefined && sessions !== undefined && !sessions.includes(filter.session)) {
    return { asks: [] };
  }
  const visible = { ...visibleFilter(principal), ...filter };
  const asks: Ask[] = [];
  let next = after;
  for (let read = 0; read < MOST_READS && asks.length < limit; read += 1) {
    const page = await hub.list(visible, {
      limit: limit - asks.length,
      ...defined({ after: next, order }),
    });
    asks.push(...page.asks.filter((ask) => maySee(principal, ask)));
    next = page.next;
    if (next === undefined) break;
  }
  return { asks, ...(next !== undefined && { next }) };
}

/** A token for certain sessions asks in these; where it has only one, that need not be said. */
function withinSessions({ sessions }: Principal, body: unknown): unknown {
  // The parser also reads an ask that comes as text. Here, that would be one whose session nobody looked at.
  if (!isRecord(body)) {
    const message = `must be an object with questions or an approval, not ${typeName(body)}`;
    const issues = [{ code: "wrong_type" as const, path: [], message }];
    throw new AsklineError("invalid_ask", `this ask cannot be asked:\n${message}`, { issues });
  }
  if (sessions === undefined) return body;
  const given = body.session ?? (sessions.length === 1 ? sessions[0] : "");
  if (typeof given !== "string" || sessions.includes(given)) return { ...body, session: given };
  throw new AsklineError("forbidden", "this token may not ask in this session");
}
