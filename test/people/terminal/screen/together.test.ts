import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { padLine, type StyledLine, styled } from "../../../../src/people/cells/line.ts";
import { toLines } from "../../../../src/people/markdown/lines.ts";
import { parseMarkdown } from "../../../../src/people/markdown/parse.ts";
import { createEditor, editText } from "../../../../src/people/terminal/screen/editor.ts";
import { editorAction } from "../../../../src/people/terminal/screen/editor-keys.ts";
import { viewEditor } from "../../../../src/people/terminal/screen/editor-view.ts";
import { createKeyDecoder } from "../../../../src/people/terminal/screen/keys.ts";
import { createPainter } from "../../../../src/people/terminal/screen/painter.ts";
import type { Terminal } from "../../../../src/people/terminal/screen/terminal.ts";
import { fakeClock } from "../../../../src/testing/fake-clock.ts";
import { type Headless, headlessTerminal } from "./headless.ts";

/** The smallest surface that has everything: a question above a framed text field. */
function openField(terminal: Terminal, question: string): void {
  const size = () => ({ columns: terminal.columns, rows: terminal.rows });
  const ansi = { styles: true, colors: true, hyperlinks: false };
  const painter = createPainter({ size: size(), ansi, reflow: "shifted" });
  let editor = createEditor();
  let first = 0;
  const paint = (): void => {
    const { columns } = terminal;
    const above = toLines(parseMarkdown(question), { width: columns });
    const view = viewEditor(editor, { width: columns - 4, height: 3 }, first);
    first = view.first;
    const field = view.rows.map(
      (row): StyledLine => [styled("│ "), ...padLine([styled(row)], columns - 4), styled(" │")],
    );
    const cursor = { row: above.length + view.cursor.row, column: 2 + view.cursor.column };
    terminal.write(painter.paint({ lines: [...above, ...field], cursor }));
  };
  const keys = createKeyDecoder({
    clock: fakeClock(),
    onEvent: (event) => {
      const action = editorAction(event);
      if (action !== undefined) editor = editText(editor, action, { mostLength: 1_000, multiline: true });
      paint();
    },
  });
  terminal.open({
    input: (bytes) => keys.write(bytes),
    resize: () => {
      terminal.write(painter.resize(size()));
      paint();
    },
    release: () => terminal.write(painter.leave()),
    resume: paint,
    end: () => terminal.close(),
  });
  paint();
}

describe("a terminal, keys, a text field, Markdown and the painter together", () => {
  let terminal: Headless;
  beforeEach(async () => {
    terminal = headlessTerminal(30, 10);
    await terminal.write("$ ask\r\n");
    openField(terminal.seam, "**Why** this one? See `docs`.");
    await terminal.drawn();
  });
  afterEach(() => terminal.close());

  const field = (text: string, columns = 30): string => `│ ${text.padEnd(columns - 4)} │`;

  it("shows the question, and the caret in the empty field", () => {
    expect(terminal.lines()).toEqual(["$ ask", "Why this one? See docs.", field("")]);
    expect(terminal.cursor()).toEqual({ row: 2, column: 2 });
    expect(terminal.cell(1, 0).bold).toBe(true);
  });

  it("takes typing, motion, deletion, a new line and a paste", async () => {
    terminal.type("hello wrld");
    terminal.type("\x1b[D\x1b[D\x1b[Do\x1bbbig ");
    terminal.type("\x05\n\x1b[200~日本 👍\x1b[201~");
    await terminal.drawn();
    expect(terminal.lines().slice(2, 3)).toEqual([field("hello big world")]);
    expect(terminal.cursor()).toEqual({ row: 3, column: 2 + 7 });
    for (const row of [2, 3]) expect(terminal.cell(row, 29).text).toBe("│");
    terminal.type("\x7f\x7f\x7f\x7f\x7f\x17");
    await terminal.drawn();
    expect(terminal.lines()).toEqual(["$ ask", "Why this one? See docs.", field("hello big ")]);
  });

  it("wraps and scrolls in the field, and follows a resize", async () => {
    terminal.type("one two three four five six seven eight nine ten eleven twelve thirteen");
    await terminal.drawn();
    expect(terminal.lines().slice(2)).toEqual([
      field("one two three four five"),
      field("six seven eight nine ten"),
      field("eleven twelve thirteen"),
    ]);
    terminal.resize(20, 10);
    await terminal.drawn();
    expect(terminal.lines()).toEqual([
      "$ ask",
      "Why this one? See",
      "docs.",
      field("seven eight", 20),
      field("nine ten eleven", 20),
      field("twelve thirteen", 20),
    ]);
    expect(terminal.cursor()).toEqual({ row: 5, column: 17 });
  });

  it("leaves the frame to the shell while it is stopped", async () => {
    terminal.type("kept");
    terminal.seam.suspend();
    await terminal.write("stopped");
    expect(terminal.lines()).toEqual(["$ ask", "Why this one? See docs.", field("kept"), "stopped"]);
  });
});
