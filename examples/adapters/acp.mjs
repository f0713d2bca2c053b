// A client of the Agent Client Protocol: what its agent asks permission for, and its forms, go to the hub. The agent here
// is a scripted one of the official SDK, in the same process; yours is a program that you start.
//
//   node examples/adapters/acp.mjs

import assert from "node:assert/strict";
import { agent } from "@agentclientprotocol/sdk";
import { close, hub } from "./setting.mjs";

const permission = {
  sessionId: "s1",
  toolCall: { toolCallId: "call_1", title: "Deploy to production", rawInput: { target: "production" } },
  options: [
    { optionId: "yes", name: "Allow", kind: "allow_once" },
    { optionId: "always", name: "Always allow", kind: "allow_always" },
    { optionId: "no", name: "Reject", kind: "reject_once" },
  ],
};
let chosen;
const stream = agent({ name: "scripted" })
  .onRequest("initialize", ({ params }) => ({ protocolVersion: params.protocolVersion }))
  .onRequest("session/new", () => ({ sessionId: "s1" }))
  .onRequest("session/prompt", async ({ client: editor }) => {
    chosen = await editor.request("session/request_permission", permission);
    return { stopReason: "end_turn" };
  });

// A client:
import { client, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";
import { acpHandlers } from "askline/adapters/acp";

const asking = acpHandlers(hub, { cwd: process.cwd() });
const connection = client({ name: "my-editor" })
  .onRequest("session/request_permission", asking.requestPermission)
  .onRequest("elicitation/create", asking.createElicitation)
  .connect(stream); // for a process: ndJsonStream(input, output)
await connection.agent.request("initialize", {
  protocolVersion: PROTOCOL_VERSION,
  clientCapabilities: asking.capabilities,
});
// End
const place = { cwd: process.cwd(), mcpServers: [] };
const { sessionId } = await connection.agent.request("session/new", place);
const prompt = [{ type: "text", text: "Deploy it." }];
await connection.agent.request("session/prompt", { sessionId, prompt });
assert.deepEqual(chosen, { outcome: { outcome: "selected", optionId: "always" } });

connection.close();
await close();
console.log("ACP: a permission request was answered with one of the agent's own options.");
