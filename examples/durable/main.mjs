// An agent asks and is killed; a person answers while no agent runs; the restarted agent gets the answer.
// Three processes that share only one SQLite file.
//
//   node examples/durable/main.mjs

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = await mkdtemp(join(tmpdir(), "askline-durable-"));
const path = join(folder, "askline.db");

function start(file, ...args) {
  const script = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(process.execPath, [script, path, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  child.text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk) => {
    child.text += chunk;
  });
  return child;
}

async function finished(child) {
  const [code, signal] = await once(child, "close");
  return { code, signal, text: child.text };
}

try {
  const first = start("agent.mjs");
  await once(first.stdout, "data");
  const end = finished(first);
  first.kill("SIGKILL");
  assert.equal((await end).signal, "SIGKILL");
  const [, id] = first.text.trim().split(" ");
  console.log(`The agent asked (${id}) and was killed.`);

  const person = await finished(start("person.mjs", "2"));
  assert.deepEqual([person.code, person.text], [0, `answered ${id}\n`]);
  console.log("A person answered while no agent was running.");

  const second = await finished(start("agent.mjs"));
  assert.equal(second.code, 0);
  const [asked, ...described] = second.text.trimEnd().split("\n");
  assert.equal(asked, `asked ${id}`, "the same key is the same ask");
  assert.deepEqual(described, [
    "The person answered:",
    '1. "Where should this release go?"',
    '   chose: "Production"',
  ]);
  console.log(`The agent started again and went on with the answer:\n${described.join("\n")}`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
