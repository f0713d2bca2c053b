import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decisionOf, promptOfEvent } from "../../src/agents/codex/hook.js";
import type { Place } from "../../src/agents/set-up/agent.js";
import { codex } from "../../src/agents/set-up/codex.js";
import { readConnection } from "../../src/agents/set-up/connection.js";
import { setTable } from "../../src/agents/set-up/edit-toml.js";
import { openCodex } from "../../src/cli/connect/codex-connection.js";
import { codexAddress, isBridged, markBridge, unmarkBridge } from "../../src/cli/connect/codex-place.js";
import { readCredentials } from "../../src/cli/connect/credentials.js";
import { type Client, connect as connectTo } from "../../src/client/index.js";
import type { Ask, Outcome } from "../../src/index.js";
import { openAppServer, recorded } from "../agents/codex/scripted-app-server.ts";
import { until } from "../server/open-server.ts";
import { runHere } from "./in-process.ts";
import { ASKLINE, type Ended, endProcesses, type Running, start } from "./processes.ts";
import { newFolder, removeFolders, serve } from "./servers.ts";

afterAll(() => {
  endProcesses();
  removeFolders();
});

const HOOKS = `{
  "hooks": {
    "PermissionRequest": [
      { "matcher": "^Bash$", "hooks": [{ "type": "command", "command": "say asked" }] }
    ]
  }
}
`;
const CONFIG = `model = "gpt-5.5" # mine
[mcp_servers.docs]
command = "docs" # keep

# about the project
[projects."/home/ana/shop"]
trust_level = "trusted"
`;

interface Home {
  readonly data: string;
  readonly hooks: string;
  readonly config: string;
  run(...args: readonly string[]): Promise<Ended>;
  start(...args: readonly string[]): Running;
  hook(event: object, ...args: readonly string[]): Running;
}

function newHome(hooks: string | undefined, config: string | undefined): Home {
  const folder = newFolder();
  mkdirSync(join(folder, ".codex"));
  const paths = {
    hooks: join(folder, ".codex", "hooks.json"),
    config: join(folder, ".codex", "config.toml"),
  };
  if (hooks !== undefined) writeFileSync(paths.hooks, hooks);
  if (config !== undefined) writeFileSync(paths.config, config);
  const data = join(folder, "data");
  const env = { HOME: folder, PATH: join(folder, "bin"), ASKLINE_DATA: data, CODEX_HOME: "" };
  return {
    ...paths,
    data,
    run: (...args) => runHere(args, { env, home: folder, program: ASKLINE }),
    start: (...args) => start(ASKLINE, args, { env, detached: true, input: "" }),
    hook: (event, ...args) =>
      start(ASKLINE, ["hook", "codex", ...args], {
        env,
        detached: true,
        input: JSON.stringify(event),
      }),
  };
}

