// Mastra, with a double of a model: a question that waits in place, and an approval of a suspended run.
//
//   node --import ./test/agents/register.mjs examples/adapters/mastra.mjs

import assert from "node:assert/strict";
import { InMemoryStore } from "@mastra/core/storage";
import * as z from "zod";
import { ANSWERED, close, hub, questions } from "./setting.mjs";

let read;
const calling = (name, args) => ({
  specificationVersion: "v2",
  provider: "double",
  modelId: "double",
  supportedUrls: {},
  async doGenerate({ prompt }) {
    const result = prompt.find(({ role }) => role === "tool");
    read = result?.content[0].output.value;
    const call = {
      type: "tool-call",
      toolCallId: `call_${name}`,
      toolName: name,
      input: JSON.stringify(args),
    };
    const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
    const finishReason = result ? "stop" : "tool-calls";
    return { content: [result ? { type: "text", text: "Done." } : call], finishReason, usage, warnings: [] };
  },
  async doStream(options) {
    const { content, finishReason, usage } = await this.doGenerate(options);
    const text = content[0].type === "text";
    const parts = text
      ? [
          { type: "text-start", id: "1" },
          { type: "text-delta", id: "1", delta: "Done." },
          { type: "text-end", id: "1" },
        ]
      : content;
    return { stream: ReadableStream.from([...parts, { type: "finish", finishReason, usage }]) };
  },
});
let model = calling("ask_user_question", { questions });

// In place:
import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { askTool } from "askline/adapters/mastra";

const tools = { ask_user_question: createTool(askTool(hub, { ask: { session: "login-page" } })) };
const builder = new Agent({ id: "builder", name: "Builder", instructions: "Build.", model, tools });
const { text } = await builder.generate("Build the login page.");
// End
assert.equal(text, "Done.");
assert.equal(read, ANSWERED);

model = calling("deploy", { target: "production" });
const storage = new InMemoryStore({ id: "runs" });

// Suspended:
import { Mastra } from "@mastra/core/mastra";
import { resumeSettled, withApproval } from "askline/adapters/mastra";

const deploy = {
  id: "deploy",
  description: "Deploys the service",
  inputSchema: z.object({ target: z.string() }),
  execute: async ({ target }) => `deployed to ${target}`,
};
const guarded = createTool(withApproval(deploy, hub, { parked: true, ask: { session: "release" } }));
const releaser = new Agent({
  id: "releaser",
  name: "Releaser",
  instructions: "Release.",
  model,
  tools: { deploy: guarded },
});
const agent = new Mastra({ agents: { releaser }, storage }).getAgent("releaser");
const { runId, suspendPayload } = await agent.generate("Deploy it.");
// The run is stored. Keep these two and end. Later, in any process:
await resumeSettled(agent, { runId, suspendPayload }, hub);
// End
assert.equal(read, "deployed to staging");

await close();
console.log("Mastra: answered in place, approved with other arguments after the run was suspended.");
