import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import type { AskInput } from "../../../../src/index.ts";
import { KEYS, type Opened, type OpenOptions, open } from "./open.ts";

let form: Opened | undefined;
afterEach(() => form?.terminal.close());

async function start(ask: AskInput, options: OpenOptions = {}): Promise<Opened> {
  form = await open(ask, options);
  return form;
}

const DESIGN: AskInput = {
  context: "The page is slow.\n\n- on phones\n- on trains",
  questions: [
    {
      question: "Which layout should the first page have?",
      header: "Layout",
      options: [
        { label: "Grid", description: "Pictures beside each other", preview: "+--+--+\n|  |  |\n+--+--+" },
        { label: "List", description: "One below the other, with text", preview: "- one\n- two" },
        { label: "Map", description: "For people on the way" },
      ],
    },
  ],
};

describe("the order of shrinking", () => {
  const shown = async (columns: number, rows: number): Promise<string> => {
    const { screen, terminal } = await start(DESIGN, { size: [columns, rows] });
    const text = (await screen()).join("\n");
    terminal.close();
    return text;
  };

  it("shows the preview beside the options from 100 columns on", async () => {
    expect(await shown(100, 30)).toContain("❯ 1. ○ Grid                                   │ +--+--+");
    expect(await shown(99, 30)).toContain("── Grid ──");
  });

  it("gives up spacers, then the preview, then other descriptions, then scrolls", async () => {
    const whole = await shown(80, 33);
    expect(whole).toContain("first page have?\n\n❯ 1.");
    const noSpacers = await shown(80, 24);
    expect(noSpacers).toContain("first page have?\n❯ 1.");
    expect(noSpacers).toContain("── Grid ──");
    expect(noSpacers).toContain("For people on the way");
    const noPreview = await shown(80, 19);
    expect(noPreview).not.toContain("── Grid ──");
    expect(noPreview).toContain("For people on the way");
    const cursorOnly = await shown(80, 15);
    expect(cursorOnly).toContain("Pictures beside each other");
    expect(cursorOnly).not.toContain("For people on the way");
    expect(cursorOnly).toContain("Decline to answer");
    const scrolls = await shown(80, 11);
    expect(scrolls).toContain("❯ 1. ○ Grid");
    expect(scrolls).toContain("more below");
  });

  it("reaches everything at 44x18: each row, the whole context and the preview", async () => {
    const { press, screen } = await start(DESIGN, { size: [44, 18] });
    const seen = new Set<string>();
    for (let row = 0; row < 8; row += 1) {
      for (const line of await screen()) seen.add(line.trim());
      await press(KEYS.down, KEYS.escape);
    }
    const all = [...seen].join("\n");
    for (const text of [
      "Grid",
      "List",
      "Map",
      "Other:",
      "Note:",
      "Send",
      "Decline to answer",
      "One below the other, with text",
    ]) {
      expect(all).toContain(text);
    }
    form?.terminal.close();
    const second = await start(DESIGN, { size: [44, 18] });
    await second.press("o");
    const page = (await second.screen()).join("\n");
    for (const text of ["• on trains", "Which layout should", "+--+--+", "Esc close"])
      expect(page).toContain(text);
    await second.press(KEYS.escape);
    expect((await second.screen()).join("\n")).toContain("❯ 1. ○ Grid");
  });

  it("scrolls a long preview", async () => {
    const preview = Array.from({ length: 60 }, (_, index) => `line ${index + 1}`).join("\n");
    const { press, screen } = await start({
      questions: [{ question: "Which?", options: [{ label: "A", preview }, "B"] }],
    });
    expect((await screen()).join("\n")).toContain("line 1\n");
    await press(KEYS.pageDown);
    const text = (await screen()).join("\n");
    expect(text).not.toContain("line 1\n");
    expect(text).toContain("line 9");
  });

  it("follows a resize, there and back", async () => {
    const { press, screen, terminal } = await start(DESIGN, { size: [80, 24] });
    const before = await screen();
    await press(KEYS.down, KEYS.up);
    terminal.resize(44, 18);
    await terminal.drawn();
    expect((await screen()).join("\n")).toContain("❯ 1. ○ Grid");
    terminal.resize(80, 24);
    expect(await screen()).toEqual(before);
  });

  it("draws with ASCII alone where the terminal has no more", async () => {
    const { screen } = await start(DESIGN, { capabilities: { unicode: false, colors: 0 } });
    expect((await screen()).join("\n")).toMatch(/^[\x20-\x7e\n]*$/);
  });
});

