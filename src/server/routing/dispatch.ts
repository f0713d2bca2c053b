// The path of every request: rate limit, host name, route, handler. Anything thrown becomes an error reply.

import { randomBytes } from "node:crypto";
import { AsklineError, type Tracing } from "../../core/index.js";
import { isPublic } from "../../core/model/error.js";
import {
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
  const find = createRouter(routes);
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

  const answer = async (
    requestId: string,
    request: ServerRequest,
    found: FoundRoute | undefined,
    findings: CallFindings,
  ): Promise<Reply> => {
    const { url } = request;
    let origin = "http://localhost";
    try {
      const address = services.rateLimits.enter(request.incoming);
      origin = services.hosts.originOf(url);
      if (found === undefined) throw new AsklineError("not_found", "no such route");
      const { route, param } = found;
      const method = request.method === "HEAD" ? "GET" : request.method;
      const known = Object.hasOwn(route.methods, method) ? route.methods[method] : undefined;
      if (known === undefined) {
        const allow = allowedMethods(route);
        const error = new AsklineError("method_not_allowed", `this route accepts ${allow}`);
        return withHeader(refusalOf(error, requestId, viewOf(request, route, origin)), "allow", allow);
      }
      const refuse = refuserOf(requestId);
      return await known.handle({
        request,
        url,
        origin,
        address,
        requestId,
        param,
        refuse,
        services,
        findings,
      });
    } catch (error) {
      return refusalOf(error, requestId, viewOf(request, found?.route, origin, findings.form));
    }
  };

  /** A separate closure: a held reply keeps it, and must not keep the request alive. */
  const finisherOf = (
    requestId: string,
    method: string,
    route: string,
    findings: CallFindings,
  ): (<R extends ReadyReply>(reply: R) => R) => {
    const since = clock.monotonic();
    return (reply) => {
      const { principal } = findings;
      const milliseconds = clock.monotonic() - since;
      observeRequest?.({ requestId, method, route, principal, status: reply.status, milliseconds });
      return withHeader(reply, "askline-request-id", requestId);
    };
  };

  const dispatch = async (request: ServerRequest): Promise<Reply> => {
    const requestId = newRequestId();
    const found = find(request.url.pathname);
    const route = found?.route.path ?? "none";
    const findings: CallFindings = {};
    const finish = finisherOf(requestId, request.method, route, findings);
    const reply = await (tracing === undefined
      ? answer(requestId, request, found, findings)
      : traceRequest(tracing, requestId, request, route, () => answer(requestId, request, found, findings)));
    return "held" in reply ? { held: reply.held.then(finish) } : finish(reply);
  };

  const refuse = (error: unknown): PlainReply => {
    const requestId = newRequestId();
    return finisherOf(requestId, "other", "none", {})(refusalOf(error, requestId));
  };
  return Object.assign(dispatch, { refuse });
}

/** Where an error page is shown, and the form that was sent. */
export interface ErrorView {
  readonly path: string;
  readonly origin: string;
  readonly form: URLSearchParams | undefined;
}

/** An error is shown as a page if the sender accepts HTML and the route is a page or does not exist. */
function viewOf(
  { headers, url }: ServerRequest,
  route: Route | undefined,
  origin: string,
  form?: URLSearchParams,
): ErrorView | undefined {
  if (!(headers.get("accept")?.includes("text/html") ?? false)) return undefined;
  const { pathname: path } = url;
  const isPage = route === undefined ? !path.startsWith("/v1/") : route.page === true;
  return isPage ? { path, origin, form } : undefined;
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
  return new AsklineError(
    error.code,
    `the store failed; the server log has details under request ${requestId}`,
  );
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
