import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, onTestFinished } from "vitest";
import { readCredentials } from "../../src/cli/connect/credentials.js";
import { connect } from "../../src/client/index.ts";
import { until } from "../server/open-server.ts";
import { runHere } from "./in-process.ts";
import { ASKLINE, endProcesses, openTerminal, run, start } from "./processes.ts";
import { newFolder, post, removeFolders, serve } from "./servers.ts";

afterEach(endProcesses);
afterAll(removeFolders);

const SHIP = ["--question", "Ship it?", "--option", "Yes", "--option", "No"];

describe("askline serve: three terminals", () => {
  it("answers from a third terminal an ask of the second", async () => {
    const server = await serve();
    const { id, running } = await server.ask(SHIP);
    const answered = await server.run(["answer", id, "--pick", "2"]);
    expect(answered).toMatchObject({ code: 0, stderr: "" });
    expect(answered.stdout).toMatch(/^ask_.* answered by .*: Ship it\? -> No\n$/);
    expect(await running.ended).toMatchObject({ code: 0, stdout: "Ship it?\nNo\n" });
  });

  it("prints the outcome as JSON, and exits with its code", async () => {
    const server = await serve();
    const declining = await server.ask([...SHIP, "--json"]);
    await server.run(["decline", declining.id, "not now"]);
    const declined = await declining.running.ended;
    expect(declined.code).toBe(3);
    expect(JSON.parse(declined.stdout)).toMatchObject({
      kind: "declined",
      reason: "not now",
      by: { kind: "person", surface: "command-line" },
    });
    const replying = await server.ask(SHIP);
    await server.run(["reply", replying.id, "Ask me in May"]);
    expect((await replying.running.ended).code).toBe(6);
    expect((await server.run(["ask", ...SHIP, "--timeout", "50ms"])).code).toBe(4);
  });

  it("withdraws the ask on Ctrl-C", async () => {
    const server = await serve();
    const { id, running } = await server.ask(SHIP);
    running.child.kill("SIGINT");
    expect(await running.ended).toMatchObject({ code: 130 });
    const shown = await server.run(["show", id, "--json"]);
    expect(JSON.parse(shown.stdout)).toMatchObject({ status: "withdrawn" });
  });

  it("returns the same ask for the same session and key", async () => {
    const server = await serve();
    const flags = [...SHIP, "--session", "s1", "--key", "k1", "--recipient", server.env.USER ?? "root"];
    const first = await server.ask(flags);
    const second = await server.ask(flags);
    expect(second.id).toBe(first.id);
    await server.run(["withdraw", first.id]);
    expect((await first.running.ended).code).toBe(130);
    expect((await second.running.ended).code).toBe(130);
  });
});

describe("askline ask with a key", () => {
  const WARNING = "a key without --session finds the ask again only while it is pending";

  it.each([
    ["warns once without a session", ["--key", "k1"], 1],
    ["does not warn with a session", ["--key", "k1", "--session", "s1"], 0],
    ["does not warn without a key", [], 0],
  ])("%s", async (_name, flags, count) => {
    const server = await serve();
    const { id, running } = await server.ask([...SHIP, ...flags]);
    await server.run(["withdraw", id]);
    const { stderr } = await running.ended;
    expect(stderr.split(WARNING)).toHaveLength(count + 1);
  });
});

describe("askline serve: a server that is killed", () => {
  it("keeps the ask, and the waiting client continues when the server is back", async () => {
    const server = await serve();
    const { id, running } = await server.ask(SHIP);
    server.running.child.kill("SIGKILL");
    await server.running.ended;
    const again = await serve(server.data, { port: new URL(server.url).port });
    expect(again.url).toBe(server.url);
    expect((await again.run(["answer", id.slice(-8), "--pick", "Yes"])).code).toBe(0);
    expect(await running.ended).toMatchObject({ code: 0, stdout: "Ship it?\nYes\n" });
  });
});

