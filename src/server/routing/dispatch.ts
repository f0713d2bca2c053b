// The path of every request: rate limit, host name, route, handler. Anything thrown becomes an error reply.

import { randomBytes } from "node:crypto";
import type { Tracing } from "../../core/kit/tracing.js";
import { AsklineError, isPublic } from "../../core/model/error.js";
import { inboxPath } from "../access/hosts.js";
import { compressPage } from "../http/gzip.js";
import {
  noContent,
  type PlainReply,
  problem,
  problemHeaders,
  type Reply,
  type StreamReply,
  withHeader,
} from "../http/reply.js";
import type { ServerRequest } from "../http/request.js";
import type { Call, CallFindings, Route, Services } from "./call.js";

export interface Dispatch {
  /** Never rejects. */
  (request: ServerRequest): Promise<Reply>;
  /** Whether a route exists for this URL. */
  serves(url: URL): boolean;
  /** The reply for an error that occurred before a request was parsed. */
  refuse(error: unknown): PlainReply;
}

type ReadyReply = PlainReply | StreamReply;

/** The page that shows an error to a person, with these headers. */
export type ErrorPage = (
  error: AsklineError,
  view: ErrorView,
  headers: Readonly<Record<string, string>>,
) => PlainReply;

export function createDispatch(services: Services, routes: readonly Route[], errorPage: ErrorPage): Dispatch {
  const { clock, observeRequest, tracing } = services;
  const { hosts, origins } = services;
  const route = createRouter(routes);
  const find = (url: URL | undefined): FoundRoute | undefined => url && route(url.pathname);
  // Never the sender's own id: it would end up in a header and a log.
  const start = randomBytes(4).toString("hex");
  let count = 0;
  const newRequestId = (): string => {
    count += 1;
    return `${start}-${count.toString(36)}`;
  };

  const refusalOf = (error: unknown, requestId: string, view?: ErrorView): PlainReply => {
    const shared = publicError(error, requestId);
    if (shared !== error) services.logger.error(`request ${requestId} failed`, error);
    if (view === undefined) return problem(shared);
    const { "www-authenticate": _, ...headers } = problemHeaders(shared);
    return errorPage(shared, view, headers);
  };
  /** A separate closure: a held reply keeps it, and must not keep the call alive. */
  const refuserOf =
    (requestId: string): Call["refuse"] =>
    (error) =>
      refusalOf(error, requestId);

  const answerRequest = async (
    requestId: string,
    request: ServerRequest,
    url: URL | undefined,
    found: FoundRoute | undefined,
    findings: CallFindings,
  ): Promise<Reply> => {
    let origin = "http://localhost";
    const inboxKey = hosts.inboxKeyOf(request.url);
    const base = inboxKey === undefined ? hosts.base : hosts.base + inboxPath(inboxKey);
    const view = (): ErrorView | undefined =>
      viewOf(request, found?.route, {
        path: url?.pathname ?? "/",
        origin,
        base,
        acceptLanguage: request.headers.get("accept-language"),
      });
    try {
      const address = services.rateLimits.enter(request.incoming);
      origin = hosts.originOf(request.url);
      if (url === undefined || found === undefined) throw new AsklineError("not_found", "no such route");
      const { route, param } = found;
      const method = request.method === "HEAD" ? "GET" : request.method;
      const known = Object.hasOwn(route.methods, method) ? route.methods[method] : undefined;
      if (known === undefined) {
        const allow = allowedMethods(route);
        const preflight =
          method === "OPTIONS" ? origins.preflight(url.pathname, request.headers, allow) : undefined;
        if (preflight !== undefined) return { ...noContent(), headers: preflight };
        const error = new AsklineError("method_not_allowed", `this route accepts ${allow}`);
        return withHeader(refusalOf(error, requestId, view()), "allow", allow);
      }
      const refuse = refuserOf(requestId);
      return await known.handle({
        request,
        url,
        origin,
        base,
        address,
        requestId,
        param,
        refuse,
        services,
        findings,
      });
    } catch (error) {
      return refusalOf(error, requestId, view());
    }
  };

  /** A separate closure: a held reply keeps it, and must not keep the request alive. */
  const finisherOf = (
    requestId: string,
    method: string,
    route: string,
    findings: CallFindings,
    more?: Readonly<Record<string, string>>,
  ): (<R extends ReadyReply>(reply: R) => R) => {
    const since = clock.monotonic();
    return (reply) => {
      const { principal } = findings;
      const milliseconds = clock.monotonic() - since;
      observeRequest?.({ requestId, method, route, principal, status: reply.status, milliseconds });
      const identified = withHeader(reply, "askline-request-id", requestId);
      return more === undefined ? identified : { ...identified, headers: { ...identified.headers, ...more } };
    };
  };

  const dispatch = async (request: ServerRequest): Promise<Reply> => {
    const requestId = newRequestId();
    const url = hosts.enter(request.url);
    const found = find(url);
    const name = found?.route.path ?? "none";
    const findings: CallFindings = {};
    const more = url && origins.headers(url.pathname, request.headers);
    const finish = finisherOf(requestId, request.method, name, findings, more);
    const answered = (): Promise<Reply> => answerRequest(requestId, request, url, found, findings);
    const answer = await (tracing === undefined
      ? answered()
      : traceRequest(tracing, requestId, request, name, answered));
    const reply = found?.route.page === true ? await compressPage(answer, request.headers) : answer;
    return "held" in reply ? { held: reply.held.then(finish) } : finish(reply);
  };

  const refuse = (error: unknown): PlainReply => {
    const requestId = newRequestId();
    return finisherOf(requestId, "other", "none", {})(refusalOf(error, requestId));
  };
  const serves = (url: URL): boolean => find(hosts.enter(url)) !== undefined;
  return Object.assign(dispatch, { refuse, serves });
}

