// The official clients of both SDKs, over stdio to the real command and over HTTP to a server.

import { Client as Client2, StreamableHTTPClientTransport as Http2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio2 } from "@modelcontextprotocol/client/stdio";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Stdio1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as Http1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { onTestFinished } from "vitest";
import { createMcpHttp, type McpHttpOptions } from "../../../src/agents/mcp/index.js";
import { connect } from "../../../src/client/index.js";
import type { Ask } from "../../../src/index.js";
import { ASKLINE } from "../../cli/processes.ts";
import { type OpenServer, openServer, until } from "../../server/open-server.ts";

export type Sdk = "1.32" | "2.4";
export type Transport = "stdio" | "HTTP";

export interface Result {
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
}

/** What a client's own form is answered with; `signal` aborts when the server closes the form. */
export type OnForm = (
  form: {
    readonly message: string;
    readonly requestedSchema: {
      readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    };
    readonly _meta?: Readonly<Record<string, unknown>>;
  },
  signal: AbortSignal,
) => object | Promise<object>;

export interface CallOptions {
  readonly timeout?: number;
  readonly signal?: AbortSignal;
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly onprogress?: (progress: { readonly progress: number; readonly message?: string }) => void;
}

export interface McpClient {
  call(name: string, args: object, options?: CallOptions): Promise<Result>;
  tools(): Promise<readonly { readonly name: string; readonly description?: string }[]>;
  close(): Promise<void>;
  /** The process behind a stdio client. */
  readonly pid: number | undefined;
}

export interface OpenMcp extends OpenServer {
  readonly agent: string;
  connect(
    sdk: Sdk,
    transport: Transport,
    options?: { readonly name?: string; readonly args?: readonly string[]; readonly onForm?: OnForm },
  ): Promise<McpClient>;
  /** The first pending ask, once there is one; `awaited` if an agent must be waiting for it. */
  pending(): Promise<Ask>;
}

/** A server that speaks MCP, with an agent. Its time stands still. */
export async function openMcp(
  options: Partial<McpHttpOptions> = {},
  { reports }: { readonly reports?: readonly string[] } = {},
): Promise<OpenMcp> {
  let http: ReturnType<typeof createMcpHttp> | undefined;
  const open = await openServer({
    mcp: (request, token) => {
      http ??= createMcpHttp({
        portOf: (own) => connect({ url: open.url, token: own, logger: SILENT }),
        ...options,
      });
      return http.fetch(request, token);
    },
  });
  const agent = await open.token({ name: "builder", ...(reports !== undefined && { reports }) });
  return {
    ...open,
    agent,
    connect: (sdk, transport, { name = "test", args = [], onForm } = {}) =>
      connectClient(sdk, transport, name, {
        ...(onForm !== undefined && { onForm }),
        url: open.url,
        token: agent,
        args: ["mcp", "--url", open.url, "--token", agent, ...args],
      }),
    pending: () =>
      until(async () => {
        const { asks } = await open.hub.list({ status: "pending" });
        return asks.find(({ id }) => open.hub.isAwaited(id));
      }),
  };
}

const SILENT = { warn: () => undefined, error: () => undefined };

export interface Target {
  readonly url: string;
  readonly token: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The command to start; the built one by default. */
  readonly command?: string;
  /** The client shows forms if it is given. */
  readonly onForm?: OnForm;
}

export async function connectClient(
  sdk: Sdk,
  transport: Transport,
  name: string,
  { url, token, args, env = {}, onForm, command = ASKLINE }: Target,
): Promise<McpClient> {
  const process_ = {
    command: process.execPath,
    args: [command, ...args],
    env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", ...env },
    stderr: "ignore" as const,
  };
  const endpoint = new URL(`${url}/mcp`);
  const init = { requestInit: { headers: { authorization: `Bearer ${token}` } } };
  if (sdk === "1.32") {
    const wire = transport === "stdio" ? new Stdio1(process_) : new Http1(endpoint, init);
    const capabilities = onForm === undefined ? {} : { elicitation: {} };
    const client = new Client1({ name, version: "1" }, { capabilities });
    if (onForm !== undefined) {
      client.setRequestHandler(
        ElicitRequestSchema,
        ({ params }, { signal }) => onForm(params as never, signal) as never,
      );
    }
    await client.connect(wire as never);
    return wrap(client as unknown as AnyClient, wire);
  }
  const wire = transport === "stdio" ? new Stdio2(process_) : new Http2(endpoint, init);
  const client = new Client2(
    { name, version: "1" },
    {
      versionNegotiation: { mode: "auto" },
      capabilities: onForm === undefined ? {} : { elicitation: { form: {} } },
    },
  );
  if (onForm !== undefined) {
    client.setRequestHandler(
      "elicitation/create",
      ({ params }, { mcpReq }) => onForm(params as never, mcpReq.signal) as never,
    );
  }
  await client.connect(wire);
  return wrap(client as unknown as AnyClient, wire);
}

interface AnyClient {
  callTool(params: object, ...rest: readonly unknown[]): Promise<Result>;
  listTools(): Promise<{
    readonly tools: readonly { readonly name: string; readonly description?: string }[];
  }>;
  close(): Promise<void>;
}

function wrap(client: AnyClient, wire: object): McpClient {
  onTestFinished(() => client.close().catch(() => undefined));
  return {
    call(name, args, { meta, ...options } = {}) {
      const params = { name, arguments: args, ...(meta !== undefined && { _meta: meta }) };
      // 1.32 takes a schema before the options, 2.4 does not.
      return client instanceof Client1
        ? (client as unknown as AnyClient).callTool(params, undefined, options)
        : client.callTool(params, options);
    },
    tools: async () => (await client.listTools()).tools,
    close: () => client.close(),
    get pid() {
      return (wire as { readonly pid?: number | null }).pid ?? undefined;
    },
  };
}

export const QUESTION = {
  question: "Which database?",
  header: "DB",
  options: [
    { label: "PostgreSQL", description: "A server" },
    { label: "SQLite", description: "A file" },
  ],
};
