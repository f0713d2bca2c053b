// Pages of other origins (CORS). They may use bearer tokens only: a browser adds the cookie by itself, so the cookie
// never works from another origin, and no response allows credentials.

import { AsklineError } from "../../core/model/error.js";
import type { RequestHeaders } from "../http/request.js";

export interface Origins {
  /** Whether pages of this origin may send requests with a bearer token. */
  allows(origin: string | null): boolean;
  /** Whether it is allowed by name: `*` is for pages with a token, not for a sign-in that a browser adds by itself. */
  names(origin: string | null): boolean;
  /** The headers of every reply to this path; undefined if there are none. */
  headers(path: string, sent: RequestHeaders): Readonly<Record<string, string>> | undefined;
  /** The headers of the reply to a preflight request; undefined if the request is not one that is allowed. */
  preflight(
    path: string,
    sent: RequestHeaders,
    methods: string,
  ): Readonly<Record<string, string>> | undefined;
}

const REQUEST_HEADERS =
  "Authorization, Content-Type, Idempotency-Key, Askline-Surface, Last-Event-ID, Traceparent, Mcp-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name";
const RESPONSE_HEADERS =
  "Askline-Request-Id, Askline-Position, Askline-Next, Askline-Previous, Retry-After, Mcp-Session-Id";
const PREFLIGHT_SECONDS = 600;

export function createOrigins(allowedOrigins: readonly string[] = []): Origins {
  const allowed = new Set(allowedOrigins.map(parseOrigin));
  const names = (origin: string | null): boolean => origin !== null && allowed.has(origin);
  const allows = (origin: string | null): boolean => names(origin) || (origin !== null && allowed.has("*"));
  const headers: Origins["headers"] = (path, sent) => {
    if (allowed.size === 0 || !isForPrograms(path)) return undefined;
    const origin = sent.get("origin");
    if (!allows(origin)) return { vary: "Origin" };
    return {
      vary: "Origin",
      "access-control-allow-origin": origin ?? "",
      "access-control-expose-headers": RESPONSE_HEADERS,
    };
  };
  return {
    allows,
    names,
    headers,
    preflight(path, sent, methods) {
      const isAllowed = isForPrograms(path) && allows(sent.get("origin"));
      if (!isAllowed || sent.get("access-control-request-method") === null) return undefined;
      return {
        "access-control-allow-methods": methods,
        "access-control-allow-headers": REQUEST_HEADERS,
        "access-control-max-age": String(PREFLIGHT_SECONDS),
      };
    },
  };
}

/** The pages are for people who are signed in, and stay closed. */
function isForPrograms(path: string): boolean {
  return path.startsWith("/v1/") || path === "/openapi.json" || path === "/mcp";
}

function parseOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (text === "*" || (url?.origin === text && /^https?:$/.test(url.protocol))) return text;
  throw new AsklineError(
    "invalid_request",
    `the allowed origin "${text}" is not valid; use scheme, host and port only, like https://app.example.com, or *`,
  );
}
