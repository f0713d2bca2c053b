import { mkdirSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { runHere } from "./in-process.ts";
import { ASKLINE, endProcesses, run } from "./processes.ts";
import { newFolder, post, removeFolders, serve, serveHere } from "./servers.ts";

afterEach(endProcesses);
afterAll(removeFolders);

describe("askline token", () => {
  it("creates a token that works immediately, lists it, and revokes it", async () => {
    const server = await serveHere();
    const data = ["--data", server.data];
    const created = await run(ASKLINE, [
      ...[
        "token",
        "create",
        "--role",
        "person",
        "--person",
        "eva",
        "--session",
        "s1",
        "--expires",
        "30d",
        ...data,
      ],
    ]);
    expect(created.stdout).toMatch(/^askline_[\w-]+\n$/);
    expect(created.stderr).toMatch(/^askline: created token \w{12} for person eva; save it now, .*\n$/);
    const token = created.stdout.trim();
    expect((await server.run(["list", "--token", token])).code).toBe(0);

    const listed = JSON.parse((await runHere(["token", "list", ...data, "--json"])).stdout);
    const info = listed.tokens.find(({ name }: { readonly name: string }) => name === "eva");
    expect(info).toMatchObject({ role: "person", sessions: ["s1"], expiresAt: expect.any(Number) });
    expect(JSON.stringify(listed)).not.toContain(token);
    const table = await runHere(["token", "list", ...data], { columns: 80 });
    expect(table.stdout).toMatch(new RegExp(`^${info.id} {2}person {2}eva .*in 29d {3}s1$`, "m"));

    const revoked = await runHere(["token", "revoke", info.id.slice(0, 8), ...data]);
    expect(revoked).toMatchObject({ code: 0, stdout: `${info.id} revoked: person eva\n` });
    // A server caches a token for half a second, so retry until it has looked again.
    let refused = await server.run(["list", "--token", token]);
    while (refused.code === 0) refused = await server.run(["list", "--token", token]);
    expect(refused.stderr).toMatch(/unknown, expired or revoked token/);
  });

  it("ends everything of a person in one step", async () => {
    const data = ["--data", newFolder()];
    const create = ["token", "create", "--role", "person", ...data];
    for (const person of ["eva", "eva", "bo"]) await runHere([...create, "--person", person]);
    const revoked = await runHere(["token", "revoke", "--person", "eva", ...data]);
    expect(revoked).toMatchObject({
      code: 0,
      stdout: "eva revoked: 2 tokens, 0 browsers, and every sign-in code and signed link\n",
    });
    const { tokens } = JSON.parse((await runHere(["token", "list", ...data, "--json"])).stdout);
    expect(tokens).toMatchObject([{ name: "bo" }]);
    const both = await runHere(["token", "revoke", "abcd", "--person", "eva", ...data]);
    expect([both.code, both.stderr]).toEqual([2, "askline: give either the id of a token or --person\n"]);
  });

  it("prints the token and its details as JSON", async () => {
    const { stdout, stderr } = await runHere([
      ...["token", "create", "--role", "agent", "--name", "ci", "--data", newFolder(), "--json"],
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ role: "agent", name: "ci", token: /^askline_/ });
    expect(stderr).toBe("");
  });

  it("gives every agent without --name a name of its own, so that agents share no keys", async () => {
    const data = newFolder();
    const create = async (): Promise<string> => {
      const { stdout } = await runHere(["token", "create", "--role", "agent", "--data", data, "--json"]);
      return JSON.parse(stdout).name;
    };
    const names = [await create(), await create(), await create()];
    for (const name of names) expect(name).toMatch(/^agent-[0-9a-f]{4}$/);
    expect(new Set(names).size).toBe(3);
  });

  it("gave two people's agents one name, and each the other's asks", async () => {
    const data = newFolder();
    const create = (...args: readonly string[]) =>
      runHere(["token", "create", "--role", "agent", ...args, "--data", data]);
    const list = async () =>
      JSON.parse((await runHere(["token", "list", "--data", data, "--json"])).stdout).tokens;
    expect((await create("--name", "ci")).code).toBe(0);
    const [{ id: first }] = await list();
    for (const owner of [[], ["--owner", "ana"]]) {
      const refused = await create("--name", "ci", ...owner);
      expect([refused.code, refused.stdout]).toEqual([2, ""]);
      expect(refused.stderr).toContain(`the name ci is in use by ${first}`);
      expect(refused.stderr).toContain("--replace");
    }
    const replaced = await create("--name", "ci", "--replace");
    expect(replaced.stderr).toContain(`askline: revoked token ${first}, which it replaces\n`);
    expect(await list()).toMatchObject([{ name: "ci" }]);

    for (const owner of ["ana", "bo"]) {
      expect((await create("--name", "claude-code", "--owner", owner)).code).toBe(0);
    }
    expect((await create("--name", "claude-code", "--owner", "bo")).code).toBe(2);
    expect((await create("--name", "claude-code", "--owner", "bo", "--replace")).code).toBe(0);
    const owners = (await list()).map(({ owner }: { readonly owner?: string }) => owner);
    expect(owners).toEqual([undefined, "ana", "bo"]);
    expect((await runHere(["token", "list", "--data", data], { columns: 120 })).stdout).toContain("OWNER");
  });

  it("left a sign-in code alive after a person's only token was revoked", async () => {
    const server = await serveHere(newFolder(), { args: ["--no-person-file"] });
    const data = ["--data", server.data];
    await runHere(["token", "create", "--role", "person", "--person", "eva", ...data]);
    const { stdout } = await server.run(["link", "--person", "eva", ...data]);
    const { tokens } = JSON.parse((await runHere(["token", "list", ...data, "--json"])).stdout);
    const { id } = tokens.find(({ name }: { readonly name: string }) => name === "eva");
    await runHere(["token", "revoke", id, ...data]);
    const code = new URL(stdout.trim()).searchParams.get("code") ?? "";
    const signIn = await fetch(new URL("/login", server.url), {
      method: "POST",
      body: new URLSearchParams({ code }),
      redirect: "manual",
      headers: { origin: server.url },
    });
    expect(signIn.status).toBe(401);
    expect(signIn.headers.get("set-cookie")).toBeNull();
  });

  it.each([
    ["no role", ["create"], /required option '--role <role>' not specified/],
    ["an unknown role", ["create", "--role", "king"], /Allowed choices are agent, person, admin/],
    ["a person without a name", ["create", "--role", "person"], /--role person needs .* add --person ana/],

    [
      "an agent who is a person",
      ["create", "--role", "agent", "--person", "a"],
      /--person applies to --role person/,
    ],
    ["the owner of an admin", ["create", "--role", "admin", "--owner", "ana"], /only an agent works for/],
    ["to replace an unnamed agent", ["create", "--role", "agent", "--replace"], /--replace needs .* --name/],
    ["no duration", ["create", "--role", "admin", "--expires", "soon"], /--expires "soon" is not a duration/],
    ["an invalid name", ["create", "--role", "agent", "--name", "a\nb"], /the name must have 1 to/],
    [
      "sessions of an admin",
      ["create", "--role", "admin", "--session", "s"],
      /an admin has access to every session/,
    ],
    ["a memory store", ["list", "--db", "memory:"], /a memory: store exists only inside its server/],
    ["an unknown token", ["revoke", "ffff"], /no token has the id "ffff"; "askline token list" prints all/],
    ["too short an id", ["revoke", "f"], /"f" is not the id of a token/],
    [
      "an unknown command",
      ["craete"],
      /unknown command 'craete' \(Did you mean create\?\); run "askline token --help"/,
    ],
  ])("refuses %s", async (_name, args, message) => {
    const data = newFolder();
    await runHere(["token", "create", "--role", "admin", "--data", data]);
    const { code, stdout, stderr } = await runHere(
      ["token", ...args, "--data", data].slice(0, args[0] === "craete" ? 2 : undefined),
    );
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^askline: [^\n]*\n$/);
    expect(stdout).toBe("");
    expect(code).toBe(2);
  });
});

