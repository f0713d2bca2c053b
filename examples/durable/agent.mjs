// An agent that asks before it deploys. It may be killed at any time: after a restart it asks with the same key, which
// is the same ask, and gets the answer that came meanwhile.
//
//   node examples/durable/agent.mjs <file>

import { describeOutcome } from "askline";
import { createHub } from "askline/hub";
import { sqliteStore } from "askline/sqlite";

const [path = "askline.db"] = process.argv.slice(2);
const question = {
  question: "Where should this release go?",
  header: "Release",
  options: [
    { label: "Staging (Recommended)", description: "Only the team sees it" },
    { label: "Production" },
  ],
};

const hub = await createHub({ store: sqliteStore({ path }) });
const request = { questions: [question], session: "release-42", key: "where-to" };

// This line tells the parent process that the ask is stored.
const { id } = await hub.post(request);
console.log(`asked ${id}`);

const outcome = await hub.ask(request);
console.log(describeOutcome({ questions: (await hub.get(id)).questions }, outcome));
await hub.close();
