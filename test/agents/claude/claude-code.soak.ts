// The real Claude Code in a pseudo-terminal, connected by `askline connect`, against a model on loopback. With
// ASKLINE_RECORD=1, what was seen is written to test/vectors/claude-code.json.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CLAUDE_CODE_VERSION, ensureClaudeCode } from "../../../scripts/prerequisites/claude-code.mjs";
import { readConnection } from "../../../src/agents/set-up/connection.js";
import { readBackground } from "../../../src/cli/connect/background-state.js";
import { readCredentials } from "../../../src/cli/connect/credentials.js";
import { type Client, connect } from "../../../src/client/index.js";
import type { Ask } from "../../../src/index.js";
import { type LoopbackModel, startLoopbackModel } from "../loopback-model.ts";
import { type ProgramTerminal, startInTerminal } from "../program-terminal.ts";
import { type ClaudeHome, createClaudeHome } from "./claude-program.ts";

const options = [
  { label: "OAuth", description: "An account" },
  { label: 'Keys, "long" ones', description: "A secret" },
];
const single = { question: "Which auth?", header: "Auth", options, multiSelect: false };
const several = { question: "Which parts?", header: "Parts", options, multiSelect: true };
const bash = (command: string) => ({ name: "Bash", input: { command, description: "Do it" } });

const SCRIPTS = {
  ask: [[{ name: "AskUserQuestion", input: { questions: [single] } }]],
  two: [[{ name: "AskUserQuestion", input: { questions: [single, several] } }]],
  bash: [[bash("touch made.txt")]],
  reject: [[bash("touch never.txt")]],
  always: [[bash("touch always.txt")], [bash("touch always.txt")]],
  plan: [
    [{ name: "Write", input: { file_path: "PLAN_FILE", content: "# The plan\n\n1. Do it" } }],
    [{ name: "ExitPlanMode", input: {} }],
  ],
  agents: [
    [
      {
        name: "Task",
        input: { description: "first", prompt: "SCRIPT:one", subagent_type: "general-purpose" },
      },
      {
        name: "Task",
        input: { description: "second", prompt: "SCRIPT:other", subagent_type: "general-purpose" },
      },
    ],
  ],
  one: [[bash("touch agent-one.txt")]],
  other: [[bash("touch agent-other.txt")]],
};

const cli = join(import.meta.dirname, "../../../dist/bin/askline.js");
const seen: object[] = [];
let model: LoopbackModel;
let home: ClaudeHome;
let client: Client;
let terminal: ProgramTerminal | undefined;
let data = "";
const binary = ensureClaudeCode();

function askline(...args: readonly string[]): string {
  return execFileSync(process.execPath, [cli, ...args, "--data", data], {
    env: home.environment,
    encoding: "utf8",
  });
}

async function until<T>(look: () => Promise<T | undefined>, what: string, ms = 30_000): Promise<T> {
  const end = Date.now() + ms;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error(`${what}:\n${terminal?.screen().slice(-3_000)}`);
    await pause(100);
  }
}

/** Clients of the server that the hook started, once it has. */
async function openClient(): Promise<Client> {
  const url = await until(async () => readBackground(data)?.url, "no server was started");
  const token = await until(async () => readCredentials(data, url)?.person, "no credentials");
  return connect({ url, token, surface: "phone" });
}

const known = new Set<string>();
async function nextAsk(): Promise<Ask> {
  client ??= await openClient();
  const found = await until(async () => {
    const { asks } = await client.list({ status: "pending" });
    return asks.find(({ id }) => !known.has(id));
  }, "no ask came");
  known.add(found.id);
  return client.get(found.id);
}

async function ended({ id }: Ask): Promise<Ask> {
  return until(async () => {
    const ask = await client.get(id);
    return ask.outcome === undefined ? undefined : ask;
  }, "it did not end");
}

async function prompt(text: string): Promise<void> {
  terminal?.type(text);
  await pause(500);
  terminal?.type("\r");
}