describe("askline connect codex", () => {
  it("adds its entries, changes no other byte, and takes exactly them back", async () => {
    const home = newHome(HOOKS, CONFIG);
    const { code, stdout } = await home.run("connect", "codex", "--yes", "--person", "ana");
    expect([code, stdout]).toEqual([0, expect.stringContaining('Connected as "codex-ana"')]);
    expect(stdout).toContain("/hooks");
    const [hooks, config] = [readFileSync(home.hooks, "utf8"), readFileSync(home.config, "utf8")];
    expect(hooks).toContain(
      `{ "matcher": "^Bash$", "hooks": [{ "type": "command", "command": "say asked" }] }`,
    );
    expect(JSON.parse(hooks).hooks.PermissionRequest[1]).toEqual({
      hooks: [
        {
          ...{ type: "command", command: `${process.execPath} ${ASKLINE} hook codex`, timeout: 30 },
          statusMessage: expect.any(String),
        },
      ],
    });
    expect(config.startsWith(CONFIG)).toBe(true);
    expect(parse(config.slice(CONFIG.length))).toEqual({
      mcp_servers: {
        askline: {
          command: process.execPath,
          args: [ASKLINE, "mcp", "--wait", "50m"],
          env_vars: ["ASKLINE_DATA"],
          tool_timeout_sec: 3_600,
          default_tools_approval_mode: "approve",
        },
      },
    });
    expect(hooks + config).not.toContain(readConnection(home.data, "codex")?.token);
    expect((await home.run("connect", "codex", "--yes", "--person", "ana")).stdout).toContain(
      "Nothing to change",
    );

    // Codex writes into the same file: what you trust, and what it need not ask again.
    const more = `\n[hooks.state."x:permission_request:0:0"]\ntrusted_hash = "sha256:1"\n`;
    const always = `\n[mcp_servers.askline.tools.ask_user_question]\napproval_mode = "approve"\n`;
    writeFileSync(home.config, `${config}${always}${more}`);
    const removed = await home.run("connect", "codex", "--remove", "--yes");
    expect([removed.code, readFileSync(home.hooks, "utf8")]).toEqual([0, HOOKS]);
    expect(readFileSync(home.config, "utf8")).toBe(`${CONFIG}${more}`);
    expect(readConnection(home.data, "codex")).toBeUndefined();
  });

  it("leaves files alone that it cannot edit, and names them", () => {
    for (const [hooks, config, left, why] of [
      ["{ nothing", CONFIG, "hooks.json", "is not a JSON object"],
      ['{ "hooks": [] }', CONFIG, "hooks.json", '"hooks" is not an object'],
      [HOOKS, "model = ", "config.toml", "is not TOML"],
      [HOOKS, 'mcp_servers = { askline = { command = "x" } }\n', "config.toml", "edit it by hand"],
    ] as const) {
      const home = newHome(hooks, config);
      const place = { home: join(home.data, ".."), platform: process.platform, environment: {} };
      const options = { command: ["node", "askline.js"] as const, flags: [], exclusive: false };
      const { files, problems } = codex.connect(place, options);
      expect(problems).toEqual([expect.stringMatching(new RegExp(`${left}.*${why}`))]);
      expect(files.map(({ path }) => path)).toEqual([left === "hooks.json" ? home.config : home.hooks]);
    }
  });

  it("named variables that are not set, of which codex doctor warned", () => {
    const serverOf = (config: string, environment: Place["environment"]): unknown => {
      const home = newHome(undefined, config);
      const place = { home: join(home.data, ".."), platform: process.platform, environment };
      const options = { command: ["node", "askline.js"] as const, flags: [], exclusive: false };
      const { files } = codex.connect(place, options);
      const { after } = files.find(({ path }) => path === home.config) ?? {};
      return after === undefined ? "nothing to change" : parse(after);
    };
    const server = (entry: object): object => ({ mcp_servers: { askline: expect.objectContaining(entry) } });
    const one = serverOf("", { ASKLINE_URL: "http://127.0.0.1:4780", ASKLINE_TOKEN: "" });
    expect(one).toEqual(server({ env_vars: ["ASKLINE_URL"] }));
    const none = serverOf("", {});
    expect(none).toEqual(server({ args: ["askline.js", "mcp", "--wait", "50m"] }));
    expect(JSON.stringify(none)).not.toContain("env_vars");

    // As it was written before; a variable of the person's own stays.
    const text = (names: readonly string[]): string =>
      setTable("", ["mcp_servers", "askline"], {
        ...{ command: "node", args: ["askline.js", "mcp", "--wait", "50m"], env_vars: names },
        ...{ tool_timeout_sec: 3_600, default_tools_approval_mode: "approve" },
      }) ?? "";
    const before = text(["ASKLINE_CONFIG", "ASKLINE_DATA", "MINE"]);
    expect(serverOf(before, { ASKLINE_DATA: "/data" })).toEqual(
      server({ env_vars: ["ASKLINE_DATA", "MINE"] }),
    );
    expect(serverOf(text(["ASKLINE_DATA", "MINE"]), { ASKLINE_DATA: "/data" })).toBe("nothing to change");
  });

  it("sets and removes a table, or says that it cannot", () => {
    const table = ["mcp_servers", "askline"] as const;
    for (const text of ["", "a = 1", "a = 1\r\n[b]\r\nc = 2\r\n", `${CONFIG}\n\n`]) {
      const added = setTable(text, table, { command: 'say "\u007f\\n"', args: ["a, b", "[c]"] }) ?? "";
      expect(parse(added)).toMatchObject({
        mcp_servers: { askline: { command: 'say "\u007f\\n"', args: ["a, b", "[c]"] } },
      });
      expect(setTable(added, table, undefined)).toBe(text === "a = 1" ? "a = 1\n" : text);
    }
    const quoted = `[ "mcp_servers" . 'askline' ]\ncommand = "x"\n# of the next\n[next]\n`;
    expect(setTable(quoted, table, undefined)).toBe("# of the next\n[next]\n");
    for (const text of [
      `[mcp_servers]\naskline.command = "x"\n`,
      `a = """\n[mcp_servers.askline]\n"""\n[mcp_servers.askline]\ncommand = "x"\n`,
    ]) {
      expect(setTable(text, table, undefined)).toBeUndefined();
    }
  });
});

