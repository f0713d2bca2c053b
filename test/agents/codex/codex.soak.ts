// The real Codex, with a model on loopback: its terminal and `askline codex` at one app-server, and the hook that
// `askline connect codex` sets up.

import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CODEX_VERSION, ensureCodex } from "../../../scripts/prerequisites/codex.mjs";
import type { CodexConnection } from "../../../src/agents/codex/index.js";
import { readBackground } from "../../../src/cli/connect/background-state.js";
import { openCodex } from "../../../src/cli/connect/codex-connection.js";
import { codexAddress } from "../../../src/cli/connect/codex-place.js";
import { readCredentials } from "../../../src/cli/connect/credentials.js";
import { type Client, connect } from "../../../src/client/index.js";
import type { Ask } from "../../../src/index.js";
import { type ProgramTerminal, startInTerminal } from "../program-terminal.ts";
import { type LoopbackModel, type ModelCall, startLoopbackModel } from "./loopback-model.ts";

const command = (cmd: string): ModelCall => ({
  name: "exec_command",
  args: { cmd, sandbox_permissions: "require_escalated", justification: "May I?" },
});
const LABEL = 'Red, "dark"';
const patch = "*** Begin Patch\n*** Add File: ../outside/new.txt\n+hello\n*** End Patch";
const SCRIPTS: Readonly<Record<string, readonly ModelCall[]>> = {
  approve: [command("touch approved.txt")],
  reject: [command("touch never.txt")],
  there: [command("touch there.txt")],
  esc: [command("touch escaped.txt")],
  always: [command("touch always.txt")],
  both: [command("touch one.txt"), command("touch two.txt")],
  later: [command("touch later.txt")],
  through: [command("touch through.txt")],
  patch: [{ name: "exec_command", args: { cmd: `apply_patch <<'EOF'\n${patch}\nEOF\n` } }],
  form: [{ name: "ask_name", namespace: "mcp__form", args: {} }],
  mcp: [
    {
      ...{ name: "ask_user_question", namespace: "mcp__askline" },
      args: {
        questions: [{ question: "Which?", header: "Pick", options: [{ label: LABEL }, { label: "Blue" }] }],
      },
    },
  ],
  ask: [
    {
      name: "request_user_input",
      args: {
        questions: ["color", "size"].map((id) => ({
          ...{ id, header: id, question: `Which ${id}?` },
          options: [
            { label: LABEL, description: "warm" },
            { label: "Blue", description: "cold" },
          ],
        })),
      },
    },
  ],
};

const cli = join(import.meta.dirname, "../../../dist/bin/askline.js");
const binary = ensureCodex();
const home = mkdtempSync(join(tmpdir(), "askline-codex-"));
const project = join(home, "project");
const data = join(home, "data");
const environment = {
  ...{ HOME: home, CODEX_HOME: join(home, ".codex"), ASKLINE_DATA: data, TERM: "xterm-256color" },
  PATH: process.env.PATH ?? "",
};
const address = codexAddress(undefined, { home, platform: process.platform, environment });
const children: ChildProcess[] = [];
let model: LoopbackModel;
let client: Client;
let terminal: ProgramTerminal | undefined;

async function until<T>(look: () => Promise<T | undefined> | T | undefined, what: string): Promise<T> {
  const end = Date.now() + 40_000;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error(`${what}:\n${terminal?.screen().slice(-3_000)}`);
    await pause(100);
  }
}

function askline(...args: readonly string[]): string {
  return execFileSync(process.execPath, [cli, ...args], { env: environment, encoding: "utf8" });
}

function startBridge(): ChildProcess {
  const child = spawn(process.execPath, [cli, "codex"], {
    env: environment,
    stdio: ["ignore", "ignore", "pipe"],
  });
  children.push(child);
  return child;
}

const isConnected = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    let said = "";
    child.stderr?.on("data", (chunk) => {
      said += chunk;
      if (said.includes(`connected to Codex ${CODEX_VERSION}`)) resolve();
    });
  });

