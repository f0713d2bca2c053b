import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endProcesses, openTerminal, type TerminalSession } from "./processes.ts";
import { newFolder, post, removeFolders, type ServeProcess, serve } from "./servers.ts";

let server: ServeProcess;
beforeAll(async () => {
  server = await serve(newFolder(), { args: ["--db", "memory:", "--person", "ana"] });
});
afterAll(() => {
  endProcesses();
  removeFolders();
});

const QUESTIONS = {
  questions: [
    { question: "Which auth?", header: "Auth", options: ["OAuth", "API key"] },
    { question: "What name?", header: "Name" },
  ],
};

/** `askline answer ID` in a real terminal; resolves when it takes keys. */
async function answer(id: string): Promise<TerminalSession> {
  const { ASKLINE_URL, ASKLINE_DATA } = server.env;
  const terminal = openTerminal(
    `LANG=C.UTF-8 ASKLINE_URL=${ASKLINE_URL} ASKLINE_DATA=${ASKLINE_DATA} "$NODE" "$ASKLINE" answer ${id}; echo "code $?"`,
    120,
  );
  await terminal.shows("Which auth?");
  await terminal.shows("\u001b[?25h");
  return terminal;
}

describe("askline answer ID at a terminal", () => {
  it("opens the form, keeps a draft on the server, goes on where it was left, and answers", async () => {
    const { id } = await post(server, QUESTIONS);
    const first = await answer(id);
    first.type("2n");
    first.type("cheap");
    await first.shows("cheap");
    first.type("\u0003");
    await first.ended;
    expect(first.text()).toContain(`askline: ${id} is still open; your draft is saved\ncode 130\n`);
    const second = await answer(id);
    expect(second.text()).toContain("cheap");
    second.type("\tAurora\r");
    await second.shows("Review (2/2)");
    second.type("\r");
    await second.ended;
    expect(second.text()).toContain("code 0\n");
    const { stdout } = await server.run(["show", id, "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: {
        kind: "answered",
        answers: [{ selected: ["o2"], note: "cheap" }, { text: "Aurora" }],
        by: { id: "ana", surface: "terminal" },
      },
    });
  });

  it("closes when the ask is answered elsewhere, and says by whom", async () => {
    const { id } = await post(server, QUESTIONS);
    const [one, two] = [await answer(id), await answer(id)];
    const { code } = await server.run(["answer", id, "q1=1", "q2=Aurora"]);
    expect(code).toBe(0);
    await Promise.all([one.ended, two.ended]);
    for (const terminal of [one, two]) {
      expect(terminal.text()).toContain("Answered by ana (command-line).\ncode 1\n");
    }
  });
});
