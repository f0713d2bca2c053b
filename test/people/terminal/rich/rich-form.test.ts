import { afterEach, describe, expect, it } from "vitest";
import type { AskInput } from "../../../../src/index.ts";
import { KEYS, type Opened, type OpenOptions, open } from "./open.ts";

let form: Opened | undefined;
afterEach(() => form?.terminal.close());

async function start(ask: AskInput, options: OpenOptions = {}): Promise<Opened> {
  form = await open(ask, options);
  return form;
}

const AUTH: AskInput = {
  questions: [
    {
      question: "Which authentication?",
      header: "Auth",
      options: [
        { label: "OAuth", description: "Users sign in elsewhere", recommended: true },
        { label: "API key", description: "One secret" },
      ],
    },
  ],
};

const THREE: AskInput = {
  questions: [
    { question: "Which one?", header: "One", options: ["A", "B"] },
    { question: "Which of these?", header: "Several", multiSelect: true, options: ["X", "Y", "Z"] },
    { question: "Called what?", header: "Name" },
  ],
};

describe("a rich form on the screen", () => {
  it("shows the question, numbered options with descriptions, and the keys that work", async () => {
    const { screen, terminal } = await start(AUTH);
    expect(await screen()).toEqual([
      "Auth",
      "",
      "Which authentication?",
      "",
      "❯ 1. ○ OAuth (recommended)",
      "       Users sign in elsewhere",
      "  2. ○ API key",
      "       One secret",
      "  3. ○ Other:",
      "",
      "  Note:",
      "",
      "  → Send",
      "  → Say something else instead",
      "  → Decline to answer",
      "",
      "Enter send · ↑↓ move · 1-3 pick · o read in full · r pick recommended · n note",
      "d decline · Esc leave · ? all keys",
    ]);
    // The real cursor stands on the row under the form's cursor.
    expect(terminal.cursor()).toEqual({ row: 5, column: 0 });
    expect(terminal.cell(5, 7).bold).toBe(true);
  });

  it("answers with one key, and leaves the screen as it was", async () => {
    const { press, screen, ended, outcome } = await start(AUTH);
    await press(KEYS.enter);
    expect(await ended).toEqual({ kind: "settled" });
    expect(outcome()).toMatchObject({ kind: "answered", answers: [{ selected: ["o1"] }] });
    expect(await screen()).toEqual([]);
  });

  it("answers with two keys: a digit, also of the keypad, and Enter", async () => {
    const { press, outcome, screen } = await start(AUTH);
    await press("\x1bOr");
    expect(outcome()).toBeUndefined();
    expect((await screen())[6]).toBe("❯ 2. ● API key");
    await press(KEYS.enter);
    expect(outcome()).toMatchObject({ answers: [{ selected: ["o2"] }] });
  });

  it("does not act on keys that were typed before it appeared", async () => {
    const { press, clock, outcome } = await start(AUTH, { early: true });
    await press(KEYS.enter, "2", KEYS.enter);
    await clock.advance(249);
    await press(KEYS.enter);
    // Each key begins the moment again.
    await clock.advance(249);
    await press(KEYS.enter);
    expect(outcome()).toBeUndefined();
    await clock.advance(250);
    await press(KEYS.down, KEYS.enter);
    expect(outcome()).toMatchObject({ answers: [{ selected: ["o2"] }] });
  });

  it("takes several picks, typed text, a note, going back and a review", async () => {
    const { press, outcome, screen } = await start(THREE);
    await press("2", KEYS.enter);
    await press(KEYS.space, "3", "4", "R, or S", KEYS.up, "n", "in this order", KEYS.enter, KEYS.enter);
    await press(KEYS.backTab);
    expect((await screen()).filter((line) => /^\S?\s*\d\. /.test(line))).toEqual([
      "❯ 1. ☒ X",
      "  2. ☐ Y",
      "  3. ☒ Z",
      "  4. ☒ Other: R, or S",
    ]);
    await press(KEYS.tab, "1984", KEYS.enter);
    expect(await screen()).toEqual([
      " ✔ One  ✔ Several  ✔ Name  ✔ Review ",
      "",
      "Review (3/3)",
      "",
      "  1. ✔ One",
      "       B",
      "  2. ✔ Several",
      "       X, Z, R, or S",
      "       Note: in this order",
      "  3. ✔ Name",
      "       1984",
      "",
      "  Note about everything:",
      "",
      "❯ → Send",
      "  → Say something else instead",
      "  → Decline to answer",
      "",
      "Enter send · ↑↓ move · Tab switch question · o read in full · n note · d decline",
      "Esc leave · ? all keys",
    ]);
    await press("1");
    await press(KEYS.up, KEYS.enter, KEYS.enter, KEYS.enter);
    expect(outcome()).toMatchObject({
      answers: [
        { question: "q1", selected: ["o1"] },
        { question: "q2", selected: ["o1", "o3"], text: "R, or S", note: "in this order" },
        { question: "q3", text: "1984" },
      ],
    });
  });

  it("takes an empty Enter for no answer, and says what is missing at its place", async () => {
    const { press, outcome, screen } = await start({ questions: [{ question: "Called what?" }] });
    await press(KEYS.enter, KEYS.enter);
    expect(outcome()).toBeUndefined();
    expect((await screen()).slice(2, 4)).toEqual(["❯ Answer: ", "    ! Type an answer."]);
  });

  it("gathers the digits of a number above nine", async () => {
    const options = Array.from({ length: 12 }, (_, index) => `Option ${index + 1}`);
    const { press, outcome } = await start({ questions: [{ question: "Which?", options, freeText: false }] });
    await press("1", "2", KEYS.enter);
    expect(outcome()).toMatchObject({ answers: [{ selected: ["o12"] }] });
    form?.terminal.close();
    const second = await start({ questions: [{ question: "Which?", options, freeText: false }] });
    await second.press("1");
    await second.clock.advance(800);
    await second.press(KEYS.enter);
    expect(second.outcome()).toMatchObject({ answers: [{ selected: ["o1"] }] });
  });

  it("decides about an action, with its arguments edited over several lines", async () => {
    const { press, outcome, screen } = await start({
      approval: { actions: [{ name: "deploy", description: "Puts it live.", args: { to: "production" } }] },
    });
    expect((await screen()).slice(0, 7)).toEqual([
      "deploy",
      "Puts it live.",
      "  {",
      '    "to": "production"',
      "  }",
      "",
      "  1. ○ Approve",
    ]);
    await press("e", "\x15", "\x1b<", "\x0b\x0b\x0b\x0b\x0b\x0b", '{ "to":', KEYS.enter, '"staging" }');
    expect((await screen()).join("\n")).toContain('  │ { "to":\n  │ "staging" }');
    await press("\x13");
    expect(outcome()).toMatchObject({
      kind: "decided",
      decisions: [{ kind: "edit", args: { to: "staging" } }],
    });
  });

  it("replies, and declines with a reason or without, each on a page of its own", async () => {
    const replied = await start(AUTH);
    await replied.press("c", "Ask me tomorrow", KEYS.enter);
    expect(replied.outcome()).toMatchObject({ kind: "replied", text: "Ask me tomorrow" });
    replied.terminal.close();
    const declined = await start(AUTH);
    await declined.press("d", KEYS.enter);
    expect(declined.outcome()).toBeUndefined();
    await declined.press(KEYS.enter);
    expect(declined.outcome()).toMatchObject({ kind: "declined" });
  });

  it("asks before it is left, and stays unless told to go", async () => {
    const { press, ended, screen, outcome } = await start(AUTH);
    await press(KEYS.escape);
    expect((await screen()).slice(-2)).toEqual([
      "Leave without an answer?",
      "q leave · d decline · Esc stay",
    ]);
    await press(KEYS.escape, KEYS.escape, "x", KEYS.down);
    expect((await screen())[6]).toBe("❯ 2. ○ API key");
    await press(KEYS.escape, "q");
    expect(await ended).toEqual({ kind: "left" });
    expect(outcome()).toBeUndefined();
  });

  it("ends at once at Ctrl+C, even in the first moment, and at an aborted signal", async () => {
    const { press, ended } = await start(AUTH, { early: true });
    await press("\x03");
    expect(await ended).toEqual({ kind: "interrupted" });
    const abort = new AbortController();
    const second = await start(AUTH, { signal: abort.signal });
    abort.abort();
    expect(await second.ended).toEqual({ kind: "aborted" });
    expect(await second.screen()).toEqual([]);
  });
});

