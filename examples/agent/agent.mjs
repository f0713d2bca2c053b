// An agent loop written by hand: it calls a model over HTTP (the Messages API of Anthropic), runs the tools that the model
// calls, and asks a person through a running Askline server. Killed and started again, it asks nothing twice.
//
//   askline serve                                  prints the URL, and where the tokens are
//   node examples/agent/model.mjs                  prints MODEL_URL
//   ASKLINE_URL=… ASKLINE_TOKEN=… MODEL_URL=… node examples/agent/agent.mjs <session>

import { createAskTool } from "askline";
import { runToolCall, toAnthropicTool } from "askline/adapters/tools";
import { connect } from "askline/client";

const { ASKLINE_URL: url, ASKLINE_TOKEN: token, MODEL_URL: modelUrl } = process.env;
const [session = "agent"] = process.argv.slice(2);

const client = connect({ url, token });
const ask = createAskTool({ resolver: client, text: "described", ask: { session } });
const messages = [{ role: "user", content: "Choose a database for the new service, and set it up." }];

for (;;) {
  const answer = await callModel({
    model: "example",
    max_tokens: 1024,
    tools: [toAnthropicTool(ask)],
    messages,
  });
  messages.push({ role: "assistant", content: answer.content });
  for (const part of answer.content) if (part.type === "text") console.log(part.text);
  const calls = answer.content.filter(({ type }) => type === "tool_use");
  if (calls.length === 0) break;
  messages.push({ role: "user", content: await Promise.all(calls.map((call) => runToolCall(call, ask))) });
}
await client.close();

async function callModel(body) {
  const response = await fetch(`${modelUrl}/v1/messages`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`the model answered ${response.status}: ${await response.text()}`);
  return response.json();
}