const known = new Set<string>();
async function nextAsk(): Promise<Ask> {
  const ask = await until(async () => {
    const { asks } = await client.list({ status: "pending" });
    return asks.find(({ id }) => !known.has(id));
  }, "nothing was asked");
  known.add(ask.id);
  return ask;
}

const decide = (id: string, kind: "approve" | "reject", more: object = {}): Promise<Ask> =>
  client.decide(id, { decisions: [{ action: "a1", kind, ...more }] });
const made = (name: string): boolean => existsSync(join(project, name));

async function type(prompt: string): Promise<void> {
  // Codex puts the prompt of an interrupted turn back into its field.
  terminal?.type("\u0015");
  terminal?.type(prompt);
  await terminal?.shows(prompt);
  terminal?.type("\r");
}

/** Another client of the app-server, as an editor is one. */
async function openEditor(connection: CodexConnection) {
  const responses = new Map<
    number,
    (message: { readonly result?: unknown; readonly error?: unknown }) => void
  >();
  const seen: { readonly method?: string; readonly id?: unknown; readonly params?: unknown }[] = [];
  let calls = 0;
  const call = (method: string, params: object): Promise<unknown> => {
    const id = ++calls;
    connection.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve, reject) => {
      responses.set(id, ({ result, error }) => (error === undefined ? resolve(result) : reject(error)));
    });
  };
  void (async () => {
    for await (const text of connection.messages) {
      const message = JSON.parse(text);
      if (message.method === undefined) responses.get(message.id)?.(message);
      else seen.push(message);
    }
  })();
  await call("initialize", {
    clientInfo: { name: "editor", title: "Editor", version: "1" },
    capabilities: { experimentalApi: true, requestAttestation: false },
  });
  connection.send(JSON.stringify({ method: "initialized" }));
  const { thread } = (await call("thread/start", { cwd: project })) as {
    readonly thread: { readonly id: string };
  };
  const turn = async (name: string, more: object = {}): Promise<() => Promise<void>> => {
    const ends = (): number => seen.filter(({ method }) => method === "turn/completed").length;
    const before = ends();
    const input = [{ type: "text", text: `SCRIPT:${name}`, text_elements: [] }];
    await call("turn/start", { threadId: thread.id, input, ...more });
    return async () => {
      await until(() => (ends() > before ? true : undefined), `the turn ${name} did not end`);
    };
  };
  return { call, turn, seen, connection };
}

beforeAll(async () => {
  model = await startLoopbackModel(SCRIPTS);
  mkdirSync(project);
  mkdirSync(join(home, "outside"));
  mkdirSync(environment.CODEX_HOME);
  writeFileSync(
    join(environment.CODEX_HOME, "config.toml"),
    `model = "gpt-5.1-codex"
model_provider = "loopback"
approval_policy = "on-request"
sandbox_mode = "workspace-write"
[sandbox_workspace_write]
exclude_tmpdir_env_var = true
exclude_slash_tmp = true
[model_providers.loopback]
name = "loopback"
base_url = "${model.url}"
wire_api = "responses"
request_max_retries = 0
[projects."${project}"]
trust_level = "trusted"
[mcp_servers.form]
command = "${process.execPath}"
args = ["${join(import.meta.dirname, "form-server.mjs")}"]
`,
  );
  children.push(
    spawn(binary, ["app-server", "--listen", "unix://"], { cwd: project, env: environment, stdio: "ignore" }),
  );
  await until(() => (existsSync(address.slice("unix:".length)) ? true : undefined), "Codex did not start");
  const bridge = startBridge();
  await isConnected(bridge);
  const url = await until(() => readBackground(data)?.url, "no server was started");
  const token = await until(() => readCredentials(data, url)?.person, "no credentials");
  client = connect({ url, token, surface: "phone" });
}, 600_000);

afterAll(async () => {
  terminal?.kill();
  for (const child of children) child.kill("SIGKILL");
  await client?.close();
  model?.close();
  askline("stop");
  rmSync(home, { recursive: true, force: true, maxRetries: 10 });
});

