// The AI SDK, with its own double of a model: a question that waits in place, a run that is parked, and an approval.
//
//   node --import ./test/agents/register.mjs examples/adapters/ai-sdk.mjs

import assert from "node:assert/strict";
import { MockLanguageModelV4 } from "ai/test";
import * as z from "zod";
import { ANSWERED, close, hub, questions } from "./setting.mjs";

const turn = (content, reason) => ({
  content,
  finishReason: { unified: reason, raw: reason },
  usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
  warnings: [],
});
const call = (toolName, input) =>
  turn(
    [{ type: "tool-call", toolCallId: `call_${toolName}`, toolName, input: JSON.stringify(input) }],
    "tool-calls",
  );
const done = turn([{ type: "text", text: "Done." }], "stop");
const modelOf = (...turns) => new MockLanguageModelV4({ doGenerate: turns });
const lastRead = (model) => model.doGenerateCalls.at(-1).prompt.at(-1).content[0].output.value;

let model = modelOf(call("ask_user_question", { questions }), done);

// In place:
import { generateText, stepCountIs } from "ai";
import { askTool } from "askline/adapters/ai-sdk";

const { text } = await generateText({
  model,
  prompt: "Build the login page.",
  tools: { ask_user_question: askTool(hub, { ask: { session: "login-page" } }) },
  stopWhen: stepCountIs(10),
});
// End
assert.equal(text, "Done.");
assert.equal(lastRead(model), ANSWERED);

model = modelOf(call("ask_user_question", { questions }));

// Parked:
import { park, parkedAskTool } from "askline/adapters/ai-sdk";

const tools = { ask_user_question: parkedAskTool() };
const messages = [{ role: "user", content: "Build the login page." }];
const { response } = await generateText({ model, messages, tools });
let parked = await park([...messages, ...response.messages], hub, { ask: { session: "parked-page" } });
// Store parked.messages and end. Later, when parked.pending have ended, in any process:
await Promise.all(parked.pending.map(({ id }) => hub.wait(id)));
parked = await park(parked.messages, hub, { ask: { session: "parked-page" } });
model = modelOf(done);
await generateText({ model, messages: parked.messages, tools });
// End
assert.equal(lastRead(model), ANSWERED);

const ran = [];
const deploy = {
  description: "Deploys the service",
  inputSchema: z.object({ target: z.string() }),
  execute: async ({ target }) => {
    ran.push(target);
    return `deployed to ${target}`;
  },
};
model = modelOf(call("deploy", { target: "production" }), done);

// An approval:
import { withApproval } from "askline/adapters/ai-sdk";

await generateText({
  model,
  prompt: "Deploy it.",
  tools: { deploy: withApproval(deploy, hub, { name: "deploy", ask: { session: "release" } }) },
  stopWhen: stepCountIs(10),
});
// End
assert.deepEqual(ran, ["staging"]);
assert.equal(lastRead(model), "deployed to staging");

await close();
console.log("AI SDK: answered in place and parked, approved with other arguments.");