/** The result that the model reads next. */
async function result(before: number, words = ""): Promise<string> {
  return until(
    async () => model.results.slice(before).find((text) => text.includes(words)),
    `the model got no result with "${words}"`,
  );
}

async function begin(mode: string): Promise<void> {
  terminal?.kill();
  await terminal?.exited;
  terminal = startInTerminal(binary, ["--permission-mode", mode], home);
  await terminal.shows("❯");
  await pause(4_000);
}

function record(path: string, ask: Ask, text: string | undefined): void {
  const { questions, approval, agentPath } = ask;
  const told = text?.replaceAll(home.home, "/home/ana");
  const args = approval?.actions.map(({ name, args: given, rules }) => ({ name, args: given, rules }));
  seen.push({
    path,
    ask: JSON.parse(
      JSON.stringify({ questions, actions: args, agentPath }).replaceAll(home.home, "/home/ana"),
    ),
    outcome: JSON.parse(JSON.stringify(ask.outcome).replaceAll(`"${userInfo().username}"`, `"ana"`)),
    told,
  });
}

beforeAll(async () => {
  model = await startLoopbackModel(SCRIPTS);
  home = createClaudeHome(model.url);
  data = join(home.home, "askline");
  mkdirSync(join(home.home, "bin"));
  symlinkSync(binary, join(home.home, "bin", "claude"));
  home.environment.PATH = `${join(home.home, "bin")}:${home.environment.PATH}`;
  askline("connect", "claude", "--yes");
  expect(readConnection(data, "claude")?.name).toMatch(/^claude-code-/);
  await begin("manual");
}, 240_000);

afterAll(async () => {
  terminal?.kill();
  await client?.close();
  try {
    askline("stop");
  } finally {
    await model.close();
    home.remove();
  }
  if (process.env.ASKLINE_RECORD) {
    const document = { program: "Claude Code", version: CLAUDE_CODE_VERSION, conversations: seen };
    writeFileSync(
      join(import.meta.dirname, "../../vectors/claude-code.json"),
      `${JSON.stringify(document, undefined, 2)}\n`,
    );
  }
}, 60_000);

