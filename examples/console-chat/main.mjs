// An agent loop with a scripted model: it asks with the tool, reads the answers and continues. The console handler
// asks the person; the model sees only the tool's result.
import assert from "node:assert/strict";
import { AsklineError, createAskTool } from "askline";
import { consoleHandler } from "askline/terminal";

const LIBRARY = "Which library should we use for date formatting?";
const FEATURES = "Which features do you want to enable?";

const tool = createAskTool({
  handler: consoleHandler({ input: process.stdin, output: process.stdout }),
  logger: console,
});

/** Stands in for a model: asks once, then answers with what it was told. */
function scriptedModel(messages) {
  const result = messages.find(({ role }) => role === "tool");
  if (result === undefined) {
    return {
      toolCall: {
        name: tool.name,
        input: {
          questions: [
            {
              question: LIBRARY,
              header: "Library",
              multiSelect: false,
              options: [
                { label: "Moment.js", description: "Popular but large" },
                { label: "Day.js", description: "Light, with the API of Moment.js" },
                { label: "date-fns", description: "Functions to pick from" },
              ],
            },
            {
              question: FEATURES,
              header: "Features",
              multiSelect: true,
              options: [
                { label: "Time zones", description: "Dates in the zone of the reader" },
                { label: "Relative dates", description: "Such as three days ago" },
                { label: "Locales", description: "More languages than English" },
              ],
            },
          ],
        },
      },
    };
  }
  const answers = JSON.parse(result.text.slice(result.text.indexOf("{")));
  const library = answers[LIBRARY] || "the library you prefer";
  const features = answers[FEATURES] || "no extra features";
  return { text: `I will set up ${library} with ${features}.` };
}

const messages = [{ role: "user", text: "Add date formatting to my app." }];
console.log(`You: ${messages[0].text}`);

for (let turn = scriptedModel(messages); ; turn = scriptedModel(messages)) {
  if (turn.text !== undefined) {
    console.log(`\nAssistant: ${turn.text}`);
    break;
  }
  assert.equal(turn.toolCall.name, tool.name);
  const result = await tool.execute(turn.toolCall.input).catch(giveUp);
  assert.equal(result.isError, false, result.text);
  messages.push({ role: "tool", text: result.text });
}

/** Without an answer there is nothing to go on with: that is for the host to say, not for the model. */
function giveUp(error) {
  if (!(error instanceof AsklineError)) throw error;
  console.error(`Nobody answered: ${error.message}. Run it again and type an answer.`);
  process.exit(1);
}
