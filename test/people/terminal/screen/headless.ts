// A terminal without a window, to look at the cells that were drawn.

import xterm from "@xterm/headless";
import type { Terminal, TerminalListener } from "../../../../src/people/terminal/screen/terminal.ts";

export interface Headless {
  /** The same terminal as a surface sees it. */
  readonly seam: Terminal;
  /** What a person types. */
  type(text: string): void;
  /** Resolves when everything that the surface has written is drawn. */
  drawn(): Promise<void>;
  /** Resolves when the text has been drawn. */
  write(text: string): Promise<void>;
  resize(columns: number, rows: number): void;
  /** Every line, those that were scrolled away first, without empty ones at the end. */
  lines(): readonly string[];
  /** Where the cursor is on the screen. */
  cursor(): { readonly row: number; readonly column: number };
  /** The text of one cell on the screen. */
  cell(
    row: number,
    column: number,
  ): { readonly text: string; readonly bold: boolean; readonly color: number };
  close(): void;
}

export function headlessTerminal(columns: number, rows: number): Headless {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 100 });
  const buffer = () => terminal.buffer.active;
  let listener: TerminalListener | undefined;
  const seam: Terminal = {
    get columns() {
      return terminal.cols;
    },
    get rows() {
      return terminal.rows;
    },
    write: (text) => terminal.write(text),
    open(newListener) {
      listener = newListener;
    },
    close() {
      listener = undefined;
    },
    suspend: () => listener?.release(),
  };
  return {
    seam,
    type: (text) => listener?.input(Buffer.from(text)),
    drawn: () => new Promise((resolve) => terminal.write("", resolve)),
    write: (text) => new Promise((resolve) => terminal.write(text, resolve)),
    resize(newColumns, newRows) {
      terminal.resize(newColumns, newRows);
      listener?.resize();
    },
    lines() {
      const all = Array.from(
        { length: buffer().length },
        (_, row) => buffer().getLine(row)?.translateToString(true) ?? "",
      );
      while (all.at(-1) === "") all.pop();
      return all;
    },
    cursor: () => ({ row: buffer().cursorY, column: buffer().cursorX }),
    cell(row, column) {
      const cell = buffer()
        .getLine(buffer().baseY + row)
        ?.getCell(column);
      return { text: cell?.getChars() ?? "", bold: cell?.isBold() !== 0, color: cell?.getFgColor() ?? -1 };
    },
    close: () => terminal.dispose(),
  };
}
