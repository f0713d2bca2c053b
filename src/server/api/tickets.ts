import { AsklineError } from "../../core/model/error.js";
import { TICKET_INPUT } from "../../core/model/ticket.js";
import type { Principal } from "../access/principal.js";
import { readTaken } from "../http/read-body.js";
import { json, type Reply } from "../http/reply.js";
import type { Operation } from "../openapi/operation.js";
import type { Call, Route } from "../routing/call.js";
import { authorized } from "../routing/identify.js";

const CREATE: Operation = {
  id: "createTicket",
  summary: "Create a ticket for one stream or WebSocket",
  description:
    "For EventSource and WebSocket in a browser, which can send no header: add it as ?ticket= within 60 seconds, once, at the path that it was created for and from the page's origin. After a lost connection, create a new one.",
  body: { schema: "TicketInput" },
  responses: { 201: { description: "The ticket.", schema: "TicketResponse" } },
};

export const ticketRoutes: readonly Route[] = [
  {
    path: "/v1/tickets",
    methods: { POST: authorized({ roles: ["agent", "person"], sessions: true }, CREATE, create) },
  },
];

const STREAM = /^\/v1\/(?:events|sessions\/opened|sessions\/[^/]+\/stream)$/;

async function create(call: Call, principal: Principal): Promise<Reply> {
  if (principal.credential.kind === "cookie") {
    throw new AsklineError(
      "forbidden",
      "a page with the inbox cookie needs no ticket; open the stream with it",
    );
  }
  const { path, origin } = await readTaken(call, TICKET_INPUT);
  const target = { path: readPath(path, call), origin: readOrigin(origin, call) };
  return json(201, await call.services.tickets.create(principal, target));
}

/** The path below the base path, as the URL of the later request will have it. */
function readPath(path: string, { services }: Call): string {
  const url = path.startsWith("/") && URL.canParse(path, OWN) ? new URL(path, OWN) : undefined;
  if (url !== undefined && url.origin === OWN && url.search === "" && url.hash === "") {
    const { pathname } = services.hosts.enter(url) ?? url;
    if (STREAM.test(pathname) || services.gatewayPaths.has(pathname)) return pathname;
  }
  throw new AsklineError("invalid_request", `path must ${TICKET_INPUT.fields.path.must}`);
}

const OWN = "http://localhost";

/** The page's own origin; a program that fetches a ticket for a page names it. */
function readOrigin(origin: string | undefined, { request }: Call): string | null {
  const sent = request.headers.get("origin");
  if (origin === undefined || origin === sent) return sent;
  if (sent !== null)
    throw new AsklineError("invalid_request", "origin is not the origin of this page; omit it");
  if (URL.canParse(origin) && new URL(origin).origin === origin) return origin;
  throw new AsklineError("invalid_request", `origin must ${TICKET_INPUT.fields.origin.must}`);
}