describe("askline serve: credentials", () => {
  it("writes them on the first start, readable only by their owner, and reuses them", async () => {
    const data = join(newFolder(), "new");
    const first = await serve(data);
    const path = join(data, "credentials.json");
    expect(statSync(data).mode & 0o777).toBe(0o700);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const text = readFileSync(path, "utf8");
    expect(JSON.parse(text).servers[first.url]).toEqual({
      agent: expect.stringMatching(/^askline_/),
      person: expect.stringMatching(/^askline_/),
      proof: expect.stringMatching(/^[\w-]{43}\.[\w-]{43}$/),
    });
    first.running.child.kill("SIGTERM");
    expect((await first.running.ended).code).toBe(0);
    const second = await serve(data, { port: new URL(first.url).port });
    expect(readFileSync(path, "utf8")).toBe(text);
    expect((await second.run(["list"])).stdout).toBe("Nothing is waiting for an answer.\n");
  });

  it("creates new ones if the store does not know the old ones", async () => {
    const data = newFolder();
    const first = await serve(data, { args: ["--db", "memory:"] });
    first.running.child.kill("SIGTERM");
    await first.running.ended;
    const second = await serve(data, { port: new URL(first.url).port, args: ["--db", "memory:"] });
    expect((await second.run(["list"])).code).toBe(0);
  });

  it("reports a damaged credentials file, and does not touch it", async () => {
    const data = newFolder();
    writeFileSync(join(data, "credentials.json"), "askline_secret");
    const { code, stderr } = await runHere(["serve", "--data", data, "--port", "0"]);
    expect(stderr).toMatch(/^askline: the credentials file .* cannot be read \(it is not JSON\); .*\n$/);
    expect(stderr).not.toContain("askline_secret");
    expect(code).toBe(1);
    expect(readFileSync(join(data, "credentials.json"), "utf8")).toBe("askline_secret");
  });
});

