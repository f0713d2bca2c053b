// A server of MCP 1.32 with one tool that elicits. Over HTTP every client has a session of its own; with the
// argument `stdio` it speaks to the process that started it.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { formOf } from "../mcp-form.mjs";
import { samples } from "../sample-ask.mjs";
import { listenLocally, serving } from "../server-process.mjs";

const [way, sample] = process.argv.slice(2);
const form = formOf(samples[sample]);

function createMcpServer() {
  const server = new McpServer({ name: "bench", version: "1.0.0" });
  server.registerTool("ask", { description: "Asks the person." }, async ({ requestId }) => {
    // On the stream of the call that it belongs to.
    const options = { timeout: 60_000, relatedRequestId: requestId };
    const { content } = await server.server.elicitInput(form, options);
    return { content: [{ type: "text", text: JSON.stringify(content) }] };
  });
  return server;
}

if (way === "stdio") {
  await createMcpServer().connect(new StdioServerTransport());
} else {
  const sessions = new Map();
  const nodeServer = createServer(async (request, response) => {
    const known = sessions.get(request.headers["mcp-session-id"]);
    await (known ?? (await newSession())).handleRequest(request, response);
  });
  serving({ url: await listenLocally(nodeServer) });

  async function newSession() {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => sessions.set(id, transport),
    });
    await createMcpServer().connect(transport);
    return transport;
  }
}
