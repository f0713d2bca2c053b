import type { Readable, Writable } from "node:stream";
import { hang } from "../cells/index.js";
import { type Line, MOST_LINE_BYTES, nextLine } from "./line-reader.js";
import { pastedLines } from "./pasted-lines.js";

/** A stream to read answers from; `isTTY` says that a terminal echoes what is typed. */
export type Input = Readable & { readonly isTTY?: boolean; setRawMode?(on: boolean): unknown };

/** A stream to show prompts on; `columns` is there when it is a terminal. */
export type Output = Writable & { readonly columns?: number };

/** A line that was given, or why there will be none. */
export type Given = Exclude<Line, { readonly kind: "too_long" }>;

/** One conversation of prompts and lines. Everything said must be safe to show already. */
export interface Dialogue {
  /** The width to wrap to; undefined where the output is no terminal. */
  readonly columns: number | undefined;
  say(text: string): void;
  /** Shows a prompt and reads one line; a line beyond all bounds is explained and asked again. */
  ask(prompt: string): Promise<Given>;
  /** The same for a text of any lines: what is pasted into a terminal at once is one text. */
  askText(prompt: string): Promise<Given>;
  /** Says, on lines of its own, why the last line cannot be taken. */
  explain(message: string): void;
  /** Leaves the cursor at the start of a line; to be called at the end, whatever it was. */
  close(): void;
}

// What an arrow and other keys send while a terminal edits the line by itself: nobody means it as text.
const KEYS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

export function openDialogue(input: Input, output: Output, signal: AbortSignal | undefined): Dialogue {
  // Whether the cursor stands behind a prompt: only a terminal echoes the newline that ends an answer.
  let behindPrompt = false;

  const say = (text: string): void => {
    output.write(text);
    behindPrompt = false;
  };
  const leavePrompt = (): void => {
    if (behindPrompt) say("\n");
  };
  const explain = (message: string): void => {
    leavePrompt();
    say(`${hang("  ", message, output.columns)}\n`);
  };
  const read = async (prompt: string, severalLines: boolean): Promise<Given> => {
    for (;;) {
      const line = await readLine(prompt);
      if (line.kind === "too_long") {
        explain(`that line is longer than ${MOST_LINE_BYTES} bytes; type a shorter one`);
        continue;
      }
      if (line.kind !== "line" || input.isTTY !== true) return line;
      const further = severalLines && line.text.trim() !== "" ? await readPasted() : [];
      if (signal?.aborted) return { kind: "aborted" };
      const text = [line.text, ...further].join("\n");
      if (KEYS.test(text)) {
        explain("a key such as an arrow was pressed, which means nothing here; type it again");
        continue;
      }
      if (further.length > 0) explain(`${further.length + 1} lines were pasted, and are taken as one text`);
      return { kind: "line", text };
    }
  };
  const readPasted = async (): Promise<readonly string[]> => {
    const { lines, unended } = await pastedLines(input, signal);
    behindPrompt = unended;
    return lines;
  };
  const readLine = async (prompt: string): Promise<Line> => {
    const show = (): void => {
      output.write(prompt);
      behindPrompt = prompt !== "";
    };
    // Ctrl-Z leaves the prompt behind on a screen that the shell has written on since. Listened for before the prompt
    // is there: it may be pressed at once.
    if (input.isTTY === true) process.on("SIGCONT", show);
    show();
    const line = await nextLine(input, signal);
    process.off("SIGCONT", show);
    if (input.isTTY === true && (line.kind === "line" || line.kind === "too_long")) behindPrompt = false;
    return line;
  };
  // At once: whoever aborts may close the output before this conversation notices.
  signal?.addEventListener("abort", leavePrompt, { once: true });
  return {
    get columns() {
      return output.columns;
    },
    say,
    explain,
    close() {
      leavePrompt();
      signal?.removeEventListener("abort", leavePrompt);
    },
    ask: (prompt) => read(prompt, false),
    askText: (prompt) => read(prompt, true),
  };
}