describe("askline link", () => {
  it("creates a link to the server in the environment, not to the default port", async () => {
    const url = "http://127.0.0.1:5000/";
    const data = newFolder();
    await runHere(["token", "create", "--role", "admin", "--data", data]);
    const { stdout } = await runHere(["link", "--data", data], { env: { ASKLINE_URL: url } });
    expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:5000\/\?code=[\w-]{43}\n$/);
  });

  it("signs in a person whom the server knows, and nobody else unless told so", async () => {
    const server = await serveHere(newFolder(), { args: ["--person", "ana"] });
    const link = (...args: readonly string[]) => server.run(["link", ...args, "--data", server.data]);
    const known = await link("--person", "ana", "--json");
    expect(known).toMatchObject({ code: 0, stderr: "" });
    const { person, url } = JSON.parse(known.stdout);
    expect([person, url]).toEqual(["ana", expect.stringMatching(/\/\?code=[\w-]{43}$/)]);
    const unknown = await link("--person", "anna");
    expect([unknown.code, unknown.stdout]).toEqual([2, ""]);
    expect(unknown.stderr).toBe(
      'askline: this server knows no person "anna" (it knows ana); add --new to make a link for a new person\n',
    );
    expect((await link("--person", "bo", "--new")).code).toBe(0);
  });

  it("opens one ask for one person with a signed link, and for nobody it is not addressed to", async () => {
    const server = await serveHere(newFolder(), { args: ["--person", "ana"] });
    const link = (...args: readonly string[]) => server.run(["link", ...args, "--data", server.data]);
    const ask = await post(server, { questions: [{ question: "Ship it?" }], recipients: ["ana"] });
    const made = await link(ask.id.slice(-8), "--person", "ana");
    expect([made.code, made.stderr]).toEqual([0, ""]);
    const page = await fetch(made.stdout.trim());
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("Ship it?")]);
    const other = await link(ask.id, "--person", "bo", "--new");
    expect([other.code, other.stderr]).toEqual([
      2,
      `askline: ${ask.id} is not addressed to "bo" (it is addressed to ana)\n`,
    ]);
    expect((await link("ffffffff")).stderr).toContain('no ask that you may see matches "ffffffff"');
  });

  it("draws a QR code beside the link, where the terminal is wide enough", async () => {
    const data = newFolder();
    await runHere(["token", "create", "--role", "admin", "--data", data]);
    const env = { ASKLINE_URL: "http://127.0.0.1:9" };
    const { stdout, stderr } = await runHere(["link", "--qr", "--data", data], { env });
    expect(stdout).toMatch(/^http:\S+\n$/);
    const rows = stderr.split("\n").filter((line) => /^[█▀▄ ]+$/.test(line));
    const width = rows[0]?.length ?? 0;
    // Two lines of modules a row, and a light border of two around them.
    expect([rows.length, width]).toEqual([Math.ceil(width / 2), expect.any(Number)]);
    expect(new Set(rows.map((row) => row.length))).toEqual(new Set([width]));
    expect(rows[0]).toBe("█".repeat(width));
    expect(rows[1]?.startsWith("██ ▄▄▄▄▄ █")).toBe(true);
    const narrow = Object.assign(new PassThrough(), { isTTY: true, columns: 20 });
    let shown = "";
    narrow.on("data", (chunk) => {
      shown += String(chunk);
    });
    await runHere(["link", "--qr", "--data", data], { env, world: { stderr: narrow } });
    expect(shown).toContain(`the QR code needs ${width} columns; make the terminal wider`);
  });

  it("says when no server answers, and when there is no browser to open", async () => {
    const data = newFolder();
    await runHere(["token", "create", "--role", "admin", "--data", data]);
    // A server of another test may run on the usual port.
    const env = { ASKLINE_URL: "http://127.0.0.1:9", ASKLINE_PORT: "7", BROWSER: "/nowhere/browser" };
    const { code, stdout, stderr } = await runHere(["link", "--open", "--data", data], { env });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^http:\/\/127\.0\.0\.1:9\/\?code=/)]);
    expect(stderr).toContain('no server answers at http://127.0.0.1:9; start one with "askline serve"\n');
    expect(stderr).toContain("cannot start /nowhere/browser");
  });
});

