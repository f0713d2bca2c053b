import { describe, expect, it } from "vitest";
import { type AskInput, type Outcome, requireAsk, systemClock } from "../../../src/index.ts";
import { openDialogue } from "../../../src/people/terminal/dialogue.ts";
import { localForm } from "../../../src/people/terminal/local-form.ts";
import { runPlainForm } from "../../../src/people/terminal/plain/plain-form.ts";
import { lines, screen } from "./streams.ts";

async function converse(
  input: AskInput,
  typed: readonly string[],
  locale = "en",
): Promise<{ readonly outcome: Outcome | undefined; readonly shown: string; readonly ending: string }> {
  const output = screen();
  const ask = requireAsk(input);
  const by = { kind: "person", id: "ana", surface: "terminal" } as const;
  const driver = localForm(ask, { by, clock: systemClock, onChange: () => undefined });
  const dialogue = openDialogue(lines(...typed), output.stream, undefined);
  const { kind } = await runPlainForm(driver, dialogue, { context: ask.context, locale });
  dialogue.close();
  const { phase } = driver.state;
  return {
    outcome: phase.kind === "settled" ? phase.outcome : undefined,
    shown: output.text(),
    ending: kind,
  };
}

const STACK: AskInput = {
  context: "We begin **today**.",
  questions: [
    {
      question: "Which store?",
      header: "Store",
      options: [
        { label: "SQLite", description: "One file", recommended: true, preview: "file.db" },
        { label: "PostgreSQL, shared" },
      ],
    },
    { question: "Which languages?", multiSelect: true, maxPicks: 2, options: ["Go", "Rust", "Zig"] },
    { question: "Called what?" },
  ],
};

describe("plain mode", () => {
  it("writes each question as a numbered list, and a review before it sends", async () => {
    const { outcome, shown } = await converse(STACK, ["1", "1, zig", "back", "Aurora", "send"]);
    expect(shown).toBe(`
We begin today.

Question 1 of 3: Store
Which store?
1. SQLite (recommended). One file (type: preview 1)
2. PostgreSQL, shared
3. Other: Type your own answer
Your choice (? for help): 
Question 2 of 3
Which languages?
Choose 1 to 2 (0 chosen)
1. Go
2. Rust
3. Zig
4. Other: Type your own answer
Choices, with commas (? for help): 
Question 3 of 3
Called what?
Answer: 
Review
1. Store: SQLite
2. Which languages?: Go, Zig
3. Called what?: back
send, or a number to change (? for help): 
  "Aurora" is not a command here. Type ? for help.
send, or a number to change (? for help): 
`);
    expect(outcome).toMatchObject({
      kind: "answered",
      answers: [{ selected: ["o1"] }, { selected: ["o1", "o3"] }, { text: "back" }],
    });
  });

  it.each([
    ["a label with a comma", "PostgreSQL, shared", { selected: ["o2"] }],
    ["a label in small letters", "sqlite", { selected: ["o1"] }],
    ["other with text", "other MySQL, perhaps", { selected: [], text: "MySQL, perhaps" }],
  ])("takes %s", async (_name, line, answer) => {
    const question = STACK.questions?.[0];
    const { outcome } = await converse({ questions: question === undefined ? [] : [question] }, [line]);
    expect(outcome).toMatchObject({ answers: [answer] });
  });

  it("goes back, takes notes, shows a preview, and keeps what was chosen", async () => {
    const { outcome, shown } = await converse(STACK, [
      "preview 1",
      "preview 2",
      "note the cheap one",
      "1",
      "1,2,3",
      "1,other Ada, too",
      "/back",
      "next",
      "/note Short",
      "Aurora",
      "note In all",
      "1",
      "2",
      "send",
    ]);
    expect(shown).toContain("  file.db\n");
    expect(shown).toContain("This option has no preview.");
    expect(shown).toContain("Choose at most 2.");
    expect(shown).toContain("Chosen so far: Go, Ada, too");
    expect(outcome).toMatchObject({
      answers: [
        { selected: ["o2"], note: "the cheap one" },
        { selected: ["o1"], text: "Ada, too" },
        { text: "Aurora", note: "Short" },
      ],
      note: "In all",
    });
  });

  it("never declines by an empty line, and declines by a word", async () => {
    const { outcome, shown } = await converse(STACK, ["", "", "decline not now"]);
    expect(shown.split("An empty line changes nothing.")).toHaveLength(3);
    expect(outcome).toMatchObject({ kind: "declined", reason: "not now" });
    expect((await converse(STACK, ["reply", "Ask Bo"])).outcome).toMatchObject({
      kind: "replied",
      text: "Ask Bo",
    });
    expect((await converse({ questions: [{ question: "Why?" }] }, ["decline"])).outcome).toMatchObject({
      answers: [{ text: "decline" }],
    });
  });

  it("decides about actions, and explains what it cannot take", async () => {
    const approval = {
      actions: [
        { name: "deploy", args: { to: "live" } },
        { name: "notify", args: {} },
      ],
    };
    const { outcome, shown } = await converse({ approval }, [
      "yes please",
      "e",
      "{to}",
      "edit",
      '{"to":"test"}',
      "3",
      "too loud",
      "send",
    ]);
    expect(shown).toContain("1. Approve\n2. Approve with changes\n3. Reject\n");
    expect(shown).toContain('"yes please" is not a command here.');
    expect(shown).toContain("This is not valid JSON: see line 1, column 2.");
    expect(outcome).toMatchObject({
      decisions: [
        { kind: "edit", args: { to: "test" } },
        { kind: "reject", message: "too loud" },
      ],
    });
  });

  it("skips where that is allowed", async () => {
    const { outcome } = await converse({ ...STACK, allowPartial: true }, ["skip", "skip", "/skip", "send"]);
    expect(outcome).toMatchObject({ answers: [{ skipped: true }, { skipped: true }, { skipped: true }] });
  });

  it("does not approve, skip or send by a word with more behind it, which would be lost", async () => {
    const approval = { actions: [{ name: "deploy", args: {} }] };
    const approved = await converse({ approval }, ["approve only on staging", "reject use staging"]);
    expect(approved.shown).toContain('"approve only on staging" is not a command here.');
    expect(approved.outcome).toMatchObject({ decisions: [{ kind: "reject", message: "use staging" }] });

    const { outcome, shown } = await converse({ ...STACK, allowPartial: true }, [
      ...["skip until Monday", "1", "1", "/skip it", "skip it", "send it later", "send"],
    ]);
    for (const line of ["skip until Monday", "/skip it", "send it later"])
      expect(shown).toContain(`"${line}" is not a command here.`);
    expect(outcome).toMatchObject({ answers: [{}, {}, { text: "skip it" }] });
  });

  it("lists what can be typed, in the person's language", async () => {
    const { shown, ending } = await converse(STACK, ["?"], "vi");
    expect(shown).toContain("  preview 1: xem trước một lựa chọn\n");
    expect(shown).toContain("3. Khác: ");
    expect(ending).toBe("ended");
  });

  it("shows hostile text harmless", async () => {
    const evil = "a\u001b[2Jb\u202ec\u0007";
    const { shown } = await converse(
      {
        context: evil,
        questions: [
          { question: evil, header: evil, options: [{ label: evil, description: evil, preview: evil }, "x"] },
        ],
      },
      ["preview 1", evil, "1"],
    );
    expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  });
});