describe("what an event of Codex asks", () => {
  const { command, patch, mcpTool, stop } = recorded.hooks;

  it("is an approval that cannot be edited, with the command, the patch or the arguments", () => {
    expect(promptOfEvent(command)).toMatchObject({
      content: {
        approval: {
          actions: [
            { name: "Bash", args: { command: "touch a" }, description: "ok?", allow: ["approve", "reject"] },
          ],
        },
      },
      origin: { agent: "codex", session: command.session_id, folder: "/home/ana/shop" },
    });
    expect(promptOfEvent(patch)?.content.context).toContain("+hello\n*** End Patch\n```");
    expect(promptOfEvent(mcpTool)?.content.approval?.actions[0]).toMatchObject({
      ...{ name: "mcp__fake__plain", args: { x: "1" } },
    });
  });

  it("is nothing for other events, for our own tools, and for what cannot be shown whole", () => {
    for (const event of [
      stop,
      { ...command, session_id: 7 },
      { ...command, tool_name: "mcp__askline__ask_user_question" },
      { ...command, tool_input: { command: "x".repeat(200_000) } },
      { ...command, tool_input: { command: "ls", description: "x".repeat(9_000) } },
      { ...command, tool_input: ["ls"] },
      { ...command, session_id: "x".repeat(300) },
      { ...command, tool_name: "x".repeat(300) },
    ]) {
      expect(promptOfEvent(event)).toBeUndefined();
    }
  });

  it("is decided by a person only", () => {
    const ask = { questions: [], approval: { actions: [{ id: "a1", name: "Bash", args: {} }] } };
    const by = { kind: "person", id: "ana", surface: "inbox" } as const;
    const decided = (outcome: unknown) => decisionOf(ask as unknown as Ask, outcome as Outcome);
    const output = (decision: object) => ({
      hookSpecificOutput: { hookEventName: "PermissionRequest", decision },
    });
    const decisions = (kind: string, message?: string) => [{ action: "a1", kind, message }];
    expect(decided({ kind: "decided", decisions: decisions("approve"), by })).toEqual(
      output({ behavior: "allow" }),
    );
    for (const outcome of [
      { kind: "decided", decisions: decisions("reject", 'no, "not" now'), by },
      { kind: "declined", reason: 'no, "not" now', by },
      { kind: "replied", text: 'no, "not" now', by },
    ]) {
      const message = expect.stringContaining('no, \\"not\\" now');
      expect(decided(outcome)).toEqual(output({ behavior: "deny", message }));
    }
    for (const kind of ["expired", "withdrawn", "unavailable"]) expect(decided({ kind })).toBeUndefined();
  });
});

describe("askline hook codex", () => {
  let home: Home;
  let client: Client;
  const event = recorded.hooks.command;

  beforeAll(async () => {
    home = newHome(undefined, undefined);
    const server = await serve(home.data, { args: ["--person", "ana"] });
    expect((await home.run("connect", "codex", "--yes", "--person", "ana")).code).toBe(0);
    const token = readCredentials(home.data, server.url)?.person ?? "";
    client = connectTo({ url: server.url, token, surface: "phone" });
  });
  afterAll(() => client.close());

  const pending = () => until(async () => (await client.list({ status: "pending" })).asks[0]);

  it("prints what a person decided, once, for the request that they saw", async () => {
    const [first, second] = [home.hook(event), home.hook({ ...event, tool_input: { command: "rm b" } })];
    const asks = await until(async () => {
      const { asks } = await client.list({ status: "pending" });
      return asks.length === 2 ? asks : undefined;
    });
    expect(asks[0]).toMatchObject({ asker: "codex-ana", recipients: ["ana"] });
    for (const { id, approval } of asks) {
      const isFirst = approval?.actions[0]?.args.command === "touch a";
      const decide = (kind: "approve" | "reject") =>
        client.decide(id, { decisions: [{ action: "a1", kind }] });
      await expect(
        client.decide(id, { decisions: [{ action: "a1", kind: "edit", args: { command: "x" } }] }),
      ).rejects.toMatchObject({ code: "invalid_answer" });
      // Two at once: the first counts.
      const racing = isFirst ? [decide("approve")] : [decide("reject"), decide("approve")];
      const ended = await Promise.allSettled(racing);
      expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    }
    const outputs = await Promise.all(
      [first, second].map(async ({ ended }) => JSON.parse((await ended).stdout)),
    );
    const winner = await client.get(
      asks.find(({ approval }) => approval?.actions[0]?.args.command === "rm b")?.id ?? "",
    );
    const kind = winner.outcome?.kind === "decided" ? winner.outcome.decisions[0]?.kind : undefined;
    expect(outputs.map(({ hookSpecificOutput: { decision } }) => decision.behavior)).toEqual([
      "allow",
      kind === "approve" ? "allow" : "deny",
    ]);
  });

  it("falls through in time, prints nothing, and says where Codex asks now", async () => {
    const { ended } = home.hook(event, "--hold", "1");
    const { id } = await pending();
    expect(await ended).toMatchObject({ code: 0, stdout: "" });
    const { outcome } = await client.get(id);
    expect(outcome).toMatchObject({
      ...{ kind: "withdrawn", reason: "nobody answered within 1 s; Codex asks in its own terminal now" },
    });
  });

  it("withdraws when Codex ends it, and has a deadline for when it is killed", async () => {
    const stopped = home.hook(event);
    const first = await pending();
    stopped.child.kill("SIGTERM");
    expect((await stopped.ended).stdout).toBe("");
    expect((await client.get(first.id)).outcome).toMatchObject({
      ...{ kind: "withdrawn", reason: "Codex stopped waiting" },
    });
    // One that is killed says nothing: its ask expires by itself.
    expect((first.deadline ?? 0) - first.createdAt).toBe(22_000);
  });

  it("decides nothing for what is not a request, and refuses flags of another agent", async () => {
    const here = (input: string, ...args: readonly string[]) =>
      runHere(["hook", "codex", "--data", home.data, ...args], { input });
    for (const input of [JSON.stringify(recorded.hooks.stop), "no JSON", ""]) {
      expect(await here(input)).toMatchObject({ code: 0, stdout: "" });
    }
    const input = JSON.stringify(event);
    expect((await here(input, "--defer", "3")).stderr).toContain("--defer is not for codex");
    expect((await here(input, "--hold", "soon")).stderr).toContain("not a number of seconds");
  });
});

