import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { writeConnection } from "../../src/agents/set-up/connection.js";
import { connect } from "../../src/client/index.ts";
import { runHere, type WorldOptions } from "./in-process.ts";
import { ASKLINE, type Ended, endProcesses, openTerminal, run, start } from "./processes.ts";
import { newFolder, post, removeFolders, type ServeProcess, serve } from "./servers.ts";

afterEach(endProcesses);
afterAll(removeFolders);

const SHIP = { questions: [{ question: "Ship it?", options: ["Yes", "No"] }] };

/** Runs a command as somebody who names the data folder and nothing else. */
function at({ data }: Pick<ServeProcess, "data">, args: readonly string[], options: WorldOptions = {}) {
  return runHere(args, { ...options, env: { ASKLINE_DATA: data, ...options.env } });
}

describe("askline without arguments", () => {
  it("says in six lines that nothing runs, and the next step", async () => {
    const data = newFolder();
    const { code, stdout } = await runHere([], { env: { ASKLINE_DATA: data } });
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(6);
    expect(lines[1]).toBe("  Server   none runs on this machine");
    expect(lines[3]).toBe("  Agents   none is connected");
    expect(lines[4]).toBe("  Next     askline demo · askline connect");
    writeConnection(data, "claude", { token: "t", name: "claude-code", person: "ana", files: [] });
    const after = await runHere([], { env: { ASKLINE_DATA: data } });
    expect(after.stdout).toContain("  Agents   Claude Code (connected)\n");
  });

  it("says in six lines what runs, what waits, and who asked", async () => {
    const server = await serve();
    await post(server, { ...SHIP, agentId: "builder" });
    await post(server, { ...SHIP, agentId: "tester" });
    const lines = (await at(server, [])).stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(6);
    expect(lines[1]).toBe(`  Server   ${server.url}`);
    expect(lines[2]).toMatch(/^ {2}Waiting {2}2 asks, the oldest for \d+s$/);
    expect(lines[3]).toMatch(/^ {2}Agents {3}local › tester \(asked \S+ ago\), local › builder \(asked/);
    expect(lines[4]).toBe("  Next     askline inbox · askline link --open");
    expect(JSON.parse((await at(server, ["--json"])).stdout)).toMatchObject({
      server: { url: server.url, background: false },
      asks: { pending: 2, more: false },
    });
  });

  it("says that a server does not answer, also at 44 columns", async () => {
    const env = { ASKLINE_URL: "http://127.0.0.1:9", ASKLINE_TOKEN: "none", ASKLINE_DATA: newFolder() };
    const { code, stdout } = await runHere([], { env, columns: 44 });
    expect(code).toBe(0);
    expect(stdout.replace(/\s+/g, " ")).toContain("Server none answers at http://127.0.0.1:9 Waiting");
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(44);
  });
});

describe("the next command that a list prints", () => {
  it('"More" keeps the filters', async () => {
    const server = await serve();
    const session = "it's a session";
    for (const key of ["one", "two", "three"]) await post(server, { ...SHIP, key, session });
    await post(server, { ...SHIP, session: "other" });
    const args = ["list", "--status", "all", "--session", session, "--limit", "2", "--newest"];
    const first = await server.run(args);
    const line = /^More: askline (list .*)$/m.exec(first.stdout)?.[1] ?? "none";
    expect(line).toContain("--status all --session 'it'\\''s a session' --limit 2 --newest --after");
    const next = shell(`"$NODE" "$ASKLINE" ${line} --json`, server.env);
    expect(JSON.parse(next.stdout).asks).toMatchObject([{ key: "one", session }]);
  });

  it("is askline show X, or askline answer X", async () => {
    const server = await serve();
    const { id } = await post(server, SHIP);
    const { stdout } = await server.run(["list"], { columns: 200 });
    const short = id.slice(-8);
    const hint = `--url ${server.url} --data ${server.data}`;
    expect(stdout).toContain(`\naskline show ${short} ${hint}, or askline answer ${short} ${hint}\n`);
  });
});

function shell(line: string, env: Readonly<Record<string, string>>): SpawnSyncReturns<string> {
  const own = { NODE: process.execPath, ASKLINE };
  return spawnSync("/bin/sh", ["-c", line], { encoding: "utf8", env: { ...process.env, ...own, ...env } });
}

/** The pending asks that `connect()` without arguments lists. */
async function asksOfConnect(data: string): Promise<readonly unknown[]> {
  const before = process.env.ASKLINE_DATA;
  process.env.ASKLINE_DATA = data;
  try {
    const client = connect();
    const { asks } = await client.list({ status: "pending" });
    await client.close();
    return asks;
  } finally {
    if (before === undefined) delete process.env.ASKLINE_DATA;
    else process.env.ASKLINE_DATA = before;
  }
}

describe("the server that was last told to run", () => {
  it("is the one that commands and connect() use, on whichever port", async () => {
    const server = await serve();
    await post(server, SHIP);
    const { code, stdout } = await at(server, ["list", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).asks).toHaveLength(1);
    expect(await asksOfConnect(server.data)).toHaveLength(1);
  });

  it("hid one that was started before it and still runs, after it had ended", async () => {
    const first = await serve();
    await post(first, SHIP);
    const second = await serve(first.data);
    expect((await at(first, ["status"])).stdout).toContain(second.url);
    second.running.child.kill("SIGKILL");
    await second.running.ended;
    const { code, stdout } = await at(first, ["list", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).asks).toHaveLength(1);
    expect(await asksOfConnect(first.data)).toHaveLength(1);
  });

  it("gives way to the earlier address when it has ended, and to ASKLINE_PORT", async () => {
    const server = await serve();
    const named = await at(server, ["list"], { env: { ASKLINE_PORT: "9" } });
    expect(named.stderr).toContain("http://127.0.0.1:9");
    server.running.child.kill("SIGKILL");
    await server.running.ended;
    expect((await at(server, ["list"])).stderr).not.toContain(server.url);
  });

  it("is never a machine elsewhere, whatever the file says", async () => {
    const data = newFolder();
    writeFileSync(join(data, "server.json"), JSON.stringify({ url: "http://example.com", pid: process.pid }));
    expect((await runHere(["list"], { env: { ASKLINE_DATA: data } })).stderr).not.toContain("example.com");
  });
});

describe("askline ask uses the running server", () => {
  const ASK = ["ask", "--question", "Ship it?", "--option", "Yes", "--option", "No"];

  it("at a terminal, and says so", async () => {
    const server = await serve();
    const terminal = openTerminal(
      `ASKLINE_DATA='${server.data}' "$NODE" "$ASKLINE" ask -q "Ship it?" -o Yes -o No`,
    );
    await terminal.shows(`asking through the server at ${server.url}; --here asks at`);
    await terminal.shows("is waiting for an answer");
    const { stdout } = await at(server, ["list", "--json"]);
    const { id } = JSON.parse(stdout).asks[0];
    expect((await at(server, ["answer", id, "--pick", "2"])).code).toBe(0);
    expect(await terminal.ended).toBe(0);
    expect(terminal.text()).toContain("\nNo\n");
  });

  it("for an ask that comes on stdin", async () => {
    const server = await serve();
    const asking = start(ASKLINE, ["ask"], {
      input: JSON.stringify(SHIP),
      env: { ASKLINE_DATA: server.data },
    });
    await asking.shows("is waiting for an answer");
    const { stdout } = await at(server, ["list", "--json"]);
    await at(server, ["answer", JSON.parse(stdout).asks[0].id, "--pick", "1"]);
    expect(await asking.ended).toMatchObject({ code: 0, stdout: "Ship it?\nYes\n" });
  });

  it("not where a script pipes the answers in, nor with --here", async () => {
    const server = await serve();
    const env = { ASKLINE_DATA: server.data };
    const piped: Ended = await run(ASKLINE, ASK, { input: "2\n", env });
    expect(piped).toMatchObject({ code: 0, stdout: "Ship it?\nNo\n" });
    expect(piped.stderr).not.toContain("server");
    const here = await runHere(["ask", "--here"], { input: JSON.stringify(SHIP), env });
    expect(here.code).toBe(5);
    expect(here.stderr).toContain("there is no terminal to ask at");
    const { stdout } = await at(server, ["list", "--status", "all", "--json"]);
    expect(JSON.parse(stdout).asks).toEqual([]);
  });

  it("and refuses flags of a server where none runs, or with --here", async () => {
    const env = { ASKLINE_DATA: newFolder() };
    const none = await runHere([...ASK, "--session", "s1"], { env });
    expect(none).toMatchObject({ code: 2 });
    expect(none.stderr).toContain('none runs on this machine; start one with "askline serve"');
    const here = await runHere([...ASK, "--session", "s1", "--here"], { env });
    expect(here.stderr).toContain("--here asks at this terminal");
  });
});
