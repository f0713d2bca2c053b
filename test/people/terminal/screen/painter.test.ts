import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { padLine, type StyledLine, styled } from "../../../../src/people/cells/line.ts";
import { toLines } from "../../../../src/people/markdown/lines.ts";
import { parseMarkdown } from "../../../../src/people/markdown/parse.ts";
import {
  createPainter,
  type Painter,
  type PainterOptions,
} from "../../../../src/people/terminal/screen/painter.ts";
import { markdown } from "../../markdown/arbitrary.ts";
import { type Headless, headlessTerminal } from "./headless.ts";

const open = new Set<Headless>();
afterEach(() => {
  for (const terminal of open) terminal.close();
  open.clear();
});

/** A screen on which a shell has written, and a painter for it. */
async function screen(
  columns: number,
  rows: number,
  { before = "$ ask\r\n", ...options }: Partial<PainterOptions> & { before?: string } = {},
): Promise<{ readonly terminal: Headless; readonly painter: Painter }> {
  const terminal = headlessTerminal(columns, rows);
  open.add(terminal);
  await terminal.write(before);
  const painter = createPainter({
    size: { columns, rows },
    ansi: { styles: true, colors: true, hyperlinks: true },
    reflow: "shifted",
    ...options,
  });
  return { terminal, painter };
}

const lines = (...texts: readonly string[]): readonly StyledLine[] => texts.map((text) => [styled(text)]);

