// What `askline mcp` is compared with: one tool, whose call goes on over HTTP as it is. Nothing is checked.
import { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { httpClient } from "../http-client.mjs";

const [url] = process.argv.slice(2);
const client = httpClient(url);

serveStdio(() => {
  const server = new Server({ name: "forward", version: "1.0.0" }, { capabilities: { tools: {} } });
  const inputSchema = { type: "object" };
  server.setRequestHandler("tools/list", () => ({ tools: [{ name: "ask_user_question", inputSchema }] }));
  server.setRequestHandler("tools/call", async ({ params }) => {
    const { ask } = await client.send("POST", "/v1/asks?wait=60", undefined, params.arguments);
    return { content: [{ type: "text", text: JSON.stringify(ask.outcome) }] };
  });
  return server;
});
