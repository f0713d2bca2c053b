import { afterAll, afterEach, describe, expect, it } from "vitest";
import { runHere } from "./in-process.ts";
import { endProcesses } from "./processes.ts";
import { newFolder, post, removeFolders, serve } from "./servers.ts";

afterEach(endProcesses);
afterAll(removeFolders);

const ASK = { questions: [{ question: "Ship it?", options: ["Yes", "No"] }] };

describe("askline audit", () => {
  it("prints a table of events that fits a narrow terminal", async () => {
    const server = await serve(newFolder(), { args: ["--person", "ana"] });
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
    const server = await serve();
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
    const { env } = await serve();
    const { stderr, code } = await runHere(["audit", "ffffffff"], { env });
    expect(stderr).toMatch(/^askline: no ask that you may see matches "ffffffff"; .*\n$/);
    expect(code).toBe(2);
  });
});
