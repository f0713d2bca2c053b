// AG-UI over HTTP, with a double of a model: an agent that parks its questions, and an agent of another make, whose
// approval is answered by the hub.
//
//   node --import ./test/agents/register.mjs examples/adapters/ag-ui.mjs

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { ANSWERED, close, hub, questions } from "./setting.mjs";

const deploy = ({ target }) => `deployed to ${target}`;
async function* call(name, args) {
  const id = `call_${name}`;
  yield { type: "TOOL_CALL_START", toolCallId: id, toolCallName: name, parentMessageId: "m1" };
  yield { type: "TOOL_CALL_ARGS", toolCallId: id, delta: JSON.stringify(args) };
  yield { type: "TOOL_CALL_END", toolCallId: id };
  const toolCalls = [{ id, type: "function", function: { name, arguments: JSON.stringify(args) } }];
  return { id: "m1", role: "assistant", toolCalls };
}
let read;
/** A turn of the model: yields its events, and returns its message. */
async function* turn(messages) {
  read = messages.find(({ role }) => role === "tool")?.content;
  return read === undefined ? yield* call("ask_user_question", { questions }) : { role: "assistant" };
}

// An agent:
import { park } from "askline/adapters/ag-ui";

async function* run({ threadId, runId, messages, resume }) {
  yield { type: "RUN_STARTED", threadId, runId };
  for (;;) {
    const parked = await park({ threadId, messages, resume }, hub, { person: "ana", tools: { deploy } });
    for (const { id, toolCallId, content } of parked.results) {
      yield { type: "TOOL_CALL_RESULT", messageId: id, toolCallId, content };
    }
    const message = parked.pending.length === 0 ? yield* turn(parked.messages) : {};
    if (message.toolCalls === undefined) {
      yield { type: "RUN_FINISHED", threadId, runId, outcome: parked.outcome };
      return;
    }
    messages = [...parked.messages, message];
  }
}
// End

/** An agent of another make. */
async function* other({ threadId, runId, resume }) {
  yield { type: "RUN_STARTED", threadId, runId };
  if (resume === undefined) {
    yield* call("deploy", { target: "production" });
    const properties = { approved: { type: "boolean" }, editedArgs: { type: "object" } };
    const responseSchema = { type: "object", properties, required: ["approved"] };
    const interrupt = { id: "i1", reason: "tool_call", toolCallId: "call_deploy", responseSchema };
    const outcome = { type: "interrupt", interrupts: [interrupt] };
    yield { type: "RUN_FINISHED", threadId, runId, outcome };
    return;
  }
  const content = deploy(resume[0].payload.editedArgs);
  yield { type: "TOOL_CALL_RESULT", messageId: "m2", toolCallId: "call_deploy", content };
  yield { type: "RUN_FINISHED", threadId, runId };
}

const server = createServer(async (request, response) => {
  response.setHeader("content-type", "text/event-stream");
  const events = request.url === "/other" ? other : run;
  for await (const event of events(await json(request))) {
    response.write(`data: ${JSON.stringify(event)}\n\n`);
  }
  response.end();
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${server.address().port}`;

// A front end resumes the agent, here when Ana has answered in her inbox.
const front = new HttpAgent({ url, threadId: "login-page" });
front.addMessage({ id: "u1", role: "user", content: "Build the login page." });
await front.runAgent();
const [{ id: interruptId }] = front.pendingInterrupts;
await hub.wait(interruptId);
await front.runAgent({ resume: [{ interruptId, status: "cancelled" }] });
assert.equal(read, ANSWERED);

// The interrupts of any agent:
import { HttpAgent } from "@ag-ui/client";
import { runAgent } from "askline/adapters/ag-ui";

const agent = new HttpAgent({ url: `${url}/other`, threadId: "release" });
agent.addMessage({ id: "u1", role: "user", content: "Deploy it." });
const { newMessages } = await runAgent(agent, hub);
// End
assert.equal(newMessages.at(-1).content, "deployed to staging");

server.close();
await close();
console.log("AG-UI: a parked question was answered, and another agent's approval, with other arguments.");
