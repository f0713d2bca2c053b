// LangChain and LangGraph, with their own double of a model: a question that waits in place, one that interrupts the
// graph, and the approvals of humanInTheLoopMiddleware.
//
//   node --import ./test/agents/register.mjs examples/adapters/langchain.mjs

import assert from "node:assert/strict";
import { AIMessage, ToolMessage } from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
import { tool } from "@langchain/core/tools";
import * as z from "zod";
import { ANSWERED, close, hub, questions } from "./setting.mjs";

const calling = (name, args) =>
  fakeModel()
    .respondWithTools([{ id: `call_${name}`, name, args }])
    .respond(new AIMessage("Done."));
const lastRead = ({ messages }) => messages.filter(ToolMessage.isInstance).at(-1).content;
const input = { messages: [{ role: "user", content: "Build the login page." }] };

let model = calling("ask_user_question", { questions });

// In place:
import { askTool } from "askline/adapters/langchain";
import { createAgent } from "langchain";

const agent = createAgent({ model, tools: [askTool(hub)] });
const result = await agent.invoke(input, { configurable: { thread_id: "login-page" } });
// End
assert.equal(lastRead(result), ANSWERED);

model = calling("ask_user_question", { questions });
let finish;
const finished = new Promise((resolve) => {
  finish = resolve;
});

// Interrupted:
import { MemorySaver } from "@langchain/langgraph";
import { interruptTool, resumeOnSettle } from "askline/adapters/langchain";

const graph = createAgent({ model, tools: [interruptTool(hub)], checkpointer: new MemorySaver() });
const resuming = resumeOnSettle(graph, hub, { onResumed: (_thread, value) => finish(value) });
await graph.invoke(input, { configurable: { thread_id: "parked-page" } });
// The run has stopped, and is resumed once when its ask has ended, by this process or by another.
// End
assert.equal(lastRead(await finished), ANSWERED);
await resuming.close();

const ran = [];
const deploy = tool(
  ({ target }) => {
    ran.push(target);
    return `deployed to ${target}`;
  },
  { name: "deploy", description: "Deploys the service", schema: z.object({ target: z.string() }) },
);
model = calling("deploy", { target: "production" });

// Approvals:
import { Command, isInterrupted } from "@langchain/langgraph";
import { answerInterrupts } from "askline/adapters/langchain";
import { humanInTheLoopMiddleware } from "langchain";

const middleware = [humanInTheLoopMiddleware({ interruptOn: { deploy: true } })];
const guarded = createAgent({ model, tools: [deploy], middleware, checkpointer: new MemorySaver() });
const thread = { configurable: { thread_id: "release" } };
let state = await guarded.invoke(input, thread);
while (isInterrupted(state)) {
  const resume = await answerInterrupts(state.__interrupt__, hub, { session: "release" });
  state = await guarded.invoke(new Command({ resume }), thread);
}
// End
assert.deepEqual(ran, ["staging"]);
assert.equal(lastRead(state), "deployed to staging");

await close();
console.log("LangChain: answered in place and interrupted, approved with other arguments.");
