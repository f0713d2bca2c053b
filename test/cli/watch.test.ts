import { afterAll, afterEach, describe, expect, it } from "vitest";
import { screenLines } from "../../src/cli/output/watch-screen.js";
import type { Ask } from "../../src/index.ts";
import { ASKLINE, endProcesses, openTerminal, start } from "./processes.ts";
import { newFolder, post, removeFolders, serve } from "./servers.ts";

afterEach(endProcesses);
afterAll(removeFolders);

const SHIP = { questions: [{ question: "Ship it?", options: ["Yes", "No"] }] };

describe("askline watch", () => {
  it("writes a line for each pending ask and each change, without a terminal", async () => {
    const server = await serve();
    const { id } = await post(server, SHIP);
    const watching = start(ASKLINE, ["watch"], { env: server.env });
    expect(await watching.prints("Ship it?\n")).toMatch(
      new RegExp(`^\\S+ \\S+Z {2}${id} {2}pending {2}local {2}`),
    );
    await server.run(["answer", id, "--pick", "1"]);
    await watching.prints("Ship it? -> Yes\n");
    watching.child.kill("SIGINT");
    expect(await watching.ended).toMatchObject({ code: 0, stderr: "" });
  });

  it("writes asks as JSON lines, and continues after the server was killed", async () => {
    const server = await serve();
    const watching = start(ASKLINE, ["watch", "--json"], { env: server.env });
    const { id } = await post(server, SHIP);
    await watching.prints(id);
    server.running.child.kill("SIGKILL");
    await server.running.ended;
    const again = await serve(server.data, { port: new URL(server.url).port });
    const after = await post(again, SHIP);
    const lines = (await watching.prints(after.id)).trim().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as Ask).status)).toEqual(lines.map(() => "pending"));
  });

  it("is a live table on a terminal, and leaves the terminal as it was", async () => {
    const server = await serve(newFolder());
    const line = `ASKLINE_URL=${server.url} ASKLINE_DATA=${server.data} "$NODE" "$ASKLINE" watch`;
    const terminal = openTerminal(line);
    await terminal.shows("Nothing is waiting for an answer");
    const { id } = await post(server, SHIP);
    await terminal.shows("1 waiting for an answer");
    await terminal.shows(id.slice(-8));
    await server.run(["answer", id, "--pick", "No"]);
    await terminal.shows("Recently ended");
    await terminal.shows("-> No");
    terminal.type("\u0003");
    expect(await terminal.ended).toBe(0);
    expect(terminal.text().endsWith("\u001b[?25h\u001b[?1049l")).toBe(true);
  });

  it("shows an outage of the server on its screen while it lasts", async () => {
    const server = await serve(newFolder());
    const line = `ASKLINE_URL=${server.url} ASKLINE_DATA=${server.data} "$NODE" "$ASKLINE" watch`;
    const terminal = openTerminal(line, 120);
    await post(server, SHIP);
    await terminal.shows("1 waiting for an answer");
    server.running.child.kill("SIGKILL");
    await server.running.ended;
    await terminal.shows("retrying until it works");
    const [before = ""] = terminal.text().split("retrying until it works");
    expect(before.split("cannot reach")).toHaveLength(2);
    const drawn = terminal.text().split("Ctrl-C quits\u001b[K\n\u001b[K\nID").length - 1;
    await serve(server.data, { port: new URL(server.url).port });
    // The titles of the table follow directly, so the notice is gone.
    await terminal.shows("Ctrl-C quits\u001b[K\r\n\u001b[K\r\nID", drawn + 1);
    terminal.type("\u0003");
    expect(await terminal.ended).toBe(0);
  });

  it("gives the terminal to the shell at Ctrl-Z, and takes it again afterwards", async () => {
    const server = await serve(newFolder());
    const line = `ASKLINE_URL=${server.url} ASKLINE_DATA=${server.data} "$NODE" "$ASKLINE" watch`;
    const terminal = openTerminal(`set -m; ${line}; echo stopped; fg`);
    await terminal.shows("Nothing is waiting for an answer");
    terminal.type("\u001a");
    await terminal.shows("Nothing is waiting for an answer", 2);
    terminal.type("\u0003");
    await terminal.ended;
    expect(terminal.text()).toMatch(/\u001b\[\?1049l(.*\n)*stopped\n(.*\n)*.*\u001b\[\?1049h/);
  });
});

describe("the table of askline watch", () => {
  const ask = (index: number, more: Partial<Ask> = {}): Ask => ({
    id: `ask_00000000-0000-7000-8000-0000${String(index).padStart(8, "0")}`,
    status: "pending",
    createdAt: index,
    session: "",
    recipients: [],
    onDeadline: "expire",
    allowPartial: false,
    requireSurface: false,
    questions: [
      { id: "q1", question: `Question ${index}?`, options: [], multiSelect: false, freeText: true },
    ],
    ...more,
  });

  it.each([
    [18, 44],
    [24, 80],
    [5, 30],
  ])("fits into %i rows and %i columns, however much is open", (rows, columns) => {
    const pending = Array.from({ length: 200 }, (_, index) => ask(index));
    const ended = [ask(900, { status: "expired", outcome: { kind: "expired" } })];
    const lines = screenLines({ url: "http://127.0.0.1:4780", pending, ended, now: 5_000, columns, rows });
    expect(lines.length).toBeLessThanOrEqual(rows);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
    expect(lines.join("\n")).toContain("Question 0?");
    expect(lines.at(-1)).toMatch(/^… and \d+ newer ones/);
  });
});
