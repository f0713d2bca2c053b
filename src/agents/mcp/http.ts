// The tools over Streamable HTTP, for a server that has checked the bearer token of each request.
//
// Nothing is kept between requests, so a restart loses nothing. A 2025 client gets a session id that only says who the
// client is; with it, its `notifications/cancelled`, which is a request of its own, finds the call it means.

import { type AuthInfo, createMcpHandler } from "@modelcontextprotocol/server";
import { isRecord } from "../../core/kit/json.js";
import { keepNewest } from "../../core/kit/tools.js";
import { declaresForms } from "./client-forms.js";
import { createMcp, declaresCards, type Mcp, type McpOptions, type RememberedClient } from "./mcp-server.js";
import type { AgentPort } from "./port.js";

export interface McpHttpOptions extends Omit<McpOptions, "port"> {
  /** The asks of the agent with this token. Called once for each token in use. */
  portOf(token: string): AgentPort;
}

export interface McpHttp {
  /** Answers one request of the agent with this token, which the caller has verified. */
  fetch(request: Request, token: string): Promise<Response>;
  close(): Promise<void>;
}

const SESSION_HEADER = "mcp-session-id";
const MOST_TOKENS = 1_000;

export function createMcpHttp({ portOf, ...options }: McpHttpOptions): McpHttp {
  const agents = new Map<string, Mcp>();
  const mcpOf = (token: string): Mcp => {
    const mcp = agents.get(token) ?? createMcp({ ...options, port: portOf(token), stateSecret: token });
    agents.delete(token);
    agents.set(token, mcp);
    keepNewest(agents, MOST_TOKENS);
    return mcp;
  };
  const handler = createMcpHandler(({ authInfo, requestInfo }) =>
    mcpOf(authInfo?.token ?? "").createServer(rememberedClient(requestInfo?.headers.get(SESSION_HEADER))),
  );
  return {
    async fetch(request, token) {
      const parsedBody: unknown = request.method === "POST" ? await readBody(request) : undefined;
      const message = isRecord(parsedBody) ? parsedBody : {};
      const params = isRecord(message.params) ? message.params : {};
      if (message.method === "notifications/cancelled") {
        const { session } = rememberedClient(request.headers.get(SESSION_HEADER));
        mcpOf(token).cancel(session, params.requestId, params.reason);
      }
      // The answer to a form that another request of this session is showing.
      if (message.method === undefined && (isRecord(message.result) || isRecord(message.error))) {
        const { session } = rememberedClient(request.headers.get(SESSION_HEADER));
        if (mcpOf(token).respond(session, message)) return new Response(null, { status: 202 });
      }
      const authInfo: AuthInfo = { token, clientId: "agent", scopes: [] };
      const body = parsedBody === undefined ? {} : { parsedBody };
      const response = await handler.fetch(request, { authInfo, ...body });
      if (message.method !== "initialize" || !response.ok) return response;
      const headers = new Headers(response.headers);
      headers.set(SESSION_HEADER, newSession(params.clientInfo, params.capabilities));
      return new Response(response.body, { status: response.status, headers });
    },
    close: () => handler.close(),
  };
}

/** Undefined for a body that is not JSON: the SDK answers it. */
async function readBody(request: Request): Promise<unknown> {
  try {
    return (await request.clone().json()) as unknown;
  } catch {
    return undefined;
  }
}

/** The client's name, what it can show, and something random: no secret, and nothing depends on its being true. */
function newSession(clientInfo: unknown, capabilities: unknown): string {
  const name = isRecord(clientInfo) && typeof clientInfo.name === "string" ? clientInfo.name : "";
  const shows = `${declaresForms(capabilities) ? "f" : ""}${declaresCards(capabilities) ? "c" : ""}`;
  return `${crypto.randomUUID()}.${shows}-${encodeURIComponent(name.slice(0, 64)).replaceAll("%", "~")}`;
}

function rememberedClient(session: string | null | undefined): RememberedClient {
  if (!session || session.length > 512) return {};
  const [, shows = "", name = ""] = /^[\w-]{36}\.(f?c?)-(.*)$/.exec(session) ?? [];
  const can = { showsForms: shows.includes("f"), showsCards: shows.includes("c") };
  try {
    return { session, ...can, ...(name !== "" && { name: decodeURIComponent(name.replaceAll("~", "%")) }) };
  } catch {
    return { session, ...can };
  }
}