describe("the painter", () => {
  it("draws below what was there, and puts the cursor into its cell", async () => {
    const { terminal, painter } = await screen(20, 6);
    await terminal.write(
      painter.paint({ lines: lines("one", "two", "three"), cursor: { row: 1, column: 2 } }),
    );
    expect(terminal.lines()).toEqual(["$ ask", "one", "two", "three"]);
    expect(terminal.cursor()).toEqual({ row: 2, column: 2 });
  });

  it("redraws in place, only what has changed", async () => {
    const { terminal, painter } = await screen(20, 6);
    await terminal.write(
      painter.paint({ lines: lines("one", "two", "three"), cursor: { row: 0, column: 0 } }),
    );
    const output = painter.paint({
      lines: lines("one", "2", "three", "four"),
      cursor: { row: 3, column: 4 },
    });
    expect(output).not.toMatch(/one|three/);
    await terminal.write(output);
    expect(terminal.lines()).toEqual(["$ ask", "one", "2", "three", "four"]);
    expect(terminal.cursor()).toEqual({ row: 4, column: 4 });
    await terminal.write(painter.paint({ lines: lines("one"), cursor: { row: 0, column: 3 } }));
    expect(terminal.lines()).toEqual(["$ ask", "one"]);
  });

  it("writes nothing for a frame that is there already, and only moves the cursor where that has moved", async () => {
    const { terminal, painter } = await screen(20, 6);
    const frame = { lines: lines("one", "two"), cursor: { row: 0, column: 0 } };
    await terminal.write(painter.paint(frame));
    expect(painter.paint(frame)).toBe("");
    expect(painter.paint({ ...frame, cursor: { row: 1, column: 1 } })).toBe("\r\x1b[1B\x1b[2G");
    painter.paint({ lines: frame.lines });
    expect(painter.paint({ lines: frame.lines })).toBe("");
  });

  it("scrolls at the bottom, and keeps what it scrolls away", async () => {
    const { terminal, painter } = await screen(20, 4, { before: "1\r\n2\r\n3\r\n$ ask\r\n" });
    await terminal.write(painter.paint({ lines: lines("a", "b", "c"), cursor: { row: 0, column: 0 } }));
    expect(terminal.lines()).toEqual(["1", "2", "3", "$ ask", "a", "b", "c"]);
    await terminal.write(painter.paint({ lines: lines("A", "b", "C", "d"), cursor: { row: 2, column: 1 } }));
    expect(terminal.lines()).toEqual(["1", "2", "3", "$ ask", "A", "b", "C", "d"]);
    expect(terminal.cursor()).toEqual({ row: 2, column: 1 });
  });

  it("shows the lines around the cursor where there are more than rows", async () => {
    const { terminal, painter } = await screen(20, 3);
    const all = lines("a", "b", "c", "d", "e");
    await terminal.write(painter.paint({ lines: all, cursor: { row: 4, column: 0 } }));
    expect(terminal.lines()).toEqual(["$ ask", "c", "d", "e"]);
    await terminal.write(painter.paint({ lines: all, cursor: { row: 0, column: 0 } }));
    expect(terminal.lines()).toEqual(["$ ask", "a", "b", "c"]);
    expect(terminal.cursor()).toEqual({ row: 0, column: 0 });
  });

  it("cuts a line that is too wide, and fills one that fits exactly", async () => {
    const { terminal, painter } = await screen(5, 6, { before: "" });
    await terminal.write(
      painter.paint({ lines: lines("abcde", "abcdefgh", "日本語"), cursor: { row: 0, column: 9 } }),
    );
    expect(terminal.lines()).toEqual(["abcde", "abcde", "日本"]);
    expect(terminal.cursor()).toEqual({ row: 0, column: 4 });
  });

  it("clears what it drew and nothing else", async () => {
    const { terminal, painter } = await screen(20, 6);
    await terminal.write(painter.paint({ lines: lines("one", "two"), cursor: { row: 1, column: 1 } }));
    await terminal.write(painter.clear());
    expect(terminal.lines()).toEqual(["$ ask"]);
    expect(terminal.cursor()).toEqual({ row: 1, column: 0 });
    expect(painter.clear()).toBe("");
  });

  it("leaves its last frame behind, with the cursor below", async () => {
    const { terminal, painter } = await screen(20, 6);
    await terminal.write(painter.paint({ lines: lines("one", "two") }));
    await terminal.write(`${painter.leave()}$ `);
    expect(terminal.lines()).toEqual(["$ ask", "one", "two", "$ "]);
  });

  it("keeps a frame straight beside characters that terminals disagree about", async () => {
    // This terminal gives one cell to an emoji where newer ones give two, and does not join any.
    const { terminal, painter } = await screen(20, 8, { before: "" });
    const texts = ["👍 ok", "👨‍👩‍👧‍👦 x", "❤️ y", "🇻🇳 z", "日本", "שלום", "e\u0301", "कि"];
    const framed = texts.map(
      (text): StyledLine => [styled("│"), ...padLine([styled(text)], 18), styled("│")],
    );
    await terminal.write(painter.paint({ lines: lines(...Array(8).fill("x".repeat(20))) }));
    await terminal.write(painter.paint({ lines: framed }));
    for (let row = 0; row < 8; row += 1) {
      expect(terminal.cell(row, 0).text).toContain("│");
      expect(terminal.cell(row, 19).text).toContain("│");
      for (let column = 8; column < 19; column += 1) expect(terminal.cell(row, column).text.trim()).toBe("");
    }
  });

  it("shows styles as colours and weights", async () => {
    const { terminal, painter } = await screen(20, 4, { before: "" });
    await terminal.write(
      painter.paint({ lines: [[styled("a"), styled("b", { bold: true, color: "danger" }), styled("c")]] }),
    );
    expect(terminal.cell(0, 0)).toMatchObject({ text: "a", bold: false });
    expect(terminal.cell(0, 1)).toMatchObject({ text: "b", bold: true, color: 1 });
    expect(terminal.cell(0, 2)).toMatchObject({ text: "c", bold: false });
  });

  describe("when the terminal is resized", () => {
    const wide = lines("a".repeat(38), "short", "b".repeat(25), "end");
    const before = Array.from({ length: 12 }, (_, index) => `line ${index}\r\n`).join("");

    const history = Array.from({ length: 12 }, (_, index) => `line ${index}`);

    it.each([
      [20, 10],
      [13, 10],
      [40, 5],
      [60, 20],
      [40, 10],
    ])("clears what it drew before, to %i x %i", async (columns, rows) => {
      for (const row of [0, 1, 2, 3]) {
        const { terminal, painter } = await screen(40, 10, { before });
        await terminal.write(painter.paint({ lines: wide, cursor: { row, column: 3 } }));
        terminal.resize(columns, rows);
        await terminal.write(painter.resize({ columns, rows }));
        await terminal.write(painter.paint({ lines: lines("a", "b", "c"), cursor: { row: 2, column: 1 } }));
        expect(terminal.lines()).toEqual([...history, "a", "b", "c"]);
      }
    });

    it("clears all of it, wherever the cursor stands, unless the terminal has scrolled it away", async () => {
      const change = fc.oneof(
        fc.record({ columns: fc.integer({ min: 12, max: 60 }), rows: fc.constant(10) }),
        fc.record({ columns: fc.constant(40), rows: fc.integer({ min: 4, max: 20 }) }),
      );
      await fc.assert(
        fc.asyncProperty(change, fc.nat(3), fc.nat(11), async (size, row, column) => {
          const { terminal, painter } = await screen(40, 10, { before });
          await terminal.write(painter.paint({ lines: wide, cursor: { row, column } }));
          terminal.resize(size.columns, size.rows);
          await terminal.write(painter.resize(size));
          await terminal.write(painter.paint({ lines: lines("last"), cursor: { row: 0, column: 4 } }));
          expect(terminal.lines()).toEqual([...history, "last"]);
          terminal.close();
        }),
        { numRuns: 40 },
      );
    });

    it("removes nothing that was there before, even where both change at once", async () => {
      const sizes = fc.record({
        columns: fc.integer({ min: 12, max: 60 }),
        rows: fc.integer({ min: 4, max: 20 }),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(sizes, { minLength: 1, maxLength: 4 }), fc.nat(3), async (steps, row) => {
          const { terminal, painter } = await screen(40, 10, { before });
          for (const size of steps) {
            await terminal.write(painter.paint({ lines: wide, cursor: { row, column: 1 } }));
            terminal.resize(size.columns, size.rows);
            await terminal.write(painter.resize(size));
          }
          await terminal.write(painter.paint({ lines: lines("last"), cursor: { row: 0, column: 4 } }));
          expect(terminal.lines().slice(0, 12)).toEqual(history);
          expect(terminal.lines().at(-1)).toBe("last");
          terminal.close();
        }),
        { numRuns: 40 },
      );
    });
  });

  it("shows the frame it was given last, whatever was drawn before", async () => {
    const frame = fc.record({
      texts: fc.array(fc.string({ unit: fc.constantFrom("a", "b", " ", "日", "é"), maxLength: 25 }), {
        minLength: 1,
        maxLength: 7,
      }),
      row: fc.nat(6),
      column: fc.nat(19),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(frame, { minLength: 1, maxLength: 5 }), async (frames) => {
        const { terminal, painter } = await screen(20, 6);
        const fresh = await screen(20, 6);
        for (const { texts, row, column } of frames) {
          await terminal.write(
            painter.paint({
              lines: lines(...texts),
              cursor: { row: Math.min(row, texts.length - 1), column },
            }),
          );
        }
        const last = frames.at(-1);
        const cursor = {
          row: Math.min(last?.row ?? 0, (last?.texts.length ?? 1) - 1),
          column: last?.column ?? 0,
        };
        await fresh.terminal.write(fresh.painter.paint({ lines: lines(...(last?.texts ?? [])), cursor }));
        // A taller frame may have scrolled the prompt away: the frame is what follows it in both.
        const shown = (all: readonly string[]): readonly string[] =>
          all.map((line) => line.trimEnd()).filter((line) => line !== "");
        expect(shown(terminal.lines())).toEqual(shown(fresh.terminal.lines()));
        terminal.close();
        fresh.terminal.close();
      }),
      { numRuns: 40 },
    );
  });

  it("keeps the screen whole whatever a model writes", async () => {
    await fc.assert(
      fc.asyncProperty(markdown, async (source) => {
        const { terminal, painter } = await screen(30, 12);
        const inside = toLines(parseMarkdown(source), { width: 26 }).slice(0, 8);
        const frame = [[styled("top")], ...inside, [styled("bottom")]];
        await terminal.write(painter.paint({ lines: frame, cursor: { row: frame.length - 1, column: 6 } }));
        const shown = terminal.lines();
        expect(shown.slice(0, 2)).toEqual(["$ ask", "top"]);
        expect(shown.at(-1)).toBe("bottom");
        expect(shown).toHaveLength(frame.length + 1);
        expect(terminal.cursor()).toEqual({ row: frame.length, column: 6 });
        terminal.close();
      }),
      { numRuns: 150 },
    );
  });
});