describe("text in a rich form", () => {
  it("puts the real cursor behind what is typed, and follows the caret", async () => {
    const { press, terminal } = await start(AUTH);
    await press("3", "日本 x");
    expect(terminal.cursor()).toEqual({ row: 9, column: "  3. ● Other: ".length + 6 });
    await press("\x01");
    expect(terminal.cursor()).toEqual({ row: 9, column: "  3. ● Other: ".length });
  });

  it("takes a paste of several lines, with digits and letters that are keys elsewhere, as text", async () => {
    const { press, outcome } = await start(AUTH);
    await press("\x1b[200~1. do\r\n2. not ask\x1b[201~", KEYS.enter);
    expect(outcome()).toMatchObject({ answers: [{ text: "1. do\n2. not ask" }] });
  });

  it("says so where a paste has no place", async () => {
    const { press, screen, outcome } = await start({
      questions: [{ question: "Go?", options: ["Yes", "No"], freeText: false }],
    });
    await press("\x1b[200~1\r\x1b[201~");
    expect(outcome()).toBeUndefined();
    expect(await screen()).toContain("This question takes no text: the paste was left out.");
  });

  it("moves between the lines of a text first, and leaves it from its first and last one", async () => {
    const { press, screen } = await start({ questions: [{ question: "Why?" }] });
    await press("one", "\n", "two", KEYS.up, "!");
    expect((await screen()).slice(2, 4)).toEqual(["❯ Answer: one!", "          two"]);
    await press(KEYS.down, KEYS.down);
    expect((await screen()).slice(2, 5)).toEqual(["  Answer: one!", "          two", ""]);
  });

  it("moves through the rows of a wrapped text as they are on the screen", async () => {
    const { press, terminal } = await start({ questions: [{ question: "Why?" }] }, { size: [40, 20] });
    await press("one two three four five six seven eight nine ten");
    const { column } = terminal.cursor();
    await press(KEYS.up, "!");
    expect(terminal.lines().slice(3, 5)).toEqual([
      `❯ Answer: ${"one two three four five six".slice(0, column - 10)}!${"one two three four five six".slice(column - 10)}`,
      "          seven eight nine ten",
    ]);
  });

  it("keeps what was typed while another option is chosen", async () => {
    const { press, screen } = await start(AUTH);
    await press("3", "mTLS", KEYS.escape, "1");
    expect(await screen()).toContain("  3. ○ Other (not sent): mTLS");
    await press("3");
    expect(await screen()).toContain("❯ 3. ● Other: mTLS");
  });

  it("hands the text to an editor and takes it back; keeps it where the editor fails", async () => {
    const given: string[] = [];
    const answers = [
      { kind: "edited", text: "written\nelsewhere" },
      { kind: "failed", command: "vi", reason: "exit code 1" },
    ] as const;
    const { press, screen, clock } = await start(AUTH, {
      edit: async (text, name) => {
        given.push(`${name}: ${text}`);
        return answers[given.length - 1] ?? { kind: "missing" };
      },
    });
    await press("3", "begun", "\x07");
    await press();
    await clock.advance(250);
    expect(given).toEqual(["answer.md: begun"]);
    expect((await screen()).join("\n")).toContain("❯ 3. ● Other: written\n              elsewhere");
    await press("\x07");
    await press();
    await clock.advance(250);
    const shown = (await screen()).join("\n");
    expect(shown).toContain("The editor (vi) failed: exit code 1. Your text is as it was.");
    expect(shown).toContain("❯ 3. ● Other: written");
    await press("\x07");
    await press();
    expect((await screen()).join("\n")).toContain("No editor is set");
  });

  it("was sent by keys that were typed for the editor", async () => {
    let leave = (): void => undefined;
    const { press, clock, outcome } = await start(AUTH, {
      edit: (text) =>
        new Promise((resolve) => {
          leave = () => resolve({ kind: "edited", text: `${text}, written` });
        }),
    });
    await press("3", "begun", "\x07");
    leave();
    await press();
    await press(KEYS.enter);
    await clock.advance(249);
    await press(KEYS.enter);
    await clock.advance(249);
    expect(outcome()).toBeUndefined();
    await clock.advance(1);
    await press(KEYS.enter);
    expect(outcome()).toMatchObject({ answers: [{ text: "begun, written" }] });
  });

  it("says how much of a paste there was no room for", async () => {
    const { press, screen } = await start(AUTH);
    await press("n", `\x1b[200~${"x".repeat(8_010)}\x1b[201~`);
    expect((await screen()).join("\n")).toContain("There was no room for the last 10 characters.");
  });
});

