// What only browsers send: cookies, and where a request comes from.

import { AsklineError } from "../../core/index.js";
import type { RequestHeaders } from "../http/request.js";

/** With the port: cookies know no ports, so two servers on one host would sign each other's people out. */
export function cookieName(origin: string): string {
  const { port, protocol } = new URL(origin);
  return `askline_${port || (protocol === "https:" ? "443" : "80")}`;
}

export function readCookie(headers: RequestHeaders, name: string): string | undefined {
  for (const part of (headers.get("cookie") ?? "").split(";")) {
    const [key, value] = part.trim().split("=", 2);
    if (key === name && value !== undefined && /^[\w-]{1,128}$/.test(value)) return value;
  }
  return undefined;
}

/** A `Set-Cookie`; without a value, one that removes it. */
export function sessionCookie(
  origin: string,
  value?: { readonly secret: string; readonly seconds: number },
): string {
  const secure = origin.startsWith("https:") ? "; Secure" : "";
  return `${cookieName(origin)}=${value?.secret ?? ""}; Path=/; Max-Age=${value?.seconds ?? 0}; HttpOnly; SameSite=Strict${secure}`;
}

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