describe(`Codex ${CODEX_VERSION} at its terminal, with askline codex beside it`, () => {
  beforeAll(async () => {
    terminal = startInTerminal(binary, [], { project, environment });
    await terminal.shows("Ask Codex to do anything");
  });

  it("is answered in the inbox: approved, by a rule of its own, and rejected with a reason", async () => {
    await type("SCRIPT:approve");
    await terminal?.shows("Would you like to run");
    const first = await nextAsk();
    expect(first.approval?.actions[0]).toMatchObject({ name: "Bash", description: "May I?" });
    await decide(first.id, "approve");
    await until(() => (made("approved.txt") ? true : undefined), "it did not run");

    await type("SCRIPT:always");
    const second = await nextAsk();
    await decide(second.id, "approve", { remember: second.approval?.actions[0]?.rules?.[0] });
    await until(() => (made("always.txt") ? true : undefined), "it did not run");
    rmSync(join(project, "always.txt"));
    await type("SCRIPT:always again");
    await until(() => (made("always.txt") ? true : undefined), "the rule was not kept");

    await type("SCRIPT:reject");
    const reason = 'Not now, "please"';
    await decide((await nextAsk()).id, "reject", { message: reason });
    await until(() => (model.read().includes("Not now") ? true : undefined), "the model did not read why");
    expect(model.read()).toContain("rejected by user");
    await terminal?.shows(reason);
    expect(made("never.txt")).toBe(false);
  });

  it("is answered at its terminal: ours closes; Esc too", async () => {
    await type("SCRIPT:there");
    const first = await nextAsk();
    await terminal?.shows(/\$ touch there\.txt[\s\S]*Press enter/);
    terminal?.type("y");
    await until(() => (made("there.txt") ? true : undefined), "it did not run");
    expect(await client.wait(first.id)).toMatchObject({ kind: "withdrawn" });
    await type("SCRIPT:esc");
    const second = await nextAsk();
    await terminal?.shows(/\$ touch escaped\.txt[\s\S]*Press enter/);
    terminal?.type("\u001b");
    expect(await client.wait(second.id)).toMatchObject({ kind: "withdrawn" });
    expect(made("escaped.txt")).toBe(false);
  });

  it("asks two things at once, each with its own answer, and finds the ask after the bridge was killed", async () => {
    await type("SCRIPT:both");
    const asks = [await nextAsk(), await nextAsk()];
    for (const { id, approval } of asks) {
      const isOne = String(approval?.actions[0]?.args.command).includes("one.txt");
      await decide(id, isOne ? "approve" : "reject");
    }
    await until(() => (made("one.txt") ? true : undefined), "it did not run");
    expect(made("two.txt")).toBe(false);

    await type("SCRIPT:later");
    const ask = await nextAsk();
    children.at(-1)?.kill("SIGKILL");
    await decide(ask.id, "approve");
    startBridge();
    await until(() => (made("later.txt") ? true : undefined), "the answer was not delivered");
    expect((await client.list({ status: "pending" })).asks).toEqual([]);
  });
});

describe(`an app-server of Codex ${CODEX_VERSION} with another client`, () => {
  it("has questions, forms and file changes answered in the inbox", async () => {
    const editor = await openEditor(await openCodex(address, new AbortController().signal));
    const settings = { model: "gpt-5.1-codex", reasoning_effort: null, developer_instructions: null };
    const asked = await editor.turn("ask", { collaborationMode: { mode: "plan", settings } });
    const answers = [
      { question: "color", selected: [LABEL], note: "matt" },
      { question: "size", text: "Blue" },
    ];
    await client.answer((await nextAsk()).id, { answers });
    await asked();
    const [output] = JSON.parse(model.read());
    expect(JSON.parse(output.output)).toEqual({
      answers: { color: { answers: [LABEL, "user_note: matt"] }, size: { answers: ["user_note: Blue"] } },
    });

    const form = await editor.turn("form", { collaborationMode: { mode: "default", settings } });
    const tool = await nextAsk();
    expect(tool.approval?.actions[0]?.name).toBe("mcp__form__ask_name");
    await decide(tool.id, "approve");
    const named = await nextAsk();
    const question = named.questions.find(({ header }) => header === "Name")?.id ?? "";
    await client.answer(named.id, { answers: [{ question, text: "Ana, of course" }] });
    await form();
    expect(model.read().replaceAll("\\", "")).toContain('"content":{"name":"Ana, of course"}');

    const patched = await editor.turn("patch");
    const change = await nextAsk();
    expect(change.context).toContain("hello");
    await decide(change.id, "approve");
    await patched();
    expect(existsSync(join(home, "outside", "new.txt"))).toBe(true);
    editor.connection.close();
  });
});

