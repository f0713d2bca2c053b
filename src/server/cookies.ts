// Cookies know hosts but no ports: with one name for all, two servers on one machine would sign each other's
// people out. So the port is in the name.

import type { RequestHeaders } from "./request.js";

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
