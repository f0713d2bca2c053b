// The OpenAI Agents SDK, with a double of a model: a question that waits in place, and an approval of a run whose state
// is stored as text.
//
//   node --import ./test/agents/register.mjs examples/adapters/openai-agents.mjs

import assert from "node:assert/strict";
import { setTracingDisabled, tool, Usage } from "@openai/agents";
import * as z from "zod";
import { ANSWERED, close, hub, questions } from "./setting.mjs";

setTracingDisabled(true);
let read;
const calling = (name, args) => ({
  async getResponse({ input }) {
    const result = Array.isArray(input)
      ? input.find(({ type }) => type === "function_call_result")
      : undefined;
    read = result?.output.text ?? result?.output;
    const content = [{ type: "output_text", text: "Done." }];
    const message = { type: "message", role: "assistant", status: "completed", content };
    const call = { type: "function_call", callId: `call_${name}`, name, arguments: JSON.stringify(args) };
    return { usage: new Usage(), output: [result === undefined ? call : message] };
  },
});

let model = calling("ask_user_question", { questions });

// In place:
import { Agent, run } from "@openai/agents";
import { askTool } from "askline/adapters/openai-agents";

const tools = [askTool(hub, { ask: { session: "login-page" } })];
const agent = new Agent({ name: "Builder", model, tools });
const result = await run(agent, "Build the login page.");
// End
assert.equal(result.finalOutput, "Done.");
assert.equal(read, ANSWERED);

const ran = [];
const deploy = tool({
  name: "deploy",
  description: "Deploys the service",
  parameters: z.object({ target: z.string() }),
  execute: async ({ target }) => {
    ran.push(target);
    return `deployed to ${target}`;
  },
});
model = calling("deploy", { target: "production" });

// Parked:
import { RunState } from "@openai/agents";
import { settleInterruptions, withApproval } from "askline/adapters/openai-agents";

const ask = { session: "release" };
const guarded = withApproval(deploy, hub, { ask, parked: true });
const releaser = new Agent({ name: "Releaser", model, tools: [guarded] });
const { state } = await run(releaser, "Deploy it.");
const pending = await settleInterruptions(state, hub, { ask });
const stored = state.toString();
// Store it and end. Later, when the pending asks have ended, in any process:
await Promise.all(pending.map(({ id }) => hub.wait(id)));
const restored = await RunState.fromString(releaser, stored);
if ((await settleInterruptions(restored, hub, { ask })).length === 0) await run(releaser, restored);
// End
assert.deepEqual(ran, ["staging"]);
assert.equal(read, "deployed to staging");

await close();
console.log("OpenAI Agents: answered in place, approved with other arguments after a restart.");
