import type { Readable, Writable } from "node:stream";
import { formWords } from "../../core/words/form.js";
import { hang } from "../cells/wrap.js";
import { type Line, MOST_LINE_BYTES, nextLine } from "./line-reader.js";
import { pastedLines } from "./pasted-lines.js";

/** A stream to read answers from. With `isTTY`, a terminal echoes what is typed. */
export type Input = Readable & {
  readonly isTTY?: boolean;
  readonly isRaw?: boolean;
  readonly fd?: number;
  setRawMode?(on: boolean): unknown;
};

/** A stream to show prompts on. A terminal has `columns`. */
export type Output = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  readonly fd?: number;
};

/** A line, or why there will be none. */
export type AnswerLine = Exclude<Line, { readonly kind: "too_long" }>;

/** A conversation of prompts and lines. The caller makes every text safe to show. */
export interface Dialogue {
  /** The width to wrap to; undefined if the output is not a terminal. */
  readonly columns: number | undefined;
  say(text: string): void;
  /** Shows a prompt and reads one line. Asks again if the line is too long. */
  ask(prompt: string): Promise<AnswerLine>;
  /** Like `ask`, but several lines pasted into a terminal at once are one text. */
  askText(prompt: string): Promise<AnswerLine>;
  /** Says on separate lines why the last line is invalid. */
  explain(message: string): void;
  /** Leaves the cursor at the start of a line. Must always be called at the end. */
  close(): void;
}

// What arrows and other keys send while the terminal itself edits the line; never meant as text.
const KEYS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** Says in the language of the locale why a line is not taken; the protocol for pipes is English. */
export function openDialogue(
  input: Input,
  output: Output,
  signal: AbortSignal | undefined,
  locale?: string,
): Dialogue {
  const words = formWords(locale).plain;
  // Whether the cursor is after a prompt: only a terminal echoes the newline that ends an answer.
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
  const read = async (prompt: string, severalLines: boolean): Promise<AnswerLine> => {
    for (;;) {
      const line = await readLine(prompt);
      if (line.kind === "too_long") {
        explain(words.lineTooLong(MOST_LINE_BYTES));
        continue;
      }
      if (line.kind !== "line" || input.isTTY !== true) return line;
      const further = severalLines && line.text.trim() !== "" ? await readPasted() : [];
      if (signal?.aborted) return { kind: "aborted" };
      const text = [line.text, ...further].join("\n");
      if (KEYS.test(text)) {
        explain(words.keysNotText);
        continue;
      }
      if (further.length > 0) explain(words.pasted(further.length + 1));
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
    // After Ctrl-Z the shell has written below the prompt, so show it again. Registered before the prompt appears,
    // since Ctrl-Z may be pressed immediately.
    if (input.isTTY === true) process.on("SIGCONT", show);
    show();
    const line = await nextLine(input, signal);
    process.off("SIGCONT", show);
    if (input.isTTY === true && (line.kind === "line" || line.kind === "too_long")) behindPrompt = false;
    return line;
  };
  // Immediately, since the caller that aborts may close the output before this code continues.
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