describe("a first start", () => {
  it("that cannot write its tokens names the folder, and leaves none in the store", async () => {
    const data = newFolder();
    // An obstacle in place of the file simulates a full disk.
    mkdirSync(join(data, "credentials.json.lock/in-the-way"), { recursive: true });
    utimesSync(join(data, "credentials.json.lock"), 0, 0);
    const started = await runHere(["serve", "--data", data, "--port", "0"]);
    expect(started.stderr).toMatch(/^askline: cannot write the tokens to [^\n]* --data\n$/);
    expect(started.code).toBe(1);
    const { stdout } = await runHere(["token", "list", "--json", "--data", data]);
    expect(JSON.parse(stdout)).toEqual({ tokens: [] });
  });
});

describe("a person whose token is revoked", () => {
  it("is signed out of the browser that was opened before", async () => {
    const server = await serveHere(newFolder(), { args: ["--person", "ana"] });
    const code = new URL(server.inbox).searchParams.get("code") ?? "";
    const signedIn = await fetch(`${server.url}/login`, {
      method: "POST",
      body: new URLSearchParams({ code }),
      headers: { origin: server.url },
      redirect: "manual",
    });
    const cookie = (signedIn.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    const list = async (): Promise<number> =>
      (await fetch(`${server.url}${signedIn.headers.get("location")}v1/asks`, { headers: { cookie } }))
        .status;
    expect(await list()).toBe(200);
    const data = ["--data", server.data];
    const { tokens } = JSON.parse((await runHere(["token", "list", "--json", ...data])).stdout);
    const { id } = tokens.find(({ role }: { role: string }) => role === "person");
    const { stdout } = await runHere(["token", "revoke", id, ...data]);
    expect(stdout).toBe(`${id} revoked: person ana, and signed out of 1 browser\n`);
    // Another process revoked it, so the server may cache it for half a second.
    while ((await list()) === 200);
    expect(await list()).toBe(401);
  });
});

describe("the tokens of a first start", () => {
  it("do not allow a server on a network, even when their file is gone", async () => {
    const data = newFolder();
    const { running } = await serve(data);
    running.child.kill("SIGTERM");
    await running.ended;
    rmSync(join(data, "credentials.json"));
    const args = ["serve", "--data", data, "--port", "0", "--host", "0.0.0.0"];
    const { code, stderr } = await runHere(args);
    expect(stderr).toMatch(/no tokens are configured/);
    expect(code).toBe(1);
  });
});

describe("a start for another person", () => {
  it("leaves no token of the first person that allows a server on a network", async () => {
    const data = newFolder();
    let port = "0";
    for (const person of ["ana", "bo"]) {
      const { running, url } = await serve(data, { port, args: ["--person", person] });
      port = new URL(url).port;
      running.child.kill("SIGTERM");
      await running.ended;
    }
    const { code, stderr } = await runHere(["serve", "--data", data, "--port", "0", "--host", "0.0.0.0"]);
    expect(stderr).toMatch(/no tokens are configured/);
    expect(code).toBe(1);
  });
});
