import { AsklineError } from "../core/index.js";
import type { RequestHeaders } from "./request.js";

/**
 * Refuses what a page of another site makes a browser send. The browser says where a request comes from:
 * in `Sec-Fetch-Site` where it trusts the connection, in `Origin` otherwise. Programs that are no browser
 * send neither; that is fine with a token, which no browser adds by itself, and not with a cookie.
 */
export function requireSameOrigin(headers: RequestHeaders, own: string, browserOnly: boolean): void {
  const site = headers.get("sec-fetch-site");
  if (site === "same-origin") return;
  const origin = headers.get("origin");
  if (site === null && (origin === null ? !browserOnly : origin === own)) return;
  throw new AsklineError(
    "origin_not_allowed",
    `this was not sent by a page of ${own}; send it from there, or with a token and without an Origin`,
  );
}
