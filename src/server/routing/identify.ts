import type { IncomingMessage } from "node:http";
import { GATEWAY_TOKEN_PROTOCOL } from "../../agents/shapes/gateway.js";
import { AsklineError } from "../../core/model/error.js";
import { cookieName, isSameOrigin, readCookie, requireSameOrigin } from "../access/browsers.js";
import type { Principal } from "../access/principal.js";
import type { TicketTarget } from "../access/tickets.js";
import { TICKET } from "../http/parameters.js";
import type { Reply } from "../http/reply.js";
import { headersOf, type RequestHeaders, requireHost } from "../http/request.js";
import { upgradeUrl } from "../http/upgrades.js";
import type { Access, Operation } from "../openapi/operation.js";
import type { Call, Method, Services } from "./call.js";

/** A method that needs a credential with one of these roles. */
export function authorized(
  access: Access,
  about: Operation,
  handle: (call: Call, principal: Principal) => Promise<Reply>,
): Method {
  const { roles, links, sessions, tickets } = access;
  const checked = async (call: Call): Promise<Reply> => {
    const ticket = tickets && TICKET.read(call.url.searchParams);
    const principal = await identify(call, ticket);
    const { role, askId } = principal;
    const { method, headers } = call.request;
    checkOrigin(call, principal, headers, isSafe(method));
    if (role !== "admin" && !roles.includes(role)) {
      throw new AsklineError(
        "forbidden",
        `the role ${role} may not do this; it needs the role ${roles.join(" or ")}`,
      );
    }
    if (askId !== undefined && !links) {
      throw new AsklineError("forbidden", "a signed link gives access to one ask only");
    }
    if (principal.sessions !== undefined && !sessions) {
      throw new AsklineError(
        "forbidden",
        "this token is for some sessions only, and this is not part of one",
      );
    }
    return handle(call, principal);
  };
  return { about: { ...about, access }, handle: checked };
}

/**
 * Refuses what a page of another origin made a browser send. `headers` are those that came in: a token among the offered
 * protocols does not show that it is what identified the caller. A read is refused only where the browser may have added
 * the credential by itself, because an open stream counts as a person who is there.
 */
function checkOrigin(
  { origin: own, services: { origins } }: Pick<Call, "origin" | "services">,
  { credential: { kind } }: Principal,
  headers: RequestHeaders,
  isRead: boolean,
): void {
  // The host may have read a cookie, a password that the browser keeps, or what a proxy has added, whatever header a
  // page sends beside it.
  const isAmbient = kind === "cookie" || kind === "host";
  const hasCookie =
    kind === "cookie" ||
    (isAmbient && headers.get("authorization") === null && headers.get("cookie") !== null);
  const from = headers.get("origin");
  if (!hasCookie && (isAmbient ? origins.names(from) : origins.allows(from))) return;
  const site = headers.get("sec-fetch-site");
  const isForeign = site === null ? from !== null && from !== own : /^(cross|same)-site$/.test(site);
  if (!isRead || (isAmbient && isForeign)) requireSameOrigin(headers, own, hasCookie);
}

type Identifiable = Pick<Call, "url" | "origin" | "address" | "services" | "findings"> & {
  readonly request: Pick<Call["request"], "method" | "url" | "headers" | "incoming">;
};

/** The caller, by the request's credential. Throws a coded error without a valid one, or above the rate limit. */
export async function identify(call: Identifiable, ticket?: string): Promise<Principal> {
  const principal = ticket === undefined ? await verify(call) : await redeem(call, ticket);
  call.findings.principal = principal;
  return principal;
}

/** The owner of a ticket. A wrong one is not charged as a failed credential: browsers send a used one when they reconnect. */
async function redeem(call: Identifiable, ticket: string): Promise<Principal> {
  const { request, url, origin, services } = call;
  const sent = request.headers.get("origin");
  const fits = (target: TicketTarget): boolean => {
    if (target.path !== url.pathname) return false;
    // A browser names no origin when a page reads from its own server.
    if (sent === null)
      return target.origin === null || (target.origin === origin && isSameOrigin(request.headers));
    return target.origin === sent && (sent === origin || services.origins.allows(sent));
  };
  const principal = await services.tickets.redeem(ticket, fits);
  if (principal !== undefined) return admitted(call, principal);
  throw new AsklineError(
    "unauthorized",
    "this ticket was used, has expired, or is for another path or origin; get a new one with POST /v1/tickets",
  );
}

