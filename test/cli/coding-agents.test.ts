import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { claudeFiles } from "../../src/agents/set-up/claude.js";
import { readConnection, writeConnection } from "../../src/agents/set-up/connection.js";
import { addItem, setValue } from "../../src/agents/set-up/edit-json.js";
import { readCredentials } from "../../src/cli/connect/credentials.js";
import { connect as connectTo } from "../../src/client/index.js";
import { until } from "../server/open-server.ts";
import { freePort } from "../support/postgres.ts";
import { runHere } from "./in-process.ts";
import { ASKLINE, type Ended, endProcesses, start } from "./processes.ts";
import { newFolder, removeFolders, serveHere, startHere } from "./servers.ts";

afterEach(endProcesses);
afterAll(removeFolders);

const SETTINGS = `{
\t// mine
\t"model": "opus",
\t"hooks": {
\t\t"Stop": [
\t\t\t{ "hooks": [{ "type": "command", "command": "say done" }] } // keep
\t\t]
\t},
\t"permissions": { "allow": ["Bash(ls:*)"], "deny": [] },
}
`;

interface Home {
  readonly folder: string;
  readonly settings: string;
  readonly data: string;
  run(...args: readonly string[]): Promise<Ended>;
  read(): string;
}

/** A home folder without Claude Code on the PATH, so that its state is edited as a file. */
function newHome(settings: string | undefined, { withProgram = false } = {}): Home {
  const folder = newFolder();
  const path = join(folder, ".claude", "settings.json");
  mkdirSync(join(folder, ".claude"));
  mkdirSync(join(folder, "bin"));
  if (settings !== undefined) writeFileSync(path, settings);
  if (withProgram) {
    const program = join(folder, "bin", "claude");
    writeFileSync(program, `#!/bin/sh\necho "$@" >> "$HOME/calls.txt"\n`);
    chmodSync(program, 0o755);
  }
  const data = join(folder, "data");
  const env = { HOME: folder, PATH: join(folder, "bin"), ASKLINE_DATA: data, CLAUDE_CONFIG_DIR: "" };
  return {
    ...{ folder, settings: path, data },
    run: (...args) => runHere(args, { env, home: folder, program: ASKLINE }),
    read: () => readFileSync(path, "utf8"),
  };
}

