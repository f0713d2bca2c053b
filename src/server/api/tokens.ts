import { AsklineError } from "../../core/model/error.js";
import { TOKEN_INPUT } from "../../core/model/token.js";
import type { Principal } from "../access/principal.js";
import { LIMIT, TOKENS_AFTER } from "../http/parameters.js";
import { readTaken } from "../http/read-body.js";
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
  const { expiresInMinutes, ...token } = await readTaken(call, TOKEN_INPUT);
  const expiresIn = expiresInMinutes * 60_000;
  return json(201, await call.services.auth.createToken({ ...token, expiresIn }, admin));
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
  return json(200, { tokens: page, next: isMore ? `${last.createdAt}.${last.id}` : undefined });
}

async function revoke({ param, services }: Call, { name: admin }: Principal): Promise<Reply> {
  const id = param("id");
  if (/^[0-9a-f]{12}$/.test(id) && (await services.auth.revokeToken(id, admin))) return noContent();
  throw new AsklineError("not_found", "there is no such token; it may have been revoked already");
}
