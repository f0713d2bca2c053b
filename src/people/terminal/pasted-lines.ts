// Text pasted into a prompt arrives as several lines at once. Only the first ends the prompt; the others would answer
// the next question, or run in the shell that started this.

import { setImmediate as turn } from "node:timers/promises";
import type { Input } from "./dialogue.js";
import { nextLine } from "./line-reader.js";

// Longer than the pause between two pasted lines, shorter than the pause between two keys of a person.
const PASTE_PAUSE_MS = 25;

export interface Pasted {
  readonly lines: readonly string[];
  /** Whether the last line has no newline, so the cursor is after it. */
  readonly unended: boolean;
}

/** The lines that were pasted together with the one just read from a terminal. */
export async function pastedLines(input: Input, signal: AbortSignal | undefined): Promise<Pasted> {
  const lines: string[] = [];
  for (;;) {
    const line = await nextPastedLine(input, signal);
    if (line === undefined) break;
    lines.push(line);
  }
  const half = await halfLine(input);
  return half === ""
    ? { lines, unended: false }
    : { lines: [...lines, ...half.split(/\r?\n|\r/)], unended: true };
}

async function nextPastedLine(input: Input, signal: AbortSignal | undefined): Promise<string | undefined> {
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), PASTE_PAUSE_MS);
  const either = signal === undefined ? over.signal : AbortSignal.any([signal, over.signal]);
  const line = await nextLine(input, either);
  clearTimeout(timer);
  return line.kind === "line" ? line.text : undefined;
}

/** A terminal holds back a line until its newline, except in raw mode, so raw mode is on for a moment. */
async function halfLine(input: Input): Promise<string> {
  if (input.setRawMode === undefined || input.destroyed) return "";
  const held: Buffer[] = [];
  // A string if the host program has set an encoding.
  const hold = (chunk: Buffer | string): void => {
    held.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
  };
  input.setRawMode(true);
  input.on("data", hold).resume();
  // One turn to start reading, one to receive the data.
  for (let turns = 0; turns < 3; turns += 1) await turn();
  input.pause().off("data", hold);
  input.setRawMode(false);
  return Buffer.concat(held).toString();
}
