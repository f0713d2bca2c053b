// Creating, listing and getting asks.

import { isRecord } from "../../core/kit/json.js";
import { ASK_REQUEST, type Ask, type AskInput } from "../../core/model/ask.js";
import { AsklineError } from "../../core/model/error.js";
import { askerOf, reachable } from "../../core/model/visibility.js";
import { typeName } from "../../core/read/input-reader.js";
import type { Hub } from "../../hub/seam/port.js";
import { unknownText } from "../access/people.js";
import type { Principal } from "../access/principal.js";
import {
  AGENT_IS,
  DELIVERED_IS,
  ID_HAS,
  LIMIT,
  ORDER,
  PAGE_AFTER,
  SESSION_IS,
  STATUS_IS,
  WAIT,
} from "../http/parameters.js";
import { readKnown } from "../http/read-body.js";
import { json, type Reply } from "../http/reply.js";
import { listedAsk } from "../live/frame.js";
import type { Operation } from "../openapi/operation.js";
import type { Call, Route } from "../routing/call.js";
import { authorized } from "../routing/identify.js";
import { readListFilter, readPage, surfaceOf } from "../routing/read-query.js";
import { requireVisible, visiblePage } from "../routing/visible-asks.js";

const CREATE: Operation = {
  id: "createAsk",
  summary: "Create an ask",
  description:
    "With wait, the response is held until the ask ends, for at most that many seconds. Closing the connection does not withdraw the ask.",
  parameters: [WAIT],
  body: { schema: "AskInput" },
  responses: {
    201: { description: "The new ask.", schema: "AskResponse" },
    200: { description: "The existing ask with the same session and key.", schema: "AskResponse" },
  },
  errors: ["invalid_ask", "key_conflict", "quota_exceeded", "unsupported"],
};

const LIST: Operation = {
  id: "listAsks",
  summary: "List asks",
  parameters: [STATUS_IS, DELIVERED_IS, SESSION_IS, AGENT_IS, ID_HAS, PAGE_AFTER, LIMIT, ORDER],
  responses: {
    200: {
      description: "The asks that the caller may see.",
      schema: "AskPage",
      headers: {
        "Askline-Position": "The position to read events from, so that no change after this list is missed.",
      },
    },
  },
};

const GET: Operation = {
  id: "getAsk",
  summary: "Get an ask",
  description: "With wait, the response is held while the ask is pending, for at most that many seconds.",
  parameters: [WAIT],
  responses: { 200: { description: "The ask.", schema: "AskResponse" } },
  errors: ["not_found"],
};

export const askRoutes: readonly Route[] = [
  {
    path: "/v1/asks",
    methods: {
      POST: authorized({ roles: ["agent"], sessions: true }, CREATE, create),
      GET: authorized({ roles: ["agent", "person"], sessions: true }, LIST, list),
    },
  },
  {
    path: "/v1/asks/{id}",
    methods: { GET: authorized({ roles: ["agent", "person"], links: true, sessions: true }, GET, get) },
  },
];

/** The parser drops unknown fields of questions, options and actions; one of the ask itself is a mistake. */
const ASK_FIELDS = Object.keys(ASK_REQUEST.fields);

async function create(call: Call, principal: Principal): Promise<Reply> {
  const { hub, waits, rateLimits } = call.services;
  const seconds = WAIT.read(call.url.searchParams);
  // Before anything is stored: a refused request must not create an ask.
  const leave = seconds === 0 ? undefined : rateLimits.wait(principal, call.address);
  try {
    const body = withinSessions(principal, await readKnown(call, ASK_FIELDS));
    // The hub parses it and reports what is wrong.
    const submitted = await hub.submit(body as AskInput, askerOf(principal));
    const { ask, created } = submitted;
    const status = created ? 201 : 200;
    hub.delivered(ask);
    const unknown = await unknownOf(call, [ask]);
    const more = unknown.length === 0 ? {} : { warnings: unknown.map(({ people }) => unknownText(people)) };
    if (leave === undefined) {
      submitted.waiting?.stop();
      return json(status, { ask, ...more });
    }
    // Without a key, a retry would create a second ask.
    const onClose = ask.key === undefined ? { onClose: ask } : {};
    return waits.reply(call, principal, submitted, { seconds, status, leave, more, ...onClose });
  } catch (error) {
    leave?.();
    throw error;
  }
}

async function get(call: Call, principal: Principal): Promise<Reply> {
  const { hub, waits, rateLimits, shownLog } = call.services;
  const seconds = WAIT.read(call.url.searchParams);
  const ask = await requireVisible(call, principal);
  shownLog.sent(ask, principal, surfaceOf(call, principal));
  if (principal.role === "agent") hub.delivered(ask);
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
  const filter = readListFilter(url.searchParams);
  const page = readPage(url.searchParams);
  // Read before the list: events from here on cover every change that the list does not show.
  const position = await services.hub.position();
  const { asks: found, next } = await visiblePage(services, principal, filter, page);
  const asks = DELIVERED_IS.read(url.searchParams) === "no" ? await undelivered(found, services.hub) : found;
  const surface = surfaceOf(call, principal);
  for (const ask of asks) services.shownLog.sent(ask, principal, surface);
  const unknown = await unknownOf(call, asks);
  const awaited = [...(await services.hub.awaited(asks.map(({ id }) => id)))];
  return json(
    200,
    // An agent knows what it asked; people read lists to choose an ask, and open that one.
    {
      asks: principal.role === "agent" ? asks : asks.map(listedAsk),
      next,
      awaited,
      unknown: unknown.length > 0 ? unknown : undefined,
    },
    { "askline-position": String(position) },
  );
}

/** The pending asks with recipients that the server does not know. Asks to everyone cost nothing. */
async function unknownOf(
  { services }: Call,
  asks: readonly Ask[],
): Promise<readonly { readonly ask: string; readonly people: readonly string[] }[]> {
  const named = asks.flatMap((ask) => {
    const people = ask.outcome === undefined ? reachable(ask) : undefined;
    return people === undefined ? [] : [{ ask: ask.id, people }];
  });
  if (named.length === 0) return [];
  const unknown = new Set(await services.auth.people.unknown(named.flatMap(({ people }) => people)));
  return named.flatMap(({ ask, people: all }) => {
    const people = all.filter((person) => unknown.has(person));
    return people.length === 0 ? [] : [{ ask, people }];
  });
}

async function undelivered(asks: readonly Ask[], hub: Hub): Promise<readonly Ask[]> {
  const wanted = await Promise.all(
    asks.map(async (ask) => ask.outcome !== undefined && !(await hub.isDelivered(ask))),
  );
  return asks.filter((_, index) => wanted[index]);
}

/** A token restricted to sessions may ask only in them; if there is one, it is the default. */
function withinSessions({ sessions }: Principal, body: unknown): unknown {
  // The parser also accepts JSON text, whose session would not be checked here.
  if (!isRecord(body)) {
    const message = `must be an object with questions or an approval, not ${typeName(body)}`;
    const issues = [{ code: "wrong_type" as const, path: [], message }];
    throw new AsklineError("invalid_ask", `invalid ask:\n${message}`, { issues });
  }
  if (sessions === undefined) return body;
  const given = body.session ?? (sessions.length === 1 ? sessions[0] : "");
  if (typeof given !== "string" || sessions.includes(given)) return { ...body, session: given };
  throw new AsklineError("forbidden", "this token may not create asks in this session");
}
