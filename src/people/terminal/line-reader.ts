// Reads a stream line by line, for several readers in turn.
//
// idle    --nextLine-->            reading   (listening, stream flowing)
// reading --newline-->             idle      (what follows the newline goes back into the stream)
// reading --end, error, close-->   idle      (a last line without newline still counts)
// reading --abort-->               idle      (a half-received line goes back into the stream)
//
// Nothing is buffered between two reads: lines that arrive together wait in the stream itself, where the next reader,
// the same surface or the host's own prompt, finds them.

import type { Readable } from "node:stream";

export type Line =
  | { readonly kind: "line"; readonly text: string }
  /** Longer than {@link MOST_LINE_BYTES}; read to its end and dropped. */
  | { readonly kind: "too_long" }
  | { readonly kind: "end" }
  | { readonly kind: "aborted" };

/** Enough for the longest text and the longest edited arguments in any characters. */
export const MOST_LINE_BYTES = 262_144;

const NEWLINE = 0x0a;

/**
 * The next line of UTF-8 without its `\n` or `\r\n`. A stream that fails counts as ended. Allows one read at a time on a
 * stream, which `inTurn` ensures.
 */
export function nextLine(input: Readable, signal?: AbortSignal): Promise<Line> {
  if (signal?.aborted) return Promise.resolve({ kind: "aborted" });
  if (input.destroyed || input.readableEnded) return Promise.resolve({ kind: "end" });
  return new Promise((resolve) => {
    const held: Buffer[] = [];
    let size = 0;

    const finish = (line: Line): void => {
      input.pause();
      input.off("data", receive).off("end", end).off("close", end).off("error", end);
      signal?.removeEventListener("abort", abort);
      resolve(line);
    };
    const hold = (bytes: Buffer): void => {
      size += bytes.length;
      if (size <= MOST_LINE_BYTES) held.push(bytes);
      else held.length = 0;
    };
    const finishHeld = (): void => {
      if (size > MOST_LINE_BYTES) finish({ kind: "too_long" });
      else finish({ kind: "line", text: withoutReturn(Buffer.concat(held).toString()) });
    };
    const receive = (chunk: Buffer | string): void => {
      const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
      const at = bytes.indexOf(NEWLINE);
      if (at < 0) {
        hold(bytes);
        return;
      }
      hold(bytes.subarray(0, at));
      finishHeld();
      giveBack(input, bytes.subarray(at + 1));
    };
    const end = (): void => {
      if (size > 0) finishHeld();
      else finish({ kind: "end" });
    };
    const abort = (): void => {
      finish({ kind: "aborted" });
      giveBack(input, Buffer.concat(held));
    };

    surviveErrors(input);
    input.on("data", receive).once("end", end).once("close", end).once("error", end);
    signal?.addEventListener("abort", abort, { once: true });
    input.resume();
  });
}

const surviving = new WeakSet<Readable>();

/** A terminal that disappears while nobody reads must not crash the host. */
function surviveErrors(input: Readable): void {
  if (surviving.has(input)) return;
  surviving.add(input);
  input.on("error", () => undefined);
}

function giveBack(input: Readable, bytes: Buffer): void {
  if (bytes.length === 0 || input.destroyed || input.readableEnded) return;
  if (input.readableEncoding === null) input.unshift(bytes);
  else input.unshift(bytes.toString(), "utf8");
}

function withoutReturn(text: string): string {
  return text.endsWith("\r") ? text.slice(0, -1) : text;
}