const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "\u001b[2J",
        "\u001b]52;c;aGk=\u0007",
        "\u001b[999;999H",
        "\u202e",
        "\u0000",
        "\r",
        "\n",
        "\\n",
        "\t",
        "👩‍👩‍👧",
        "é́́",
        "שלום",
        "日本",
        "| a | b |\n|---|---|",
        "```\n",
        "<b>",
      ),
      fc.string({ unit: "grapheme", maxLength: 8 }),
      fc.constant("x".repeat(140)),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(""));

describe("hostile text", () => {
  it("leaves the screen whole, at any size, wherever it stands", async () => {
    const text = hostile.map((value) => `q${value}`);
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          question: text,
          header: text,
          label: text,
          description: text,
          preview: text,
          context: text,
        }),
        fc.constantFrom([10, 3], [24, 8], [44, 18], [80, 24], [120, 40], [300, 50]),
        fc.array(fc.constantFrom(KEYS.down, KEYS.up, "o", "n", "\x1b[200~a\x1b[2Jb\x1b[201~", KEYS.space), {
          maxLength: 4,
        }),
        async (given, size, keys) => {
          const { question, header, label, description, preview, context } = given;
          const options = [
            { label, description, preview: { format: "markdown" as const, content: preview } },
            `${label}2`,
          ];
          const opened = await open(
            { context, questions: [{ question, header, options }, { question: "Second?" }] },
            { size: size as [number, number] },
          );
          try {
            await opened.press(...keys);
            const [columns = 0, rows = 0] = size;
            const { terminal } = opened;
            // What was there before is there once, above the frame; nothing was cleared or drawn over.
            const lines = terminal.lines();
            expect(lines.filter((line) => line === "$ ask")).toHaveLength(1);
            expect(lines[0]).toBe("$ ask");
            const cursor = terminal.cursor();
            expect(cursor.row).toBeLessThan(rows);
            expect(cursor.column).toBeLessThan(columns);
            expect(lines.length).toBeLessThanOrEqual(rows + 1);
            expect(lines.join("")).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
            await opened.press("\x03");
            await opened.ended;
            expect(terminal.lines()).toEqual(["$ ask"]);
          } finally {
            opened.terminal.close();
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  it.each([
    [10, 3],
    [44, 18],
    [120, 40],
    [300, 50],
  ] as const)(
    "shows texts of 60 KB in one line and broken Markdown at %ix%i, and reads them in full",
    async (...size) => {
      const line = "x".repeat(60_000);
      const broken = "```\n| a\n|--\n**[b](javascript:1) <script>\n".repeat(1_400).slice(0, 60_000);
      const options = [
        { label: "L".repeat(1_000), description: "d ".repeat(4_000), preview: broken },
        { label: "B", preview: line },
      ];
      const { press, outcome, terminal } = await start(
        { context: line, questions: [{ question: "q".repeat(8_000), options }] },
        { size: [...size] },
      );
      await press("o", "\x1b[F", KEYS.escape, KEYS.down, "o", KEYS.pageDown, KEYS.escape);
      expect(terminal.lines()[0]).toBe("$ ask");
      await press(KEYS.enter);
      expect(outcome()).toMatchObject({ answers: [{ selected: ["o2"] }] });
      expect(terminal.lines()).toEqual(["$ ask"]);
    },
  );

  it("answers an ask of 20 questions of 50 options with long labels on a small screen", async () => {
    const options = Array.from({ length: 50 }, (_, index) => `${index} ${"label ".repeat(40)}`);
    const questions = Array.from({ length: 20 }, (_, index) => ({ question: `Question ${index}?`, options }));
    const { press, outcome, screen } = await start({ questions }, { size: [44, 18] });
    for (let index = 0; index < 20; index += 1) await press("4", "9", KEYS.enter);
    expect((await screen()).join("\n")).toContain("Review (20/20)");
    await press("\x13");
    expect(outcome()).toMatchObject({ answers: Array.from({ length: 20 }, () => ({ selected: ["o49"] })) });
  });
});
