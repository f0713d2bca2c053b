// Two questions as a model would send them, asked on this terminal, and the text that the model gets back.
import assert from "node:assert/strict";
import { createAskTool } from "askline";
import { stdinResolver } from "askline/terminal";

const input = {
  questions: [
    {
      question: "Which auth method should we wire up first?",
      header: "Auth",
      multiSelect: false,
      options: [
        { label: "OAuth (Recommended)", description: "Browser flow with refresh tokens" },
        { label: "API key", description: "One static token per client" },
        { label: "mTLS", description: "Client certificates" },
      ],
    },
    {
      question: "Which languages need first-class SDKs?",
      header: "SDKs",
      multiSelect: true,
      options: [
        { label: "Go", description: "Services" },
        { label: "TypeScript", description: "Web and Node" },
        { label: "Python", description: "Notebooks" },
        { label: "Rust", description: "Embedded" },
      ],
    },
  ],
};

const resolver = stdinResolver({ input: process.stdin, output: process.stdout });
const tool = createAskTool({ resolver, ask: { session: "example" } });
const result = await tool.execute(input, { toolCallId: "call_1" });

assert.equal(result.isError, false, result.text);
if (result.outcome?.kind === "answered") {
  const [first] = input.questions;
  assert.ok(result.text.startsWith(`${first.question}\n`), "the text begins with the first question");
}
console.log(`\n--- what the model reads ---\n${result.text}`);