async function verify(call: Identifiable): Promise<Principal> {
  const { request, origin, address, services } = call;
  const authorization = request.headers.get("authorization");
  if (services.identifyCaller !== undefined) {
    const principal = await services.identifyCaller(request);
    if (principal !== undefined) return admitted(call, principal);
    if (authorization !== null) services.rateLimits.failed(address);
    throw new AsklineError("unauthorized", "not signed in; sign in and try again");
  }
  if (authorization !== null) {
    const [, token] = /^bearer +(\S+)$/i.exec(authorization.trim()) ?? [];
    if (token?.startsWith("link_")) return identifyLink(call, token);
    const principal = token === undefined ? undefined : await services.auth.verifyToken(token);
    if (principal !== undefined) return admitted(call, principal);
    services.rateLimits.failed(address);
    throw new AsklineError("unauthorized", "unknown, expired or revoked token; create a new one");
  }
  // Every port of the host receives the cookie, so it counts only together with the key in the path.
  const inboxKey = services.hosts.inboxKeyOf(request.url);
  const secret = inboxKey === undefined ? undefined : readCookie(request.headers, cookieName(origin));
  const principal =
    secret === undefined || inboxKey === undefined
      ? undefined
      : await services.auth.verifyCookie(secret, inboxKey);
  if (principal !== undefined) return admitted(call, principal);
  if (secret !== undefined) services.rateLimits.failed(address);
  throw new AsklineError(
    "unauthorized",
    "missing credentials; send a token as Authorization: Bearer <token>",
  );
}

/** The holder of a signed link. */
export async function identifyLink(
  call: Pick<Call, "address" | "services">,
  link: string,
): Promise<Principal & { readonly askId: string }> {
  const opened = await call.services.auth.openLink(link);
  if (opened.ok) return admitted(call, opened.principal);
  if (opened.code === "link_expired") {
    throw new AsklineError(opened.code, "this link has expired; request a new one");
  }
  call.services.rateLimits.failed(call.address);
  throw new AsklineError(
    opened.code,
    "this link is incomplete, or was made by another server; request a new one",
  );
}

function admitted<P extends Principal>({ services }: Pick<Call, "services">, principal: P): P {
  services.rateLimits.admit(principal);
  if (principal.role === "person") services.auth.people.seen(principal.name);
  return principal;
}

function isSafe(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

/**
 * The caller of an upgrade. A browser cannot set headers there: it sends the cookie, a ticket in the query, or a token
 * among the protocols that it offers. Throws a coded error where the connection is refused.
 */
export async function identifyUpgrade(
  incoming: IncomingMessage,
  url: URL,
  services: Services,
  /** A token from another place, for clients that can send it neither as a header nor as a protocol. */
  otherToken?: string,
): Promise<Principal> {
  const address = services.rateLimits.enter(incoming);
  requireHost(incoming);
  const origin = services.hosts.originOf(url);
  const headers = credentialHeaders(incoming, otherToken);
  const request = { method: "GET", url: upgradeUrl(incoming) ?? url, headers, incoming };
  const ticket = TICKET.read(url.searchParams);
  const principal = await identify({ request, url, origin, address, services, findings: {} }, ticket);
  if (principal.askId !== undefined) {
    throw new AsklineError("forbidden", "a signed link gives access to one ask only");
  }
  // A ticket has its own origin.
  if (ticket === undefined) checkOrigin({ origin, services }, principal, headersOf(incoming), false);
  return principal;
}

function credentialHeaders({ headers }: IncomingMessage, otherToken: string | undefined): Headers {
  const chosen = new Headers();
  for (const name of ["cookie", "origin", "sec-fetch-site"]) {
    const value = headers[name];
    if (typeof value === "string") chosen.set(name, value);
  }
  const offered = offeredProtocols(headers["sec-websocket-protocol"])
    .find((protocol) => protocol.startsWith(GATEWAY_TOKEN_PROTOCOL))
    ?.slice(GATEWAY_TOKEN_PROTOCOL.length);
  const token = offered ?? otherToken;
  const authorization = headers.authorization ?? (token === undefined ? undefined : `Bearer ${token}`);
  if (authorization !== undefined) chosen.set("authorization", authorization);
  return chosen;
}

function offeredProtocols(header: string | undefined): readonly string[] {
  return (header ?? "").split(",").map((protocol) => protocol.trim());
}
