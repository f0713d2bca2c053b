// Callers that the host's own function identifies, in place of our tokens and cookies.

import type { IncomingMessage } from "node:http";
import type { Clock } from "../../core/kit/clock.js";
import { isRecord } from "../../core/kit/json.js";
import { LIMITS } from "../../core/kit/limits.js";
import { defined } from "../../core/kit/tools.js";
import { AsklineError } from "../../core/model/error.js";
import { ROLES, type Viewer } from "../../core/model/visibility.js";
import type { ServerRequest } from "../http/request.js";
import type { Auth } from "./auth.js";
import type { Principal } from "./principal.js";
import { isId } from "./tokens.js";

/** A caller, as the host's own function knows it. */
export type AuthenticatedCaller = Pick<Viewer, "role" | "name" | "owner" | "sessions"> &
  Pick<Principal, "reports">;

/**
 * Identifies the caller of a request; undefined if nobody is signed in. The request has no body. `incoming` is the
 * request of node:http, with what earlier middleware has added; undefined for a Fetch request.
 */
export type Authenticate = (
  request: Request,
  incoming: IncomingMessage | undefined,
) => AuthenticatedCaller | undefined | Promise<AuthenticatedCaller | undefined>;

/** Resolves with undefined if nobody is signed in. */
export type IdentifyCaller = (
  request: Pick<ServerRequest, "method" | "url" | "headers" | "incoming">,
) => Promise<Principal | undefined>;

/** The host is asked again after this time about the caller of an open stream, socket or held request. */
const VALID_MS = 60_000;

export function createIdentifyCaller(authenticate: Authenticate, clock: Clock): IdentifyCaller {
  let count = 0;
  return async (sent) => {
    const { incoming } = sent;
    const request = toRequest(sent);
    const find = async (): Promise<AuthenticatedCaller | undefined> =>
      checked(await authenticate(request.clone(), incoming));
    const caller = await find();
    if (caller === undefined) return undefined;
    const before = JSON.stringify(caller);
    let validUntil = clock.monotonic() + VALID_MS;
    const isValid = async (): Promise<boolean> => {
      if (clock.monotonic() < validUntil) return true;
      if (JSON.stringify(await find()) !== before) return false;
      validUntil = clock.monotonic() + VALID_MS;
      return true;
    };
    count += 1;
    return { ...caller, credential: { kind: "host", id: String(count), isValid } };
  };
}

function toRequest({ method, url, headers: sent, incoming }: Parameters<IdentifyCaller>[0]): Request {
  if (incoming === undefined) return new Request(url, { method, headers: sent as Headers });
  const headers = new Headers();
  for (const [name, values] of Object.entries(incoming.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  return new Request(url, { method, headers });
}

/** Anything but a caller or undefined is the host's mistake, and gives access to nothing. */
function checked(value: unknown): AuthenticatedCaller | undefined {
  if (value === undefined || value === null) return undefined;
  const { role, name, owner, sessions, reports } = isRecord(value) ? value : {};
  const known = ROLES.find((each) => each === role);
  if (known === undefined) throw mistake(`a role, which must be one of ${ROLES.join(", ")}`);
  if (!isId(name)) throw mistake(`a name of 1 to ${LIMITS.idLength} characters`);
  if (owner !== undefined && !isId(owner)) throw mistake(`an owner of 1 to ${LIMITS.idLength} characters`);
  const isSession = (session: unknown): session is string =>
    session === "" || isId(session, LIMITS.sessionLength);
  if (sessions !== undefined && !(Array.isArray(sessions) && sessions.every(isSession))) {
    throw mistake("sessions as a list of ids");
  }
  if (reports !== undefined && !(Array.isArray(reports) && reports.every((person) => isId(person)))) {
    throw mistake("reports as a list of person ids");
  }
  return {
    ...{ role: known, name },
    ...defined({ owner, sessions: sessions && [...sessions], reports: reports && [...reports] }),
  };
}

function mistake(what: string): Error {
  return new Error(`authenticate must return undefined or a caller with ${what}`);
}

/** For a server without credentials of its own: nothing can be made, and nothing opens. */
export const NO_CREDENTIALS: Auth = {
  // The host knows its people.
  people: {
    list: async () => [],
    unknown: async () => [],
    issued: async () => undefined,
    seen: () => undefined,
    left: async () => undefined,
  },
  browsersByPerson: async () => new Map(),
  createToken: refuse,
  listTokens: async () => [],
  revokeToken: async () => false,
  verifyToken: async () => undefined,
  createInboxCode: refuse,
  redeemInboxCode: async () => undefined,
  hasInboxCode: async () => false,
  devices: async () => [],
  endDevice: async () => false,
  verifyCookie: async () => undefined,
  endCookie: async () => undefined,
  signOut: async () => 0,
  revokePerson: async () => ({ tokens: 0, browsers: 0 }),
  isRevoked: async () => false,
  createLink: refuse,
  openLink: async () => ({ ok: false, code: "invalid_link" }),
  createAction: refuse,
  findAction: async () => undefined,
  proofKey: async () => undefined,
  isValid: (credential) => credential.kind === "host" && credential.isValid(),
};

function refuse(): Promise<never> {
  const message = "this server has no tokens, codes or links; its owner can pass `auth` to createServer";
  return Promise.reject(new AsklineError("unsupported", message));
}
