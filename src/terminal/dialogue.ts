import type { Readable, Writable } from "node:stream";
import { type Line, MOST_LINE_BYTES, nextLine } from "./line-reader.js";
import { hang } from "./wrap.js";

/** A stream to read answers from; `isTTY` says that a terminal echoes what is typed. */
export type Input = Readable & { readonly isTTY?: boolean };

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
  /** Says, on lines of its own, why the last line cannot be taken. */
  explain(message: string): void;
  /** Leaves the cursor at the start of a line; to be called at the end, whatever it was. */
  close(): void;
}

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
    async ask(prompt) {
      for (;;) {
        output.write(prompt);
        behindPrompt = prompt !== "";
        const line = await nextLine(input, signal);
        const echoed = input.isTTY === true && (line.kind === "line" || line.kind === "too_long");
        if (echoed) behindPrompt = false;
        if (line.kind !== "too_long") return line;
        explain(`that line is longer than ${MOST_LINE_BYTES} bytes; type a shorter one`);
      }
    },
  };
}
