// Runs the agent against a fake model and a real server. A person answers over HTTP, as a page or an app does.
//
//   node examples/agent/main.mjs

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { startModel } from "./model.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const data = await mkdtemp(join(tmpdir(), "askline-agent-"));
const model = await startModel();
const server = spawn(
  process.execPath,
  [
    here("../../dist/bin/askline.js"),
    "serve",
    "--port",
    "0",
    "--data",
    data,
    "--json",
    "--log-level",
    "warn",
  ],
  { stdio: ["ignore", "pipe", "inherit"] },
);

try {
  const [line] = await once(createInterface({ input: server.stdout }), "line");
  const { url, credentials } = JSON.parse(line);
  const tokens = JSON.parse(await readFile(credentials.path, "utf8")).servers[url];

  const agent = spawn(process.execPath, [here("agent.mjs"), "example"], {
    env: { ...process.env, ASKLINE_URL: url, ASKLINE_TOKEN: tokens.agent, MODEL_URL: model.url },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  agent.stdout.setEncoding("utf8").on("data", (chunk) => {
    said += chunk;
  });
  const ended = once(agent, "close");

  const person = (path, init = {}) =>
    fetch(`${url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${tokens.person}`, "content-type": "application/json" },
    });
  const asked = await firstAsk(await person("/v1/events?after=0"));
  console.log(`The agent asks: ${asked.questions[0].question}`);
  const answers = [{ question: asked.questions[0].id, selected: ["SQLite"] }];
  const response = await person(`/v1/asks/${asked.id}/answer`, {
    method: "POST",
    body: JSON.stringify({ answers }),
  });
  assert.equal(response.status, 200);

  assert.deepEqual(await ended, [0, null]);
  assert.equal(said, "I set up SQLite.\n");
  assert.equal(model.requests.length, 2);
  console.log(`The agent was answered over HTTP, and says: ${said.trim()}`);
} finally {
  server.kill();
  await once(server, "close");
  await model.close();
  await rm(data, { recursive: true, force: true });
}

/** The ask of the first event in a stream of server-sent events. */
async function firstAsk(response) {
  let text = "";
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const found = /^data: (.*"ask".*)$/m.exec(text);
    if (found !== null && text.includes("\n\n", found.index)) return JSON.parse(found[1]).ask;
  }
  throw new Error("the stream has ended without an ask");
}
