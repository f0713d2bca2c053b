// GitHub's Copilot SDK, with its real runtime and a model on this machine: a question of the agent, and a command that a
// person approves with other arguments. Neither needs an account at GitHub, because the model is your own.
//
//   node --import ./test/agents/register.mjs examples/adapters/copilot.mjs

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { close, hub } from "./setting.mjs";

const calls = [
  { name: "ask_user", args: { question: "Which sign-in?", choices: ["Password", "Passkey"] } },
  { name: "deploy", args: { target: "production" } },
];
let read;
const server = createServer(async (request, response) => {
  const { messages } = await json(request);
  read = messages.filter(({ role }) => role === "tool").map(({ content }) => content);
  const { name, args } = calls[read.length] ?? {};
  const call = {
    id: `call_${name}`,
    type: "function",
    function: { name, arguments: JSON.stringify(args) },
  };
  const message = name ? { content: null, tool_calls: [call] } : { content: "Done." };
  const choice = {
    index: 0,
    message: { role: "assistant", ...message },
    finish_reason: name ? "tool_calls" : "stop",
  };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ id: "1", object: "chat.completion", created: 1, choices: [choice], usage }));
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const provider = {
  type: "openai",
  baseUrl: `http://127.0.0.1:${server.address().port}/v1`,
  apiKey: "none",
};
const model = "double";
const folder = mkdtempSync(join(tmpdir(), "askline-copilot-"));
const deploy = {
  name: "deploy",
  description: "Deploys the service",
  parameters: { type: "object", properties: { target: { type: "string" } } },
  handler: ({ target }) => `deployed to ${target}`,
};
const place = { baseDirectory: folder, workingDirectory: folder, useLoggedInUser: false, logLevel: "none" };

// A session:
import { CopilotClient } from "@github/copilot-sdk";
import { askline } from "askline/adapters/copilot";

const copilot = new CopilotClient(place);
const session = await copilot.createSession({
  ...askline(hub, { approve: ["deploy"] }),
  model,
  provider,
  tools: [deploy],
});
await session.sendAndWait({ prompt: "Build the login page, and deploy it." });
// End
assert.deepEqual(read, ["User selected: Passkey", "deployed to staging"]);

// Several questions at once:
import { askTool } from "askline/adapters/copilot";

const tools = [askTool(hub)];
// End
assert.equal(tools[0].name, "ask_user_question");

await copilot.stop();
server.close();
rmSync(folder, { recursive: true, force: true });
await close();
console.log("Copilot: a question was answered, and a tool ran with the arguments that a person approved.");