describe("a form that others see too", () => {
  it("says that the server is away, and keeps what is typed", async () => {
    const { press, screen } = await start(AUTH, { saving: "failed" });
    await press("3", "mTLS");
    const shown = (await screen()).join("\n");
    expect(shown).toContain("The server cannot be reached. Your text is kept here and saved later.");
    expect(shown).toContain("❯ 3. ● Other: mTLS");
  });

  it("shows what another surface has saved, and takes the own text back", async () => {
    const { press, screen, driver } = await start(AUTH);
    await press("3", "mTLS");
    const draft = {
      version: 1,
      answers: [
        { question: "q1", selected: [], own: true, text: "SAML", at: Date.UTC(2031, 0, 1), surface: "page" },
      ],
    };
    driver.dispatch({ type: "merge", draft });
    const shown = (await screen()).join("\n");
    expect(shown).toContain("❯ 3. ● Other: SAML");
    expect(shown).toContain("Last changed on: page");
    expect(shown).toContain("Another surface has replaced your text. Press u to restore yours.");
    await press(KEYS.escape, "u");
    expect((await screen()).join("\n")).toContain("3. ● Other: mTLS");
  });

  it("closes when it ends elsewhere", async () => {
    const { driver, ended, screen } = await start(AUTH);
    driver.dispatch({ type: "settled", outcome: { kind: "expired" } });
    expect(await ended).toEqual({ kind: "settled" });
    expect(await screen()).toEqual([]);
  });
});

describe("a deadline", () => {
  it("is counted down in coarse steps, on a line of its own", async () => {
    const { screen, clock } = await start({ ...AUTH, timeoutMs: 150_000 });
    expect(await screen()).toContain("About 3 minutes left");
    await clock.advance(40_000);
    expect(await screen()).toContain("About 2 minutes left");
    await clock.advance(70_000);
    expect(await screen()).toContain("About 40 seconds left");
  });
});

describe("words", () => {
  it("speaks Vietnamese", async () => {
    const { screen } = await start(AUTH, { locale: "vi_VN.UTF-8" });
    const shown = (await screen()).join("\n");
    expect(shown).toContain("❯ 1. ○ OAuth (khuyên dùng)");
    expect(shown).toContain("3. ○ Khác:");
    expect(shown).toContain("→ Gửi");
  });
});
