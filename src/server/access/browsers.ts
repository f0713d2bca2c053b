// What only browsers send: cookies and origins.

import { AsklineError } from "../../core/model/error.js";
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

/** A `Set-Cookie` header for requests below `base`; without a value, it removes the cookie. */
export function sessionCookie(
  { origin, base }: { readonly origin: string; readonly base: string },
  value?: { readonly secret: string; readonly seconds: number },
): string {
  const secure = origin.startsWith("https:") ? "; Secure" : "";
  return `${cookieName(origin)}=${value?.secret ?? ""}; Path=${base || "/"}; Max-Age=${value?.seconds ?? 0}; HttpOnly; SameSite=Strict${secure}`;
}

/** Whether a request without an Origin header was sent by a page of this server, or by another program. */
export function isSameOrigin(headers: RequestHeaders): boolean {
  const site = headers.get("sec-fetch-site");
  return site === null || site === "same-origin";
}

/**
 * Refuses requests that a page of another site makes a browser send. The browser names the source in
 * `Sec-Fetch-Site` on trusted connections, otherwise in `Origin`. Other programs send neither, which is fine with a
 * token, because no browser adds a token by itself, but not with a cookie.
 */
export function requireSameOrigin(headers: RequestHeaders, own: string, browserOnly: boolean): void {
  const site = headers.get("sec-fetch-site");
  if (site === "same-origin") return;
  const origin = headers.get("origin");
  if (site === null && (origin === null ? !browserOnly : origin === own)) return;
  throw new AsklineError(
    "origin_not_allowed",
    `this request does not come from a page of ${own}; send it from there, or with a token, either from an allowed origin or without an Origin header`,
  );
}