describe("askline connect", () => {
  it("adds its entries, changes no other byte, and takes exactly them back", async () => {
    const home = newHome(SETTINGS);
    const { code, stdout } = await home.run("connect", "--yes", "--person", "ana");
    expect([code, stdout]).toEqual([0, expect.stringContaining('Connected as "claude-code-ana"')]);
    expect(stdout).toContain("askline inbox, or askline link --open");
    const after = home.read();
    // Without what was added, it is the file as it was.
    const lines = SETTINGS.split("\n").filter((line) => !/Stop|done|allow|deny|^\}|\]|^\t\}/.test(line));
    for (const line of lines) expect(after).toContain(line);
    expect(after).toContain(`{ "hooks": [{ "type": "command", "command": "say done" }] }`);
    expect(after).toContain("// keep");
    expect(after).toContain(`"allow": ["Bash(ls:*)", "mcp__askline__*"], "deny": []`);
    expect(after).toContain(`${process.execPath} ${ASKLINE} hook claude`);
    expect(after).not.toContain("npx");
    const connection = readConnection(home.data, "claude");
    expect(after).not.toContain(connection?.token);
    expect(statSync(join(home.data, "agents", "claude.json")).mode & 0o777).toBe(0o600);
    expect(readFileSync(`${home.settings}.before-askline`, "utf8")).toBe(SETTINGS);
    const state = JSON.parse(readFileSync(join(home.folder, ".claude.json"), "utf8"));
    expect(state.mcpServers.askline).toMatchObject({ command: process.execPath, args: [ASKLINE, "mcp"] });

    const again = await home.run("connect", "--yes", "--person", "ana");
    expect([again.code, home.read()]).toEqual([0, after]);
    expect(again.stdout).toContain("Nothing to change");
    expect((await home.run("doctor")).stdout).toMatch(/ok +agents +Claude Code is connected/);

    const removed = await home.run("connect", "--remove", "--yes");
    expect([removed.code, home.read()]).toEqual([0, SETTINGS]);
    expect(existsSync(join(home.folder, ".claude.json"))).toBe(false);
    expect(existsSync(`${home.settings}.before-askline`)).toBe(false);
    expect(readConnection(home.data, "claude")).toBeUndefined();
    expect((await home.run("token", "list")).stdout).not.toContain("claude-code");
  });

  it("removes its entries also from a file that was changed meanwhile, and replaces older ones", async () => {
    const home = newHome(SETTINGS);
    await home.run("connect", "--yes");
    const older = home.read().replaceAll(ASKLINE, "/old/askline.js").replace('"opus"', '"sonnet"');
    writeFileSync(home.settings, older);
    expect((await home.run("connect", "--yes")).code).toBe(0);
    expect([home.read().includes("/old/askline.js"), home.read().includes(ASKLINE)]).toEqual([false, true]);
    writeFileSync(home.settings, home.read().replace('"sonnet"', '"haiku"'));
    await home.run("connect", "--remove", "--yes");
    const left = home.read();
    expect(left).not.toMatch(/askline/);
    expect(left).toContain(`{ "hooks": [{ "type": "command", "command": "say done" }] }`);
    expect(left).toContain('"haiku"');
  });

  it("creates the settings where there are none, and removes them again", async () => {
    const home = newHome(undefined);
    expect((await home.run("connect", "--yes")).code).toBe(0);
    expect(Object.keys(JSON.parse(home.read()))).toEqual(["hooks", "permissions"]);
    await home.run("connect", "--remove", "--yes");
    expect(existsSync(home.settings)).toBe(false);
  });

  it("put the token into the usual store beside a server with another one, and every hook got 401", async () => {
    const home = newHome(SETTINGS);
    const elsewhere = `sqlite:${join(home.folder, "elsewhere.db")}`;
    const server = await serveHere(home.data, { args: ["--person", "ana", "--db", elsewhere] });
    expect(await home.run("connect", "--yes", "--person", "ana")).toMatchObject({ code: 0, stderr: "" });
    const { token = "" } = readConnection(home.data, "claude") ?? {};
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${server.url}/v1/server`, { headers })).status).toBe(200);
    expect(existsSync(join(home.data, "askline.db"))).toBe(false);
    expect((await home.run("doctor")).stdout).toMatch(/ok +agents +Claude Code is connected/);

    // A token that only another store knows, as it was written before.
    writeConnection(home.data, "claude", {
      ...{ token: "askline_0123456789abcdef", name: "claude-code-ana", person: "ana", files: [] },
    });
    expect((await home.run("doctor")).stdout).toMatch(/agents +Claude Code: its token is unknown/);
    const other = join(home.folder, "other.db");
    const wrong = await home.run("connect", "--yes", "--db", `sqlite:${other}`);
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining(`another store (${elsewhere})`) });
    expect((await home.run("token", "list", "--db", `sqlite:${other}`)).stdout).not.toContain("claude-code");
    expect((await home.run("connect", "--yes")).stdout).toContain("replace the token: its token is unknown");
    expect((await home.run("doctor")).stdout).toMatch(/ok +agents +Claude Code is connected/);
    await home.run("connect", "--remove", "--yes");
    // The first one stays: its file was replaced above.
    expect((await home.run("token", "list", "--db", elsewhere)).stdout).not.toContain("claude-code-ana-");
  });

  it("leaves files alone that do not parse, and names them", async () => {
    const home = newHome('{ "hooks": ');
    const { code, stdout } = await home.run("connect", "--yes");
    expect([code, home.read()]).toEqual([1, '{ "hooks": ']);
    expect(stdout).toContain(`left alone: ${home.settings} is not a JSON object`);
  });

  it("replaced a link to the settings by a file, at connect and at --remove", async () => {
    const home = newHome(undefined);
    const real = join(home.folder, "dotfiles.json");
    writeFileSync(real, SETTINGS);
    symlinkSync(real, home.settings);
    const { stdout } = await home.run("connect", "--yes");
    expect(stdout).toContain("In its auto mode Claude Code decides most permissions by itself");
    expect(readFileSync(real, "utf8")).toContain("hook claude");
    await home.run("connect", "--remove", "--yes");
    expect([readlinkSync(home.settings), readFileSync(real, "utf8")]).toEqual([real, SETTINGS]);
  });

  it.each([
    ['{ "hooks": [] }', '"hooks" is not an object'],
    ['{ "hooks": { "Stop": {} } }', '"hooks.Stop" is not a list'],
    ['{ "permissions": null }', '"permissions" is not an object'],
    ['{ "permissions": { "allow": "all" } }', '"permissions.allow" is not a list'],
  ])("leaves settings of an odd shape alone: %s", async (settings, why) => {
    const home = newHome(settings);
    const { code, stdout } = await home.run("connect", "--yes");
    expect([code, home.read()]).toEqual([1, settings]);
    expect(stdout).toContain(`left alone: ${home.settings}: ${why}; fix it`);
  });

  it("changes nothing without --yes or a terminal, and --print only prints", async () => {
    const home = newHome(SETTINGS);
    const { code, stdout } = await home.run("connect");
    expect([code, home.read()]).toEqual([1, SETTINGS]);
    expect(stdout).toContain("Nothing was changed");
    const printed = await home.run("connect", "--print", "claude");
    expect([printed.code, home.read(), existsSync(home.data)]).toEqual([0, SETTINGS, false]);
    expect(printed.stdout).toContain('"PermissionRequest"');
    expect(printed.stdout).toContain("claude mcp add --scope user askline");
    expect((await home.run("connect", "nobody")).stderr).toContain('there is no agent "nobody"');
  });

  it("adds the MCP server by Claude Code's own command where that is installed", async () => {
    const home = newHome(SETTINGS, { withProgram: true });
    expect((await home.run("connect", "--yes")).code).toBe(0);
    const calls = readFileSync(join(home.folder, "calls.txt"), "utf8");
    expect(calls).toBe(`mcp add --scope user askline -- ${process.execPath} ${ASKLINE} mcp\n`);
  });

  it("keeps the name of a token from before there were owners, and gives it one", async () => {
    const home = newHome(SETTINGS);
    const data = ["--data", home.data];
    const old = await home.run("token", "create", "--role", "agent", "--name", "claude-code", ...data);
    await home.run("connect", "--yes", "--person", "ana");
    const connection = readConnection(home.data, "claude");
    if (connection === undefined) throw new Error("not connected");
    writeConnection(home.data, "claude", { ...connection, token: old.stdout.trim(), name: "claude-code" });
    const doctor = await home.run("doctor");
    expect(doctor.stdout).toMatch(/wrong +agents +Claude Code: its token was made without --reports/);

    const again = await home.run("connect", "--yes");
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("replace the token: its token")]);
    const { tokens } = JSON.parse((await home.run("token", "list", "--json")).stdout);
    expect(tokens).toMatchObject([
      { name: "claude-code-ana" },
      { name: "claude-code", owner: "ana", reports: ["ana"] },
    ]);
    expect((await home.run("connect", "--yes")).stdout).toContain("Nothing to change");
    expect((await home.run("doctor")).stdout).toMatch(/ok +agents +Claude Code is connected/);
  });

  it("sent the prompts of a token without --reports on a server elsewhere to everyone", async () => {
    const home = newHome(SETTINGS);
    const server = await serveHere();
    const token = async (...args: readonly string[]) => {
      const create = ["token", "create", "--role", "agent", ...args, "--data", server.data];
      return (await home.run(...create)).stdout.trim();
    };
    const connect = async (made: string) =>
      home.run("connect", "--yes", "--person", "ana", "--url", server.url, "--token", made);
    const refused = await connect(await token());
    expect([refused.code, home.read()]).toEqual([2, SETTINGS]);
    expect(refused.stderr).toContain("its token was made without --reports");
    expect(refused.stderr).toContain("--name claude-code-ana --owner ana --reports ana");
    expect((await connect("askline_nobody")).stderr).toContain("unknown, expired or revoked");
    const fine = await token("--name", "claude-code-ana", "--owner", "ana", "--reports", "ana");
    expect((await connect(fine)).code).toBe(0);
    expect((await home.run("doctor")).stdout).toMatch(/ok +agents +Claude Code is connected/);
    const connection = readConnection(home.data, "claude");
    if (connection === undefined) throw new Error("not connected");
    writeConnection(home.data, "claude", { ...connection, token: await token() });
    expect((await home.run("doctor")).stdout).toMatch(/wrong +agents +Claude Code: its token was made/);
  });

  it("with --http writes a token into settings that only their owner reads", async () => {
    const home = newHome(SETTINGS);
    chmodSync(home.settings, 0o644);
    await home.run("connect", "--yes", "--http", "--exclusive");
    const token = readConnection(home.data, "claude")?.token ?? "none";
    expect(home.read()).toContain(`"ASKLINE_CLAUDE_TOKEN": "${token}"`);
    expect(home.read()).toContain("http://127.0.0.1:4780/v1/hooks/claude");
    expect([home.read().includes('"PreToolUse"'), home.read().includes('"PermissionRequest"')]).toEqual([
      true,
      false,
    ]);
    expect(statSync(home.settings).mode & 0o777).toBe(0o600);
    await home.run("connect", "--remove", "--yes");
    expect([home.read(), statSync(home.settings).mode & 0o777]).toEqual([SETTINGS, 0o644]);
  });
});

describe("the files of Claude Code", () => {
  const linux = { home: "/home/ana", platform: "linux", environment: {} } as const;
  it.each([
    [linux, "/home/ana/.claude/settings.json", "/home/ana/.claude.json"],
    [
      { ...linux, environment: { XDG_CONFIG_HOME: "/x" } },
      "/home/ana/.claude/settings.json",
      "/home/ana/.claude.json",
    ],
    [{ ...linux, environment: { CLAUDE_CONFIG_DIR: "/c" } }, "/c/settings.json", "/c/.claude.json"],
    [
      { ...linux, home: "/Users/ana", platform: "darwin" as const },
      "/Users/ana/.claude/settings.json",
      "/Users/ana/.claude.json",
    ],
    [
      { ...linux, home: "C:\\Users\\ana", platform: "win32" as const },
      "C:\\Users\\ana\\.claude\\settings.json",
      "C:\\Users\\ana\\.claude.json",
    ],
  ])("are found for %j", (place, settings, state) => {
    expect(claudeFiles(place)).toMatchObject({ settings, state });
  });

  it.each([
    ["{}", '{\n  "a": [\n    {\n      "b": 1\n    }\n  ]\n}'],
    ['{ "a": [] }', '{ "a": [\n    {\n      "b": 1\n    }\n  ] }'],
    ['{\r\n    "a": [1]\r\n}', '{\r\n    "a": [1,\r\n        {\r\n            "b": 1\r\n        }]\r\n}'],
  ])("keep their own format: %j", (before, after) => {
    expect(addItem(before, ["a"], { b: 1 })).toBe(after);
    expect(setValue('{ "a": 1 }', ["a"], undefined)).toMatch(/^\{\s*\}$/);
  });
});

describe("askline hook claude", () => {
  const event = {
    ...{ session_id: "s1", prompt_id: "p1", cwd: "/shop", hook_event_name: "PermissionRequest" },
    ...{ tool_name: "Bash", tool_input: { command: "npm test" } },
  };

  it("has the server answer an event, as the connected agent, and rules follow", async () => {
    const home = newHome(undefined);
    const server = await serveHere(home.data, { args: ["--person", "ana"] });
    const env = { HOME: home.folder, PATH: join(home.folder, "bin"), ASKLINE_DATA: home.data };
    const run = home.run;
    expect((await run("connect", "--yes", "--person", "ana")).code).toBe(0);
    const hook = (body: object) =>
      start(ASKLINE, ["hook", "claude"], { env, input: JSON.stringify(body), detached: true });
    const first = hook(event);
    const client = connectTo({
      url: server.url,
      token: readPerson(server.data, server.url),
      surface: "phone",
    });
    const ask = await until(async () => (await client.list({ status: "pending" })).asks[0]);
    expect(ask).toMatchObject({ asker: "claude-code-ana", owner: "ana", recipients: ["ana"] });
    const approved = await run("approve", ask.id, "--remember", "always", "--url", server.url);
    expect(approved).toMatchObject({ code: 0 });
    const { code, stdout } = await first.ended;
    const allowed = { hookEventName: "PermissionRequest", decision: { behavior: "allow" } };
    expect([code, JSON.parse(stdout)]).toEqual([0, { hookSpecificOutput: allowed }]);
    expect(JSON.parse((await hook(event).ended).stdout)).toEqual({ hookSpecificOutput: allowed });

    const listed = JSON.parse((await run("rules", "--json", "--url", server.url)).stdout);
    expect(listed.rules).toMatchObject([
      { effect: "allow", agent: "claude-code-ana", project: "/shop", tool: "Bash" },
    ]);
    expect((await run("rules", "--url", server.url)).stdout).toContain("npm test");
    expect((await run("rules", "revoke", listed.rules[0].id, "--url", server.url)).code).toBe(0);
    expect((await run("rules", "--url", server.url)).stdout).toContain("There are no rules");

    const asked = hook({ ...event, prompt_id: "p2" });
    await until(async () => (await client.list({ status: "pending" })).asks[0]);
    expect((await hook({ ...event, prompt_id: "p2", hook_event_name: "PostToolUse" }).ended).code).toBe(0);
    expect(await asked.ended).toMatchObject({ code: 0, stdout: "" });
    await client.close();
  });

  it("waited for ever for a dead server: it tries for five seconds, and only an exclusive gate is denied", async () => {
    const home = newHome(undefined);
    // One port that nobody listens on, and one that accepts and never answers.
    const silent = createServer((socket) => void socket.resume());
    await new Promise<void>((resolve) => void silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as AddressInfo;
    const dead = `http://127.0.0.1:${await freePort()}`;
    const send = (url: string, body: object, agent = "claude") =>
      runHere(["hook", agent, "--url", url, "--token", "x", "--data", home.data], {
        input: JSON.stringify(body),
      });
    const questions = [
      {
        question: "Which?",
        header: "h",
        multiSelect: false,
        options: [
          { label: "a", description: "" },
          { label: "b", description: "" },
        ],
      },
    ];
    const asked = { tool_name: "AskUserQuestion", tool_input: { questions } };
    const gate = { ...event, hook_event_name: "PreToolUse" };
    const form = { message: "Name?", mcp_server_name: "shop", requested_schema: { type: "object" } };
    const [denied, hung, ...others] = await Promise.all([
      send(dead, gate),
      send(`http://127.0.0.1:${port}`, gate),
      send(dead, event),
      send(dead, { ...gate, ...asked }),
      send(dead, { session_id: "s1", hook_event_name: "Elicitation", ...form }),
      send(`http://127.0.0.1:${port}`, { ...event, hook_event_name: "Stop" }),
      send(dead, { ...event, cwd: "/shop", permission_mode: "default" }, "codex"),
    ]);
    for (const { code, stdout, stderr } of [denied, hung]) {
      const { hookSpecificOutput: output } = JSON.parse(stdout);
      expect([code, output.hookEventName, output.permissionDecision]).toEqual([0, "PreToolUse", "deny"]);
      expect(output.permissionDecisionReason).toContain("no server answered at http://127.0.0.1:");
      expect(stderr).toContain("within 5 seconds");
    }
    for (const { code, stdout } of others) expect([code, stdout]).toEqual([0, ""]);
    await new Promise((resolve) => silent.close(resolve));
  });

  it("waits on through an outage once it has reached the server", async () => {
    const home = newHome(undefined);
    const server = await startHere(home.data, { args: ["--person", "ana"] });
    const port = new URL(server.url).port;
    const token = readCredentials(home.data, server.url)?.agent ?? "";
    const args = ["hook", "claude", "--url", server.url, "--token", token, "--data", home.data];
    const waiting = runHere(args, { input: JSON.stringify({ ...event, hook_event_name: "PreToolUse" }) });
    const reach = () => connectTo({ url: server.url, token: readPerson(home.data, server.url) });
    const before = reach();
    const { id } = await until(async () => (await before.list({ status: "pending" })).asks[0]);
    await before.close();
    await server.stop();
    // Longer than it tries to reach a server: twice a second.
    let tries = 0;
    const broken = createServer((socket) => {
      tries += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => void broken.listen(Number(port), "127.0.0.1", resolve));
    await until(() => (tries > 12 ? true : undefined));
    await new Promise((resolve) => broken.close(resolve));
    await serveHere(home.data, { args: ["--person", "ana", "--port", port] });
    const after = reach();
    await after.decide(id, { decisions: [{ action: "a1", kind: "approve" }] });
    await after.close();
    expect(JSON.parse((await waiting).stdout).hookSpecificOutput.permissionDecision).toBe("allow");
  });

  it("decides nothing where no server runs, or for what is not an event", async () => {
    const home = newHome(undefined);
    const env = { HOME: home.folder, ASKLINE_DATA: home.data };
    const send = (input: string) => start(ASKLINE, ["hook", "claude"], { env, input, detached: true }).ended;
    for (const input of [JSON.stringify({ ...event, hook_event_name: "Stop" }), "no JSON", ""]) {
      expect(await send(input)).toMatchObject({ code: 0, stdout: "" });
    }
  });
});

function readPerson(data: string, url: string): string {
  const file = JSON.parse(readFileSync(join(data, "credentials.json"), "utf8"));
  return file.servers[new URL(url).origin].person;
}
