// An ask as a tool call over MCP stdio, to `askline mcp` or to a server that only forwards; a person who follows the
// events of the server behind answers it.
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { commandPath } from "../askline.mjs";
import { httpClient } from "../http-client.mjs";
import { fourQuestions, sampleName } from "../sample-ask.mjs";
import { startServer } from "../server-process.mjs";

/** `server` is the program in servers/ behind MCP: `askline` or `relay`. */
export async function openMcpAsk(sample = fourQuestions, { server: name }) {
  const server = await startServer(name, "sqlite", sampleName(sample));
  const { url, agentToken, personToken } = server;
  const program = fileURLToPath(new URL("../servers/mcp-forward.mjs", import.meta.url));
  const args =
    name === "askline"
      ? [commandPath("askline"), "mcp", "--url", url, "--token", agentToken]
      : [program, url];
  const transport = new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" });
  const client = new Client({ name: "bench", version: "1.0.0" });
  await client.connect(transport);

  const person = httpClient(url);
  await person.follow("/v1/events", personToken, ({ type, ask }) => {
    if (type !== "ask.created") return;
    const body = { answers: sample.answers };
    // A call that is not answered ends with the timeout of its client.
    person.send("POST", `/v1/asks/${ask.id}/answer`, personToken, body).catch(() => {});
  });
  const { questions } = sample.ask;
  return {
    async cycle(id) {
      const call = { name: "ask_user_question", arguments: { questions, context: id } };
      const { content, isError } = await client.callTool(call);
      if (isError || !content[0]?.text.includes("answered")) {
        throw new Error(`MCP gave ${JSON.stringify(content)}`);
      }
    },
    async close() {
      person.close();
      await client.close();
      await server.close();
    },
  };
}