describe("askline serve: the banner", () => {
  it("names the server, the store, the inbox and how to ask", async () => {
    const data = newFolder();
    const args = ["serve", "--data", data, "--port", "0", "--log-level", "warn"];
    const running = start(ASKLINE, [...args, "--print-link"]);
    const text = await running.prints("wait=60");
    const url = /Server {2}(\S+)/.exec(text)?.[1] ?? "none";
    expect(text).toContain(`Store   sqlite:${join(data, "askline.db")}`);
    expect(text).toMatch(new RegExp(`\n {2}${url}/\\?code=\\S+\n`));
    expect(text).toContain(`npx askline ask --url ${url} --data ${data} --question`);
    expect(text).toContain(`or get a new link:\n  npx askline link --url ${url} --data ${data}\n`);
    expect(text).toContain(`or answer at a terminal:\n  npx askline inbox --url ${url} --data ${data}\n`);
    expect(text).toContain(`curl -sS -H @${data}/agent-${new URL(url).port}.headers -d '{"questions"`);
    running.child.kill("SIGINT");
    expect(await running.ended).toMatchObject({ code: 0, stderr: "" });
  });

  it("names a link command that opens this server, whatever its port, store and person", async () => {
    const data = newFolder();
    const db = `sqlite:${join(data, "another file.db")}`;
    const running = start(ASKLINE, ["serve", "--data", data, "--port", "0", "--db", db, "--person", "ana"]);
    const text = await running.prints("wait=60");
    const url = /Server {2}(\S+)/.exec(text)?.[1] ?? "none";
    const hint = / {2}npx askline (link .*)\n/.exec(text)?.[1] ?? "none";
    expect(hint).toBe(`link --url ${url} --data ${data} --db '${db}' --person ana`);
    const args = ["link", "--url", url, "--data", data, "--db", db, "--person", "ana", "--json"];
    const made = JSON.parse((await runHere(args)).stdout);
    expect(made).toMatchObject({ person: "ana", url: expect.stringContaining(`${url}/?code=`) });
    const code = new URL(made.url).searchParams.get("code") ?? "";
    const signedIn = await fetch(`${url}/login`, {
      method: "POST",
      redirect: "manual",
      headers: { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" },
      body: new URLSearchParams({ code }).toString(),
    });
    expect(signedIn.headers.get("set-cookie")).toMatch(/^askline_/);
  });

  it("names no link command for a store that no other process can open", async () => {
    const args = ["serve", "--data", newFolder(), "--port", "0", "--db", "memory:", "--print-link"];
    expect(await start(ASKLINE, args).prints("wait=60")).toContain(
      "(the link works once, within 10 minutes):",
    );
  });

  it.each([[[]], [["--json"]]])("put a login code into every log, with %j", async (flags) => {
    const running = start(ASKLINE, ["serve", "--data", newFolder(), "--port", "0", ...flags]);
    const text = await running.prints(flags.length === 0 ? "wait=60" : "\n");
    expect(text).not.toContain("code=");
    running.child.kill("SIGTERM");
    const { stdout, stderr } = await running.ended;
    expect(`${stdout}${stderr}`).not.toContain("code=");
  });

  it("shows a login code at a terminal", async () => {
    const terminal = openTerminal(`"$NODE" "$ASKLINE" serve --data ${newFolder()} --port 0`, 200);
    await terminal.shows("wait=60");
    expect(terminal.text()).toMatch(/http:\S+\/\?code=\S+/);
    terminal.type("\u0003");
    expect(await terminal.ended).toBe(0);
  });
});

describe("askline serve --no-person-file", () => {
  it("leaves no token on the disk by which a program of the same user could answer", async () => {
    const data = newFolder();
    const before = await serve(data);
    const port = new URL(before.url).port;
    const token = readCredentials(data, before.url)?.person;
    before.running.child.kill("SIGTERM");
    await before.running.ended;
    const { url, inbox, running, run: command } = await serve(data, { port, args: ["--no-person-file"] });
    expect(readCredentials(data, url)).toEqual({ agent: expect.any(String), proof: expect.any(String) });
    const files = readdirSync(data).map((name) => readFileSync(join(data, name), "latin1"));
    expect(files.join("")).not.toContain(token);
    const old = await fetch(`${url}/v1/asks`, { headers: { authorization: `Bearer ${token}` } });
    expect(old.status).toBe(401);
    expect(inbox).toContain("/?code=");
    const list = await command(["list"]);
    expect(list.stderr).toMatch(/no person token for .*; use --token or ASKLINE_TOKEN/);
    running.child.kill("SIGTERM");
    await running.ended;
  });
});

describe("askline serve: a start that hangs", () => {
  it("waited for ever on a lock file from the future", async () => {
    const data = newFolder();
    const lock = join(data, "credentials.json.lock");
    writeFileSync(lock, "");
    const future = new Date(Date.now() + 3_600_000);
    utimesSync(lock, future, future);
    const { running } = await serve(data);
    running.child.kill("SIGTERM");
    expect((await running.ended).code).toBe(0);
  });

  it("did not end at the first SIGTERM", async () => {
    const data = newFolder();
    const lock = join(data, "credentials.json.lock");
    writeFileSync(lock, "");
    // Another process holds the lock for as long as it stays fresh.
    const fresh = setInterval(() => utimesSync(lock, new Date(), new Date()), 200);
    onTestFinished(() => clearInterval(fresh));
    const running = start(ASKLINE, ["serve", "--data", data, "--port", "0"]);
    // The store comes before the credentials, and the signals before the store.
    await until(async () => (existsSync(join(data, "askline.db")) ? true : undefined));
    running.child.kill("SIGTERM");
    expect((await running.ended).code).toBe(143);
  });
});

describe("askline serve: what it refuses", () => {
  it("a port in use, with a next step and without new tokens", async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
    const address = holder.address();
    const port = typeof address === "object" ? String(address?.port) : "";
    const data = newFolder();
    const { code, stdout, stderr } = await run(ASKLINE, ["serve", "--data", data, "--port", port]);
    holder.close();
    expect(stderr).toMatch(new RegExp(`^askline: port ${port} on 127.0.0.1 is in use.*--port.*\\n$`));
    expect(stdout).toBe("");
    expect(code).toBe(1);
    expect(existsSync(join(data, "credentials.json"))).toBe(false);
  });

  it.each([
    ["--data", "/proc/askline/data", /^askline: the data folder .* cannot be used \(ENOENT.*--data\n$/],
    ["--db", "sqlite:/proc/askline/asks.db", /^askline: the store .* cannot be created or opened.*\n$/],
  ])("%s %s, where no folder can be created, without hanging", async (flag, value, message) => {
    const { code, stderr } = await run(ASKLINE, ["serve", "--data", newFolder(), "--port", "0", flag, value]);
    expect(stderr).toMatch(message);
    expect(code).toBe(1);
  });

  it("other machines, until there are tokens for them", async () => {
    const data = newFolder();
    const args = ["serve", "--data", data, "--host", "0.0.0.0", "--port", "0"];
    const local = await serve(data);
    local.running.child.kill("SIGTERM");
    await local.running.ended;
    const refused = await runHere(args);
    expect(refused.stderr).toMatch(/^askline: 0\.0\.0\.0 is reachable .*\(askline token create\).*\n$/);
    expect(refused.code).toBe(1);
    const { stdout: token } = await runHere([
      ...["token", "create", "--role", "agent", "--name", "ci", "--data", data],
    ]);
    const running = start(ASKLINE, [...args, "--json"]);
    const { url } = JSON.parse(await running.prints("\n"));
    const asked = await runHere(["list", "--url", url, "--token", token.trim(), "--json"]);
    expect(JSON.parse(asked.stdout)).toEqual({ asks: [], awaited: [] });
  });

  it.each([
    ["an invalid store", ["--db", "mysql://user:secret@host/db"], /--db is not a store; write sqlite:PATH/],
    ["an invalid port", ["--port", "web"], /--port "web" is not a port; use a number/],
    ["a port beyond all", ["--port", "70000"], /--port "70000" is not a port/],
    [
      "a config that does not exist",
      ["--config", "nowhere.json"],
      /the file .*nowhere\.json does not exist; check --config/,
    ],
    ["an invalid public URL", ["--public-url", "here"], /the public URL "here" is not valid; use one like/],
    ["an invalid limit", ["--limit", "tokenRats=5"], /unknown limit "tokenRats"; did you mean "tokenRate"\?/],
    ["a limit without a number", ["--limit", "tokenRate=fast"], /the limit tokenRate must be a whole number/],
    ["a limit of nothing", ["--limit", "tokenRate=0"], /the limit tokenRate must be a whole number from 1/],
    ["invalid limits", ["--limit", "fast"], /--limit must look like tokenRate=100/],
    [
      "an invalid proxy",
      ["--trusted-proxy", "nginx"],
      /the trusted proxy "nginx" is not valid; use an address/,
    ],
    [
      "an invalid origin",
      ["--allow-origin", "app.example.com"],
      /the allowed origin "app.example.com" is not valid; use scheme, host and port only/,
    ],
    [
      "a gateway path that is taken",
      ["--gateway-path", "/v1/asks"],
      /"\/v1\/asks" cannot be a gateway path; use one such as/,
    ],
    [
      "an unknown way to open sessions",
      ["--open-sessions", "all"],
      /--open-sessions is "all"; use one of agents, people/,
    ],
    [
      "a demo for the world",
      ["--demo", "--host", "0.0.0.0"],
      /--demo is for a server on loopback or with --lan; omit --host/,
    ],
    [
      "an unknown flag",
      ["--prot", "1"],
      /unknown option '--prot' \(Did you mean --port\?\); run "askline serve --help"/,
    ],
  ])("%s", async (_name, args, message) => {
    const { code, stdout, stderr } = await runHere(["serve", "--data", newFolder(), ...args]);
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^askline: [^\n]*\n$/);
    expect(stderr).not.toContain("secret");
    expect(stdout).toBe("");
    expect(code).toBe(2);
  });
});

it("let no agent create links; with --agent-links it may, for its own asks", async () => {
  for (const [args, expected] of [
    [[], "forbidden"],
    [["--agent-links"], "/a/"],
  ] as const) {
    const server = await serve(newFolder(), { args });
    const { id } = await post(server, { questions: [{ question: "Ship it?", options: ["Yes", "No"] }] });
    const client = connect({ url: server.url, token: readCredentials(server.data, server.url)?.agent ?? "" });
    const made = await client.link(id, { person: "ana", expiresIn: "1h" }).then(
      ({ url }) => url,
      ({ code }) => code as string,
    );
    expect(made).toContain(expected);
    await client.close();
    server.running.child.kill("SIGTERM");
    await server.running.ended;
  }
});
