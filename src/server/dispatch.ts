// The way of every request: is it for this server, is there such a route, then the route itself. Whatever is
// thrown on the way becomes an error of the one shape.

import { randomBytes } from "node:crypto";
import { isPublic, meaningOf } from "../core/error.js";
import { AsklineError } from "../core/index.js";
import type { Call, Route, Services } from "./call.js";
import type { AnsweredRequest } from "./instruments/requests.js";
import { traceRequest } from "./instruments/trace-request.js";
import { exchangeOf, laterOf } from "./node-requests.js";
import { formOf } from "./page/kept-form.js";
import { pageResponse } from "./page/layout.js";
import { errorPage } from "./page/plain-pages.js";
import { problem, problemHeaders, withHeader } from "./respond.js";

export interface Dispatch {
  /** Answers a request; without a route, that there is none. */
  (request: Request, route?: Route, param?: (name: string) => string): Promise<Response>;
  /** An error that came before there was a request to speak of. */
  refuse(error: unknown): Response;
}

export function createDispatch(services: Services): Dispatch {
  const { clock, observeRequest, tracing } = services;
  // Ours alone: a request's own idea of its id would end up in a header and a log.
  const start = randomBytes(4).toString("hex");
  let count = 0;
  const newRequestId = (): string => {
    count += 1;
    return `${start}-${count.toString(36)}`;
  };

  const toResponse = (error: unknown, requestId: string, shown?: Shown): Response => {
    const told = tellable(error, requestId);
    if (told !== error) services.logger.error(`request ${requestId} failed`, error);
    const headers = { "askline-request-id": requestId };
    if (shown === undefined) return problem(told, headers);
    const { "www-authenticate": _, ...others } = problemHeaders(told);
    const page = errorPage(told, shown.path, formOf(shown.request));
    return pageResponse(meaningOf(told.code).status, page, shown.origin, { ...others, ...headers });
  };

  const answer = async (
    requestId: string,
    request: Request,
    route?: Route,
    param: (name: string) => string = () => "",
  ): Promise<Response> => {
    let origin = "http://localhost";
    try {
      const address = services.doors.enter(exchangeOf(request)?.incoming);
      const url = new URL(request.url);
      origin = services.hosts.originOf(url);
      const refuse = (error: unknown): Response => toResponse(error, requestId);
      const call: Call = { request, url, origin, address, requestId, param, refuse, services };
      if (route === undefined) throw new AsklineError("not_found", "there is no such route");
      const method = request.method === "HEAD" ? "GET" : request.method;
      const known = Object.hasOwn(route.methods, method) ? route.methods[method] : undefined;
      if (known !== undefined) return await known.handle(call);
      const refused = notAllowed(route);
      return withHeader(
        toResponse(refused.error, requestId, shownTo(request, route, origin)),
        "allow",
        refused.allow,
      );
    } catch (error) {
      return toResponse(error, requestId, shownTo(request, route, origin));
    }
  };

  const dispatch = async (...call: Parameters<Dispatch>): Promise<Response> => {
    const requestId = newRequestId();
    const start = clock.monotonic();
    const [request, route] = call;
    const answered =
      tracing === undefined
        ? await answer(requestId, ...call)
        : await traceRequest(tracing, requestId, request, route, () => answer(requestId, ...call));
    const response = withHeader(answered, "askline-request-id", requestId);
    const later = laterOf(request);
    if (later !== undefined) observeLater(later, services, { requestId, request, route }, start);
    else {
      const milliseconds = clock.monotonic() - start;
      observeRequest?.({ requestId, request, route, status: response.status, milliseconds });
    }
    return response;
  };

  const refuse = (error: unknown): Response => {
    const requestId = newRequestId();
    const response = toResponse(error, requestId);
    observeRequest?.({ requestId, status: response.status, milliseconds: 0 });
    return response;
  };
  return Object.assign(dispatch, { refuse });
}

/** Apart from the rest: what is kept for as long as a response is held should be little. */
function observeLater(
  later: Promise<Response>,
  { observeRequest, clock }: Services,
  answered: Omit<AnsweredRequest, "status" | "milliseconds">,
  start: number,
): void {
  if (observeRequest === undefined) return;
  void later.then(({ status }) =>
    observeRequest({ ...answered, status, milliseconds: clock.monotonic() - start }),
  );
}

/** An error that a person sees, and not a program. */
interface Shown {
  readonly request: Request;
  readonly path: string;
  readonly origin: string;
}

/** To whom an error is told as a page: to those who want one, where there is a page or nothing at all. */
function shownTo(request: Request, route: Route | undefined, origin: string): Shown | undefined {
  if (!(request.headers.get("accept")?.includes("text/html") ?? false)) return undefined;
  const { pathname: path } = new URL(request.url);
  const isPage = route === undefined ? !path.startsWith("/v1/") : route.page === true;
  return isPage ? { request, path, origin } : undefined;
}

function notAllowed({ methods }: Route): { readonly error: AsklineError; readonly allow: string } {
  const allow = Object.keys(methods)
    .flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
    .join(", ");
  return { error: new AsklineError("method_not_allowed", `this route takes ${allow}`), allow };
}

/** What may be told to anyone. Of faults, only where to find more: their messages name paths and queries. */
function tellable(error: unknown, requestId: string): AsklineError {
  if (isPublic(error)) return error;
  if (!(error instanceof AsklineError)) {
    return new AsklineError("internal", `something went wrong here; the log tells more under ${requestId}`);
  }
  return new AsklineError(error.code, `the store is in trouble; the log tells more under ${requestId}`);
}
