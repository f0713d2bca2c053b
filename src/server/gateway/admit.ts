// Who may open a gateway connection, and as what: an agent's host, or a device of a person.

import type { IncomingMessage } from "node:http";
import { AsklineError, LIMITS } from "../../core/index.js";
import type { Principal } from "../auth/principal.js";
import type { Services } from "../call.js";
import { identifyUpgrade } from "../identify-upgrade.js";

export const GATEWAY_PATH = "/v1/gateway";

/** The document's own: how long its plugin waits. */
const USUAL_TIMEOUT_MS = 120_000;

export type Admission =
  /** `timeoutMs` is 0 for asks that never expire. */
  | { readonly role: "host"; readonly principal: Principal; readonly timeoutMs: number }
  | { readonly role: "device"; readonly principal: Principal; readonly surface: string };

/** Throws a coded error where the connection is not to be. */
export async function admit(incoming: IncomingMessage, url: URL, services: Services): Promise<Admission> {
  const principal = await identifyUpgrade(incoming, url, services);
  return roleOf(principal, url.searchParams) === "host"
    ? { role: "host", principal, timeoutMs: readTimeout(url.searchParams) }
    : { role: "device", principal, surface: readSurface(url.searchParams) };
}

function roleOf({ role }: Principal, query: URLSearchParams): Admission["role"] {
  const own = role === "person" ? "device" : "host";
  const wanted = query.get("role") ?? own;
  if (wanted !== "host" && wanted !== "device") throw invalid("role must be host or device");
  if (wanted === own || role === "admin") return wanted;
  throw new AsklineError("forbidden", `the role ${role} connects as a ${own}`);
}

function readTimeout(query: URLSearchParams): number {
  const text = query.get("timeoutMs");
  if (text === null) return USUAL_TIMEOUT_MS;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value <= LIMITS.durationMs) return value;
  throw invalid(`timeoutMs must be a whole number of milliseconds up to ${LIMITS.durationMs}, 0 for never`);
}

function readSurface(query: URLSearchParams): string {
  const surface = query.get("surface") ?? "gateway";
  if (/^[\w.-]{1,64}$/.test(surface)) return surface;
  throw invalid("surface must be a short name of letters, digits, dots, dashes and underscores");
}

function invalid(message: string): AsklineError {
  return new AsklineError("invalid_request", message);
}