describe(`the hook of Codex ${CODEX_VERSION}`, () => {
  it("asks for 20 seconds and falls through; a bridge makes it stand aside", async () => {
    askline("connect", "codex", "--yes");
    // Without an account its doctor fails, and says so in JSON.
    const { stdout } = spawnSync(binary, ["doctor", "--json"], { env: environment, encoding: "utf8" });
    expect(JSON.parse(stdout).checks["mcp.config"]).toMatchObject({ status: "ok" });
    const connection = await openCodex(address, new AbortController().signal);
    const editor = await openEditor(connection);
    const listed = (await editor.call("hooks/list", { cwds: [project] })) as {
      readonly data: readonly {
        readonly hooks: readonly { readonly key: string; readonly currentHash: string }[];
      }[];
    };
    const hooks = listed.data[0]?.hooks ?? [];
    expect(hooks).toHaveLength(1);
    // As a person does who trusts it at the terminal.
    const value = Object.fromEntries(
      hooks.map(({ key, currentHash }) => [key, { trusted_hash: currentHash }]),
    );
    const edit = { keyPath: "hooks.state", mergeStrategy: "upsert", value };
    await editor.call("config/batchWrite", { edits: [edit], reloadUserConfig: true });
    connection.close();

    const fresh = await openEditor(await openCodex(address, new AbortController().signal));
    const bridged = await fresh.turn("approve");
    const ofBridge = await nextAsk();
    expect(ofBridge.metadata?.codex).toBeDefined();
    await decide(ofBridge.id, "approve");
    await bridged();
    children.at(-1)?.kill("SIGINT");
    await until(
      () => (existsSync(join(data, "agents", "codex-bridge.json")) ? undefined : true),
      "it did not end",
    );

    rmSync(join(project, "approved.txt"));
    const approved = await fresh.turn("approve");
    await decide((await nextAsk()).id, "approve");
    await approved();
    expect(made("approved.txt")).toBe(true);
    const rejected = await fresh.turn("reject");
    await decide((await nextAsk()).id, "reject", { message: 'Not, "now"' });
    await rejected();
    expect([made("never.txt"), model.read().includes("Not, ")]).toEqual([false, true]);

    // The MCP server that was connected with it: Codex does not ask whether its tools may ask.
    const asked = await fresh.turn("mcp");
    const { id: question } = await nextAsk();
    await client.answer(question, { answers: [{ question: "q1", selected: [LABEL] }] });
    await asked();
    expect(model.read().replaceAll("\\", "")).toContain(
      `"label":${JSON.stringify(LABEL).replaceAll("\\", "")}`,
    );

    const started = Date.now();
    await fresh.turn("through");
    const { id } = await nextAsk();
    expect(await client.wait(id)).toMatchObject({
      kind: "withdrawn",
      reason: expect.stringContaining("20 s"),
    });
    const request = await until(
      () => fresh.seen.find((message) => message.id !== undefined),
      "Codex does not ask by itself",
    );
    const seconds = (Date.now() - started) / 1_000;
    expect(request.method).toBe("item/commandExecution/requestApproval");
    expect(seconds).toBeGreaterThan(19);
    expect(seconds).toBeLessThan(30);
    console.log(`Codex asked by itself after ${seconds.toFixed(1)} s`);
    fresh.connection.send(JSON.stringify({ id: request.id, result: { decision: "decline" } }));
    fresh.connection.close();
  });
});
