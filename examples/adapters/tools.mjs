// A loop of your own, without a framework: a call in the shape of Anthropic's API, an approval around a function, and a
// history in which the person talked instead of answering.
//
//   node examples/adapters/tools.mjs

import assert from "node:assert/strict";
import { ANSWERED, close, hub, questions } from "./setting.mjs";

const input = { questions };

// A call:
import { createAskTool } from "askline";
import { runToolCall, toAnthropicTool } from "askline/adapters/tools";

const tool = createAskTool({ resolver: hub, text: "described", ask: { session: "login-page" } });
const tools = [toAnthropicTool(tool)]; // or toOpenAITool, toGeminiTool
// For each tool_use part of the model's answer:
const part = { type: "tool_use", id: "toolu_1", name: "ask_user_question", input };
const result = await runToolCall(part, tool);
// End
assert.equal(tools[0].name, part.name);
assert.deepEqual(result, { type: "tool_result", tool_use_id: "toolu_1", content: ANSWERED });

const ran = [];
const deploy = ({ target }) => {
  ran.push(target);
  return `deployed to ${target}`;
};

// An approval:
import { approved } from "askline/adapters/tools";

const guarded = approved(deploy, hub, { name: "deploy", ask: { session: "release" } });
const text = await guarded({ target: "production" });
// End
assert.deepEqual([ran, text], [["staging"], "deployed to staging"]);

const by = { kind: "person", id: "ana", surface: "chat" };

// A person who talks instead:
import { settleDangling } from "askline/adapters/tools";

const history = await settleDangling(
  [
    { role: "assistant", content: [{ ...part, id: "toolu_2" }] },
    { role: "user", content: "Let us talk about the budget first." },
  ],
  { inbox: hub, session: "login-page", by },
);
// End
assert.deepEqual(
  history[1].content.map(({ type }) => type),
  ["tool_result", "text"],
);

await close();
console.log("Own loop: answered, approved with other arguments, and a history that is valid again.");
