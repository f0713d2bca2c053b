// An agent asks over MCP, as Claude Code or Cursor would: it starts `askline mcp`, which starts a server in the
// background. A person answers over HTTP. Nothing is left behind.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const askline = fileURLToPath(new URL("../../dist/bin/askline.js", import.meta.url));
const data = mkdtempSync(join(tmpdir(), "askline-example-"));
const env = {
  PATH: process.env.PATH,
  HOME: data,
  ASKLINE_DATA: data,
  ASKLINE_PORT: "0",
  ASKLINE_PERSON: "ana",
};
const run = (...args) => execFileSync(process.execPath, [askline, ...args], { env, encoding: "utf8" });

const client = new Client({ name: "example", version: "1.0.0" });
try {
  const transport = new StdioClientTransport({ command: process.execPath, args: [askline, "mcp"], env });
  await client.connect(transport);
  const asking = client.callTool({
    name: "ask_user_question",
    arguments: {
      questions: [
        {
          question: "Which database should the service use?",
          header: "Database",
          options: [
            { label: "PostgreSQL", description: "A server, for many writers" },
            { label: "SQLite", description: "A file, nothing to run" },
          ],
        },
      ],
    },
  });

  const ask = await firstPending();
  run("answer", ask.id, "--pick", "2");
  const { content, structuredContent } = await asking;
  console.log(content[0].text);
  assert.equal(structuredContent.status, "answered");
  assert.deepEqual(structuredContent.answers[0].choices, [{ id: "o2", label: "SQLite" }]);
} finally {
  await client.close();
  run("stop");
  rmSync(data, { recursive: true, force: true });
}

/** The person's side: what waits for an answer. */
async function firstPending() {
  for (;;) {
    try {
      const { asks } = JSON.parse(run("list", "--json"));
      if (asks.length > 0) return asks[0];
    } catch {
      // The server is still starting.
    }
    await pause(100);
  }
}
