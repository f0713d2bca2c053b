// What is pasted into a prompt comes as several lines in one breath. Only the first ends the prompt; the others
// would answer the next question, or run in the shell that started this.

import { setImmediate as turn } from "node:timers/promises";
import type { Input } from "./dialogue.js";
import { nextLine } from "./line-reader.js";

// Longer than a terminal takes between two lines of a paste, and shorter than a person between two keys.
const BREATH_MS = 25;

export interface Pasted {
  readonly lines: readonly string[];
  /** Whether the last of them lacks its newline: the cursor stands behind it. */
  readonly unended: boolean;
}

/** The lines that came in one breath with the one just read from a terminal. */
export async function pastedLines(input: Input, signal: AbortSignal | undefined): Promise<Pasted> {
  const lines: string[] = [];
  for (;;) {
    const line = await withinABreath(input, signal);
    if (line === undefined) break;
    lines.push(line);
  }
  const half = await halfLine(input);
  return half === ""
    ? { lines, unended: false }
    : { lines: [...lines, ...half.split(/\r?\n|\r/)], unended: true };
}

async function withinABreath(input: Input, signal: AbortSignal | undefined): Promise<string | undefined> {
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), BREATH_MS);
  const either = signal === undefined ? over.signal : AbortSignal.any([signal, over.signal]);
  const line = await nextLine(input, either);
  clearTimeout(timer);
  return line.kind === "line" ? line.text : undefined;
}

/** A terminal keeps a line to itself until its newline, except in raw mode, in which it stays for a moment only. */
async function halfLine(input: Input): Promise<string> {
  if (input.setRawMode === undefined || input.destroyed) return "";
  const held: Buffer[] = [];
  // Text where the program that this runs in has set an encoding.
  const hold = (chunk: Buffer | string): void => {
    held.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
  };
  input.setRawMode(true);
  input.on("data", hold).resume();
  // One turn to begin reading, one to be given what is there.
  for (let turns = 0; turns < 3; turns += 1) await turn();
  input.pause().off("data", hold);
  input.setRawMode(false);
  return Buffer.concat(held).toString();
}
