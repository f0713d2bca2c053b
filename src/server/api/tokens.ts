import { AsklineError, LIMITS } from "../../core/index.js";
import type { Principal } from "../access/principal.js";
import { isId, TOKEN_MINUTES, TOKEN_ROLES } from "../access/tokens.js";
import { LIMIT, TOKENS_AFTER } from "../http/parameters.js";
import { readFields } from "../http/read-body.js";
import { json, noContent, type Reply } from "../http/reply.js";
import type { Operation } from "../openapi/operation.js";
import type { Call, Route } from "../routing/call.js";
import { authorized } from "../routing/identify.js";

const USUAL_PAGE = 100;
const ADMIN = { roles: ["admin"] } as const;

const CREATE: Operation = {
  id: "createToken",
  summary: "Create a token for a person or an agent",
  description:
    "For a back end that gives its front end a token. The token is in this response only: the server stores its hash.",
  body: { schema: "TokenInput" },
  responses: { 201: { description: "The token.", schema: "TokenResponse" } },
  errors: ["unsupported"],
};

const LIST: Operation = {
  id: "listTokens",
  summary: "All tokens, oldest first, without their secrets",
  description: "A token stays listed for 30 days after it has expired.",
  parameters: [LIMIT, TOKENS_AFTER],
  responses: { 200: { description: "A page of tokens.", schema: "TokenPage" } },
};

const REVOKE: Operation = {
  id: "revokeToken",
  summary: "Revoke a token",
  description:
    "It stops working within a second on every server of the store, and what it has open is closed. The person of a token for all sessions is signed out of every browser, and sign-in codes end.",
  responses: { 204: { description: "It is revoked." } },
  errors: ["not_found"],
};

export const tokenRoutes: readonly Route[] = [
  {
    path: "/v1/tokens",
    methods: { GET: authorized(ADMIN, LIST, list), POST: authorized(ADMIN, CREATE, create) },
  },
  { path: "/v1/tokens/{id}", methods: { DELETE: authorized(ADMIN, REVOKE, revoke) } },
];

async function create(call: Call, { name: admin }: Principal): Promise<Reply> {
  const fields = await readFields(call, ["role", "name", "owner", "sessions", "reports", "expiresInMinutes"]);
  const { role, name, owner, sessions, reports, expiresInMinutes = TOKEN_MINUTES.usual } = fields;
  const known = TOKEN_ROLES.find((each) => each === role);
  if (known === undefined) throw invalid(`role must be ${TOKEN_ROLES.join(" or ")}`);
  if (!isId(name)) {
    throw invalid(`name must have 1 to ${LIMITS.idLength} characters, none of them a control character`);
  }
  if (owner !== undefined && !isId(owner)) throw invalid("owner must be the id of a person");
  if (sessions !== undefined && !isList(sessions)) throw invalid("sessions must be a list of session ids");
  if (reports !== undefined && !isList(reports)) throw invalid("reports must be a list of person ids");
  if (!isMinutes(expiresInMinutes)) {
    throw invalid(`expiresInMinutes must be a whole number from 1 to ${TOKEN_MINUTES.max} (a year)`);
  }
  const created = await call.services.auth.createToken(
    {
      ...{ role: known, name, expiresIn: expiresInMinutes * 60_000 },
      ...(owner !== undefined && { owner }),
      ...(sessions !== undefined && { sessions }),
      ...(reports !== undefined && { reports }),
    },
    admin,
  );
  return json(201, { token: created.token, info: created.info });
}

async function list({ url, services }: Call): Promise<Reply> {
  const limit = LIMIT.read(url.searchParams) ?? USUAL_PAGE;
  const [createdAt = "0", afterId = ""] = TOKENS_AFTER.read(url.searchParams)?.split(".") ?? [];
  const after = Number(createdAt);
  const tokens = [...(await services.auth.listTokens())]
    .sort((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1))
    .filter((token) => token.createdAt > after || (token.createdAt === after && token.id > afterId));
  const page = tokens.slice(0, limit);
  const last = page.at(-1);
  const isMore = last !== undefined && tokens.length > limit;
  return json(200, { tokens: page, ...(isMore && { next: `${last.createdAt}.${last.id}` }) });
}

async function revoke({ param, services }: Call, { name: admin }: Principal): Promise<Reply> {
  const id = param("id");
  if (/^[0-9a-f]{12}$/.test(id) && (await services.auth.revokeToken(id, admin))) return noContent();
  throw new AsklineError("not_found", "there is no such token; it may have been revoked already");
}

function isList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isMinutes(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= TOKEN_MINUTES.max;
}

function invalid(message: string): AsklineError {
  return new AsklineError("invalid_request", message);
}
