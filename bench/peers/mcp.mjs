// An ask as MCP's elicitation: a client calls a tool, the tool asks, the client's person fills in the form.
// Over HTTP there is a client, and with 1.32 a session, for each call under way; over stdio all calls share
// one client, since each would need a process otherwise. MCP keeps nothing: what a crash cuts off is gone.
import { fileURLToPath } from "node:url";
import { contentOf } from "../mcp-form.mjs";
import { fourQuestions, sampleName } from "../sample-ask.mjs";
import { startServer } from "../server-process.mjs";

const CLIENTS = 64;

/** `major` is 1 or 2, `way` is `http` or `stdio`. */
export async function openMcp(sample = fourQuestions, { major, way }) {
  const sdk = await (major === 1 ? sdk1() : sdk2());
  const name = sampleName(sample);
  const server = way === "http" ? await startServer(`mcp-${major}`, "http", name) : undefined;
  const content = contentOf(sample);
  const expected = JSON.stringify(content);

  async function connect() {
    const transport =
      server === undefined
        ? sdk.stdio({
            command: process.execPath,
            args: [program(major), "stdio", name],
            stderr: "ignore",
          })
        : sdk.http(new URL(server.url));
    return sdk.connect(transport, () => ({ action: "accept", content }));
  }
  const clients = await Promise.all(Array.from({ length: server === undefined ? 1 : CLIENTS }, connect));
  const idle = [...clients];

  return {
    async cycle() {
      const client = server === undefined ? clients[0] : idle.pop();
      const result = await client.callTool({ name: "ask", arguments: {} });
      if (result.content[0]?.text !== expected) throw new Error(`MCP gave ${JSON.stringify(result)}`);
      idle.push(client);
    },
    async close() {
      for (const client of clients) await client.close();
      await server?.close();
    },
  };
}

async function sdk1() {
  const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
  const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
  const { StreamableHTTPClientTransport } = await import(
    "@modelcontextprotocol/sdk/client/streamableHttp.js"
  );
  const { ElicitRequestSchema } = await import("@modelcontextprotocol/sdk/types.js");
  return {
    stdio: (options) => new StdioClientTransport(options),
    http: (url) => new StreamableHTTPClientTransport(url),
    async connect(transport, fillIn) {
      const client = new Client(
        { name: "bench", version: "1.0.0" },
        { capabilities: { elicitation: { form: {} } } },
      );
      client.setRequestHandler(ElicitRequestSchema, fillIn);
      await client.connect(transport);
      return client;
    },
  };
}

async function sdk2() {
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
  return {
    stdio: (options) => new StdioClientTransport(options),
    http: (url) => new StreamableHTTPClientTransport(url),
    async connect(transport, fillIn) {
      const client = new Client(
        { name: "bench", version: "1.0.0" },
        {
          capabilities: { elicitation: { form: {} } },
          versionNegotiation: { mode: { pin: "2026-07-28" } },
        },
      );
      client.setRequestHandler("elicitation/create", fillIn);
      await client.connect(transport);
      return client;
    },
  };
}

function program(major) {
  return fileURLToPath(new URL(`../servers/mcp-${major}.mjs`, import.meta.url));
}
