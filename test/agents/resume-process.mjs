// A process that parks a LangGraph agent, or resumes one, on a store and a checkpoint that it shares with others:
//   node --import ./register.mjs resume-process.mjs <park|resume|hang> <folder>
// It prints a line for each step. "hang" holds the lease and never ends its step.

import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { AIMessage } from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
import { MemorySaver } from "@langchain/langgraph";
import { createAgent, createMiddleware } from "langchain";
import { interruptTool, resumeOnSettle } from "../../dist/agents/frameworks/langchain/index.js";
import { createHub } from "../../dist/hub/index.js";
import { sqliteStore } from "../../dist/hub/stores/sqlite/index.js";

const [role, folder] = process.argv.slice(2);
const file = join(folder, "checkpoint");

/** LangGraph's own saver, with its state in a file. */
class FileSaver extends MemorySaver {
  #load() {
    if (existsSync(file)) Object.assign(this, deserialize(readFileSync(file)));
  }
  #save() {
    writeFileSync(`${file}.${process.pid}`, serialize({ storage: this.storage, writes: this.writes }));
    renameSync(`${file}.${process.pid}`, file);
  }
  async getTuple(...args) {
    this.#load();
    return super.getTuple(...args);
  }
  async put(...args) {
    this.#load();
    const saved = await super.put(...args);
    this.#save();
    return saved;
  }
  async putWrites(...args) {
    this.#load();
    await super.putWrites(...args);
    this.#save();
  }
}

const options = ["Red", "Green"].map((label) => ({ label, description: "a colour" }));
const questions = [{ question: "Which colour?", header: "Colour", multiSelect: false, options }];
const asks = [{ id: "call_1", name: "ask_user_question", args: { questions } }];
const model =
  role === "park" ? fakeModel().respondWithTools(asks) : fakeModel().respond(new AIMessage("done"));
/** Writes down what the model reads. */
const reading = createMiddleware({
  name: "reading",
  async wrapModelCall(request, handler) {
    if (role === "park") return handler(request);
    const { content } = request.messages.at(-1);
    appendFileSync(join(folder, "journal"), `${role} read ${JSON.stringify(content)}\n`);
    console.log("began");
    if (role === "hang") await new Promise((resolve) => setTimeout(resolve, 3_600_000));
    return handler(request);
  },
});

const hub = await createHub({ store: sqliteStore({ path: join(folder, "askline.db") }) });
const agent = createAgent({
  ...{ model, tools: [interruptTool(hub)], middleware: [reading], checkpointer: new FileSaver() },
});
if (role === "park") {
  const config = { configurable: { thread_id: "thread-1" } };
  await agent.invoke({ messages: [{ role: "user", content: "Go on." }] }, config);
  await hub.close();
} else {
  const onResumed = (thread) => console.log(`resumed ${thread}`);
  const resuming = resumeOnSettle(agent, hub, { onResumed, leaseMs: 2_000, sweepMs: 100 });
  process.once("SIGTERM", async () => {
    await resuming.close();
    await hub.close();
  });
  console.log("watching");
}
