// A server of MCP 2.4 with one tool that needs input: it is called a second time with the answers, so nobody
// holds anything meanwhile. With the argument `stdio` it speaks to the process that started it.
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { acceptedContent, createMcpHandler, inputRequired, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { formOf } from "../mcp-form.mjs";
import { samples } from "../sample-ask.mjs";
import { listenLocally, serving } from "../server-process.mjs";

const [way, sample] = process.argv.slice(2);
const form = formOf(samples[sample]);

function createMcpServer() {
  const server = new McpServer({ name: "bench", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.registerTool("ask", { description: "Asks the person." }, async ({ mcpReq }) => {
    const content = acceptedContent(mcpReq.inputResponses, "form");
    if (content === undefined) return inputRequired({ inputRequests: { form: inputRequired.elicit(form) } });
    return { content: [{ type: "text", text: JSON.stringify(content) }] };
  });
  return server;
}

if (way === "stdio") serveStdio(createMcpServer);
else {
  const nodeServer = createServer(getRequestListener(createMcpHandler(createMcpServer).fetch));
  serving({ url: await listenLocally(nodeServer) });
}