describe("askline codex", () => {
  it("bridges until it is killed, and the next one delivers the answer to the same ask", async () => {
    const home = newHome(undefined, undefined);
    const server = await serve(home.data, { args: ["--person", "ana"] });
    const app = await openAppServer();
    const first = home.start("codex", app.url);
    await first.shows(`connected to Codex 0.169.0 at ${app.url}`);
    const id = app.ask("command");
    await first.shows("askline: Codex asks in /home/ana/shop: Bash");
    const person = readCredentials(home.data, server.url)?.person ?? "";
    const client = connectTo({ url: server.url, token: person, surface: "phone" });
    const { asks } = await client.list({ status: "pending" });
    first.child.kill("SIGKILL");
    await first.ended;
    await client.decide(asks[0]?.id ?? "", { decisions: [{ action: "a1", kind: "approve" }] });
    const second = home.start("codex", app.url);
    expect(await app.result(id)).toEqual({ decision: "accept" });
    expect((await client.list({ agentId: "codex" })).asks).toHaveLength(1);
    await second.shows("connected");
    second.child.kill("SIGINT");
    expect((await second.ended).code).toBe(130);
    await client.close();
  });

  it("says what is wrong with an address, and how to start Codex", async () => {
    expect(await runHere(["codex", "http://127.0.0.1:1"])).toMatchObject({
      ...{ code: 2, stderr: expect.stringContaining("write it like unix:/path/to/socket or ws://") },
    });
    const nowhere = join(newFolder(), "none.sock");
    await expect(openCodex(`unix:${nowhere}`, new AbortController().signal)).rejects.toThrow(
      `no Codex runs here (${nowhere}); start "codex"`,
    );
  });

  it("makes the hook stand aside while it runs, for the same Codex only", () => {
    const data = newFolder();
    const place = { home: "/home/ana", platform: "linux", environment: {} } as const;
    const address = codexAddress(undefined, place);
    expect(address).toBe("unix:/home/ana/.codex/app-server-control/app-server-control.sock");
    expect(codexAddress(undefined, { ...place, environment: { CODEX_HOME: "/c" } })).toMatch(
      /^unix:\/c\/app/,
    );
    expect(isBridged(data, address)).toBe(false);
    markBridge(data, address);
    expect([isBridged(data, address), isBridged(data, "unix:/other")]).toEqual([true, false]);
    writeFileSync(join(data, "agents", "codex-bridge.json"), JSON.stringify({ pid: 2 ** 22 + 1, address }));
    expect(isBridged(data, address)).toBe(false);
    markBridge(data, address);
    unmarkBridge(data);
    expect(isBridged(data, address)).toBe(false);
  });
});
