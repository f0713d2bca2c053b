import type { AskEvent } from "../../core/model/event.js";
import { matchesFilter, maySee } from "../../core/model/visibility.js";
import type { Principal } from "../access/principal.js";
import {
  AGENT_IS,
  EVENTS_AFTER,
  LAST_EVENT,
  SESSION_IS,
  STATUS_IS,
  SURFACE_HEADER,
  TICKET,
} from "../http/parameters.js";
import { EVENT_STREAM_HEADERS, type Reply } from "../http/reply.js";
import type { Operation } from "../openapi/operation.js";
import type { Call, Route } from "../routing/call.js";
import { authorized } from "../routing/identify.js";
import { readFilter, readPosition, surfaceOf } from "../routing/read-query.js";

const EVENTS: Operation = {
  id: "followEvents",
  summary: "Follow events as server-sent events",
  description:
    "Each event has its position as id, its type as event name, and the schema below as data. The event of an ask above 64 KB has no ask: get it by its id. The stream resumes from Last-Event-ID or after without missing events. A person also gets an event named draft, without an id, when one of their surfaces has saved a draft; its data is a DraftHint. Of the filters, only session applies to it.",
  parameters: [STATUS_IS, SESSION_IS, AGENT_IS, EVENTS_AFTER, LAST_EVENT, SURFACE_HEADER, TICKET],
  responses: {
    200: {
      ...{ description: "An event stream.", type: "text/event-stream" },
      ...{ items: "AskEvent", hints: { draft: "DraftHint" } },
    },
  },
  errors: ["position_trimmed"],
};

export const eventRoutes: readonly Route[] = [
  {
    path: "/v1/events",
    methods: {
      GET: authorized({ roles: ["agent", "person"], tickets: true, sessions: true }, EVENTS, events),
    },
  },
];

async function events(call: Call, principal: Principal): Promise<Reply> {
  const { request, url, services } = call;
  if (request.method === "HEAD") return { status: 200, headers: EVENT_STREAM_HEADERS, body: "" };
  const after = readPosition(url.searchParams, request.headers);
  const surface = surfaceOf(call, principal);
  const filter = readFilter(url.searchParams);
  const wants = wanted(principal, filter);
  const start = await services.streams.prepare({
    principal,
    address: call.address,
    surface,
    wants(event) {
      if (!wants(event)) return false;
      if (event.ask !== undefined) services.shownLog.sent(event.ask, principal, surface);
      return true;
    },
    sessions: filter.session === undefined ? principal.sessions : [filter.session],
    after,
  });
  return { status: 200, headers: EVENT_STREAM_HEADERS, start };
}

function wanted(principal: Principal, filter: ReturnType<typeof readFilter>): (event: AskEvent) => boolean {
  // The ask is missing once it was pruned: nothing then says who may see the event.
  return ({ ask }) => ask !== undefined && matchesFilter(ask, filter) && maySee(principal, ask);
}
