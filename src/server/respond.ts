import { meaningOf } from "../core/error.js";
import type { AsklineError } from "../core/index.js";
import { ALREADY_SENT } from "./node-requests.js";

export interface PlainResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

// Making a Response of a text and reading the text out of it again costs more than all the rest of a small
// request: each way goes through a stream. So the text stays beside its Response until somebody needs both.
const plain = new WeakMap<Response, PlainResponse>();

/** What a response of ours was made from; undefined for streams and for responses of others. */
export function plainOf(response: Response): PlainResponse | undefined {
  return plain.get(response);
}

/** A response with its text in {@link plainOf} only; {@link wholeResponse} puts the two together. */
export function respond(status: number, body: string, headers: Readonly<Record<string, string>>): Response {
  const response = new Response(null, { status, headers });
  plain.set(response, { status, headers, body });
  return response;
}

/** The response for those who know nothing of {@link plainOf}. */
export function wholeResponse(response: Response): Response {
  const known = plain.get(response);
  return known === undefined || known.body === "" ? response : new Response(known.body, known);
}

/** The same response, with one header more. What was sent already stays as it is. */
export function withHeader(response: Response, name: string, value: string): Response {
  if (response === ALREADY_SENT) return response;
  const known = plain.get(response);
  if (known !== undefined) plain.set(response, { ...known, headers: { ...known.headers, [name]: value } });
  // Of a response with a text, the headers beside the text are those that are sent.
  if (known === undefined || known.body === "") response.headers.set(name, value);
  return response;
}

export function json(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return respond(status, JSON.stringify(value), {
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...headers,
  });
}

export function noContent(): Response {
  return respond(204, "", { "cache-control": "no-store" });
}

/** The one shape of every error. */
export function problemBody({ code, message, issues, outcome }: AsklineError): object {
  return {
    error: {
      code,
      message,
      ...(issues !== undefined && { issues }),
      ...(outcome !== undefined && { outcome }),
    },
  };
}

export function problem(error: AsklineError, headers: Readonly<Record<string, string>> = {}): Response {
  const { code } = error;
  return json(meaningOf(code).status, problemBody(error), { ...problemHeaders(error), ...headers });
}

/** What HTTP wants said beside the status. */
export function problemHeaders({
  code,
  retryAfterMs = 1_000,
}: Pick<AsklineError, "code" | "retryAfterMs">): Readonly<Record<string, string>> {
  const status = meaningOf(code).status;
  if (status === 401) return { "www-authenticate": `Bearer realm="askline"` };
  // What was not read of the body would be taken for the next request.
  if (status === 413 || status === 408) return { connection: "close" };
  if (status !== 503 && status !== 429) return {};
  const retryAfter = { "retry-after": String(Math.max(1, Math.ceil(retryAfterMs / 1_000))) };
  // The next request is for another server, or for this one after a restart.
  return code === "closed" ? { ...retryAfter, connection: "close" } : retryAfter;
}