/** Where an error page is shown. */
export interface ErrorView {
  /** Below the base path. */
  readonly path: string;
  readonly origin: string;
  readonly base: string;
  /** The languages that the sender prefers. */
  readonly acceptLanguage: string | null;
}

/** An error is shown as a page if the sender accepts HTML and the route is a page or does not exist. */
function viewOf(
  { headers }: ServerRequest,
  route: Route | undefined,
  view: ErrorView,
): ErrorView | undefined {
  if (!(headers.get("accept")?.includes("text/html") ?? false)) return undefined;
  const isPage = route === undefined ? !view.path.startsWith("/v1/") : route.page === true;
  return isPage ? view : undefined;
}

function allowedMethods({ methods }: Route): string {
  return Object.keys(methods)
    .flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
    .join(", ");
}

/** The error as the caller may read it. Messages of server faults may name paths and queries, so only the log has them. */
function publicError(error: unknown, requestId: string): AsklineError {
  if (isPublic(error)) return error;
  if (!(error instanceof AsklineError)) {
    return new AsklineError(
      "internal",
      `internal error; the server log has details under request ${requestId}`,
    );
  }
  const what =
    error.code === "store_full"
      ? "the server has no disk space left, so nothing was stored; try again once there is room"
      : "the store failed";
  return new AsklineError(error.code, `${what}; the server log has details under request ${requestId}`);
}

export interface FoundRoute {
  readonly route: Route;
  /** A path segment by its name in the route. Invalid percent-encoding is left as is. */
  param(name: string): string;
}

/** Finds the route of a path; `{name}` in a route's path matches one segment. */
export function createRouter(routes: readonly Route[]): (path: string) => FoundRoute | undefined {
  const exact = new Map<string, FoundRoute>();
  const patterns: (readonly [RegExp, Route])[] = [];
  for (const route of routes) {
    if (!route.path.includes("{")) exact.set(route.path, { route, param: () => "" });
    else patterns.push([new RegExp(`^${route.path.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`), route]);
  }
  return (path) => {
    const known = exact.get(path);
    if (known !== undefined) return known;
    for (const [pattern, route] of patterns) {
      const match = pattern.exec(path);
      if (match !== null) return { route, param: (name) => decode(match.groups?.[name] ?? "") };
    }
    return undefined;
  };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Answers a request within a span of its sender's trace. */
function traceRequest(
  tracing: Tracing,
  requestId: string,
  request: ServerRequest,
  route: string,
  answer: () => Promise<Reply>,
): Promise<PlainReply | StreamReply> {
  const options = {
    kind: "server",
    parent: request.headers.get("traceparent") ?? undefined,
    facts: {
      "http.request.method": request.method,
      "http.route": route,
      "askline.request.id": requestId,
    },
  } as const;
  return tracing.span(`${request.method} ${route}`, options, async (span) => {
    const answered = await answer();
    // The span covers the time that the request is held.
    const reply = "held" in answered ? await answered.held : answered;
    span.set({ "http.response.status_code": reply.status });
    if (reply.status >= 500) span.fail(String(reply.status));
    return reply;
  });
}