describe("Claude Code, connected", { timeout: 180_000 }, () => {
  it("takes an answer of the inbox: several picks and typed text", async () => {
    const before = model.results.length;
    await prompt("SCRIPT:two");
    const ask = await nextAsk();
    await client.answer(ask.id, {
      answers: [
        { question: "q1", selected: [], text: "my own" },
        { question: "q2", selected: ["o1", "o2"] },
      ],
    });
    const told = await result(before);
    record("inbox first", await ended(ask), told);
    expect(told).toContain("my own");
    expect(told).toContain("OAuth");
  });

  it("hears of a skipped question in words", async () => {
    const before = model.results.length;
    await prompt("SCRIPT:two skip");
    const ask = await nextAsk();
    await client.answer(ask.id, { answers: [{ question: "q1", selected: ["o1"] }] });
    const told = await result(before);
    record("skipped", await ended(ask), told);
    expect(told).toContain("(skipped)");
  });

  it("reports an answer at the terminal", async () => {
    const before = model.results.length;
    await prompt("SCRIPT:ask");
    const ask = await nextAsk();
    await terminal?.shows("OAuth");
    await pause(1_000);
    terminal?.type("\r");
    const settled = await ended(ask);
    record("terminal first", settled, await result(before));
    expect(settled.outcome).toMatchObject({
      kind: "answered",
      by: { id: userInfo().username, surface: "claude-code", via: "claude-code" },
    });
  });

  it("withdraws a question that was closed with Esc", async () => {
    await prompt("SCRIPT:ask escape");
    const ask = await nextAsk();
    await pause(1_000);
    terminal?.type("\u001b");
    const settled = await ended(ask);
    // The turn is over: the model hears of it with the next prompt.
    record("escape", settled, undefined);
    expect(settled.outcome?.kind).toBe("withdrawn");
  });

  it.each([
    ["declined", (id: string) => client.decline(id, "Not mine"), "Not mine"],
    ["replied", (id: string) => client.reply(id, "See the docs"), "See the docs"],
  ])("hears that a question was %s", async (path, end, words) => {
    const before = model.results.length;
    await prompt(`SCRIPT:ask ${path}`);
    const ask = await nextAsk();
    await end(ask.id);
    const told = await result(before, words);
    record(path, await ended(ask), told);
    expect(told).toContain(words);
    await pause(1_500);
  });

  it("runs a command that was approved in the inbox, and not one that was rejected", async () => {
    let before = model.results.length;
    await prompt("SCRIPT:bash");
    const approved = await nextAsk();
    await client.decide(approved.id, { decisions: [{ action: "a1", kind: "approve" }] });
    record("approved", await ended(approved), await result(before));
    expect(existsSync(join(home.project, "made.txt"))).toBe(true);
    await pause(1_000);
    before = model.results.length;
    await prompt("SCRIPT:reject");
    const rejected = await nextAsk();
    await client.decide(rejected.id, { decisions: [{ action: "a1", kind: "reject", message: "Keep it" }] });
    const told = await result(before);
    record("rejected", await ended(rejected), told);
    expect([told.includes("Keep it"), existsSync(join(home.project, "never.txt"))]).toEqual([true, false]);
    await pause(1_000);
  });

  it("asks nobody for what is always allowed", async () => {
    const before = model.results.length;
    await prompt("SCRIPT:always");
    const ask = await nextAsk();
    await client.decide(ask.id, { decisions: [{ action: "a1", kind: "approve", remember: "always" }] });
    await result(before + 1);
    const { asks } = await client.list({ status: "settled" }, { order: "newest", limit: 1 });
    expect(asks[0]?.outcome).toMatchObject({
      kind: "decided",
      by: { kind: "policy", madeBy: userInfo().username },
    });
    if (asks[0] !== undefined) record("always, asked again", asks[0], model.results.at(-1));
    await pause(1_000);
  });

  it("asks for two subagents apart", async () => {
    await prompt("SCRIPT:agents");
    const asks = [await nextAsk(), await nextAsk()];
    for (const ask of asks) {
      await client.decide(ask.id, { decisions: [{ action: "a1", kind: "approve" }] });
      record("subagent", await ended(ask), undefined);
    }
    await until(
      async () =>
        ["one", "other"].every((name) => existsSync(join(home.project, `agent-${name}.txt`))) || undefined,
      "the subagents did not run",
    );
    await pause(2_000);
  });

  it.each(["approve", "reject"] as const)("shows a plan: %s", async (kind) => {
    await begin("plan");
    const before = model.results.length;
    await prompt("SCRIPT:plan");
    const ask = await nextAsk();
    expect(ask.context).toContain("# The plan");
    await client.decide(ask.id, { decisions: [{ action: "a1", kind }] });
    record(`plan, ${kind}`, await ended(ask), await result(before));
  });

  it("goes on through a killed server: the ask is kept, and answered at the next one", async () => {
    await begin("manual");
    const before = model.results.length;
    await prompt("SCRIPT:ask killed");
    const ask = await nextAsk();
    process.kill(readBackground(data)?.pid ?? 0, "SIGKILL");
    await client.close();
    await pause(4_000);
    client = await openClient();
    await until(async () => {
      const { awaited } = await client.list({ status: "pending" }).catch(() => ({ awaited: undefined }));
      return awaited?.includes(ask.id) || undefined;
    }, "nobody waits for it again");
    await client.answer(ask.id, { answers: [{ question: "q1", selected: ["o2"] }] });
    const told = await result(before);
    record("killed server", await ended(ask), told);
    expect(told).toContain("Keys");
  });
});
