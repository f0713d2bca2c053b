import { describe, expect, it } from "vitest";
import { openTerminal, type TerminalSession } from "./processes.ts";
import { AUTH, shareServer } from "./shared-server.ts";

const { post, server } = shareServer();

const QUESTIONS = {
  questions: [AUTH, { question: "What name?", header: "Name" }],
};

/** `askline answer ID` in a real terminal. */
function form(id: string, columns: number): TerminalSession {
  const { ASKLINE_URL, ASKLINE_DATA } = server().env;
  return openTerminal(
    `LANG=C.UTF-8 ASKLINE_URL=${ASKLINE_URL} ASKLINE_DATA=${ASKLINE_DATA} "$NODE" "$ASKLINE" answer ${id}; echo "code $?"`,
    columns,
  );
}

/** Resolves when the form takes keys. */
async function answer(id: string): Promise<TerminalSession> {
  const terminal = form(id, 120);
  await terminal.shows("Which auth?");
  await terminal.shows("\u001b[?25h");
  return terminal;
}

describe("askline answer ID at a terminal", () => {
  it("opens the form, keeps a draft on the server, goes on where it was left, and answers", async () => {
    const { id } = await post(QUESTIONS);
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
    const { stdout } = await server().run(["show", id, "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: {
        kind: "answered",
        answers: [{ selected: ["o2"], note: "cheap" }, { text: "Aurora" }],
        by: { id: "ana", surface: "terminal" },
      },
    });
  });

  it("closes when the ask is answered elsewhere, and says by whom", async () => {
    const { id } = await post(QUESTIONS);
    const [one, two] = [await answer(id), await answer(id)];
    const { code } = await server().run(["answer", id, "q1=1", "q2=Aurora"]);
    expect(code).toBe(0);
    await Promise.all([one.ended, two.ended]);
    for (const terminal of [one, two]) {
      expect(terminal.text()).toContain("Answered by ana (command-line).\ncode 1\n");
    }
  });
});

describe("a decision that is remembered, at a terminal", () => {
  const approval = (command: string) => ({
    session: "s1",
    metadata: { project: "/home/ana/shop" },
    approval: { actions: [{ name: "Bash", args: { command }, rules: ["Allow npm test"] }] },
  });
  const rules = async (command: string): Promise<readonly object[]> => {
    const { stdout } = await server().run(["rules", "--json"]);
    const all: readonly { readonly args: { readonly command: string } }[] = JSON.parse(stdout).rules;
    return all.filter(({ args }) => args.command === command);
  };

  it.each([
    [80, 24],
    [44, 18],
  ])("says for how long it counts, on %i columns and %i rows, and makes the rule", async (columns, rows) => {
    const command = `npm test ${columns}`;
    const { id } = await post(approval(command));
    const terminal = form(id, columns);
    terminal.resize(columns, rows);
    await terminal.shows("This decision counts: Only this time (m)");
    await terminal.shows("\u001b[?25h");
    terminal.type("m");
    await terminal.shows("For this session (m)");
    terminal.type("m");
    await terminal.shows("Always (m)");
    terminal.type("a\r");
    await terminal.ended;
    expect(terminal.text()).toContain("code 0\n");
    expect(await rules(command)).toMatchObject([{ effect: "allow", person: "ana", tool: "Bash" }]);
    const again = await post(approval(command));
    expect(again.outcome).toMatchObject({ kind: "decided", by: { kind: "policy", madeBy: "ana" } });
  });

  it("counts line by line, too, and not for longer than was said", async () => {
    const { id } = await post(approval("npm run plain"));
    const terminal = form(`${id} --plain`, 80);
    await terminal.shows("This decision counts: Only this time (to change it, type: remember)");
    await terminal.shows("Your decision");
    // On another surface, the same person begins to decide for longer.
    const other = form(id, 80);
    await other.shows("\u001b[?25h");
    other.type("mm");
    await other.shows("Always (m)");
    other.type("\u0003");
    await other.ended;
    terminal.type("approve\n");
    await terminal.shows("This decision counts: Always (to change it, type: remember)");
    terminal.type("remember\n");
    await terminal.shows("4. If approved, the agent’s own rule: Allow npm test");
    terminal.type("2\n");
    await terminal.shows("This decision counts: For this session");
    terminal.type("reject\n\n");
    await terminal.ended;
    expect(await rules("npm run plain")).toMatchObject([{ effect: "deny", session: "s1" }]);
  });

  it("is not a rejection by the agent's own rule: that says so, and sends nothing", async () => {
    const { id } = await post(approval("npm run reject"));
    const terminal = form(`${id} --plain`, 80);
    await terminal.shows("Your decision");
    terminal.type("remember 4\n");
    await terminal.shows("If approved, the agent’s own rule: Allow npm test");
    terminal.type("reject not now\n");
    await terminal.shows("Only an approval makes the agent’s own rule.");
    terminal.type("remember 1\n");
    await terminal.shows("This decision counts: Only this time");
    terminal.type("reject not now\n");
    await terminal.ended;
    const { stdout } = await server().run(["show", id, "--json"]);
    expect(JSON.parse(stdout).outcome.decisions).toEqual([
      { action: "a1", kind: "reject", message: "not now" },
    ]);
  });
});
