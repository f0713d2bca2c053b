import { afterAll, afterEach, describe, expect, it } from "vitest";
import { runHere } from "./in-process.ts";
import { endProcesses } from "./processes.ts";
import { newFolder, post, removeFolders, serveHere } from "./servers.ts";

afterEach(endProcesses);
afterAll(removeFolders);

const ASK = { questions: [{ question: "Ship it?", options: ["Yes", "No"] }] };

describe("askline audit", () => {
  it("prints a table of events that fits a narrow terminal", async () => {
    const server = await serveHere(newFolder(), { args: ["--person", "ana"] });
    const { id } = await post(server, ASK);
    await server.run(["show", id]);
    await server.run(["answer", id, "--pick", "1"]);
    const wide = await runHere(["audit", id], { env: server.env, columns: 80 });
    expect(wide.stdout).toMatch(
      new RegExp(`^${id}, asked 20.*Z\nShip it\\?\n\nWHEN +AFTER +WHAT +WHO +WHERE\n`),
    );
    // On a slow machine, the showing is recorded before the answer comes.
    const rows = wide.stdout
      .split("\n")
      .slice(4, -1)
      .filter((row) => !row.includes(" shown "));
    expect(rows.map((row) => row.replace(/^\S+ \S+Z +\+\S+ +/, "").replaceAll(/ +/g, " "))).toEqual([
      "asked local",
      "opened ana command-line",
      "answered ana command-line",
    ]);
    const narrow = await runHere(["audit", id], { env: server.env, columns: 44 });
    expect(narrow.stdout).toMatch(/\nAFTER +WHAT +WHO +WHERE\n/);
    expect(narrow.code).toBe(0);
  });

  it("is JSON with times and positions, for a part of the id too", async () => {
    const server = await serveHere();
    const { id } = await post(server, ASK);
    const { stdout, code } = await runHere(["audit", id.slice(-8), "--json"], { env: server.env });
    expect(JSON.parse(stdout)).toEqual({
      id,
      asker: "local",
      audit: [{ at: expect.any(Number), type: "ask.created", position: 1 }],
    });
    expect(code).toBe(0);
  });

  it("reports that no ask matches", async () => {
    const { env } = await serveHere();
    const { stderr, code } = await runHere(["audit", "ffffffff"], { env });
    expect(stderr).toMatch(/^askline: no ask that you may see matches "ffffffff"; .*\n$/);
    expect(code).toBe(2);
  });
});

describe("askline audit --system", () => {
  it("lists what commands did on the store without a server, and exports", async () => {
    const folder = newFolder();
    const env = { ASKLINE_DATA: folder, HOME: folder };
    const created = await runHere(["token", "create", "--role", "agent", "--name", "ci"], { env });
    expect(created.code).toBe(0);
    const id = /created token (\w+)/.exec(created.stderr)?.[1];
    await runHere(["token", "revoke", `${id}`], { env });
    await runHere(["export"], { env });
    const { stdout, code } = await runHere(["audit", "--system", "--json"], { env });
    expect(code).toBe(0);
    const { audit } = JSON.parse(stdout) as { readonly audit: readonly { readonly type: string }[] };
    expect(audit.map(({ type }) => type)).toEqual(["token.created", "token.revoked", "asks.exported"]);
    expect(audit[0]).toMatchObject({
      subject: id,
      data: { role: "agent", name: "ci", by: expect.any(String) },
    });
    expect(stdout).not.toContain(created.stdout.trim());
    const table = await runHere(["audit", "--system"], { env, columns: 120 });
    expect(table.stdout).toMatch(/^WHEN +WHAT +WHICH +DETAILS\n/);
    expect(table.stdout).toMatch(/Z +token\.created +\w+ +role: agent, name: ci/);
  });

  it("reads a server with an admin's token, and how it was started", async () => {
    const server = await serveHere();
    const { stdout: token } = await server.run(["token", "create", "--role", "admin", "--name", "ops"]);
    const env = { ...server.env, ASKLINE_TOKEN: token.trim(), ASKLINE_URL: server.url };
    const { stdout } = await runHere(["audit", "--system", "--json"], { env });
    const { audit } = JSON.parse(stdout) as { readonly audit: readonly { readonly type: string }[] };
    expect(audit.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["server.started", "token.created"]),
    );
    const refused = await runHere(["audit", "--system", "abcd"], { env });
    expect(refused.stderr).toContain("give the id of an ask, or --system");
  });
});
