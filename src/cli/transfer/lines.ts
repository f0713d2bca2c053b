import type { Readable, Writable } from "node:stream";
import { CommandError, FAULT_EXIT_CODE } from "../world/exit.js";

export interface InputLine {
  /** Counted from 1. */
  readonly number: number;
  /** Undefined if the line is too long or not UTF-8. */
  readonly text: string | undefined;
  /** Why there is no text. */
  readonly fault?: string;
}

const LINE_FEED = 0x0a;

/** Reads the lines of a stream, dropping the text of a line longer than `most` bytes. The last may lack a newline. */
export async function* readLines(input: Readable, most: number): AsyncGenerator<InputLine, void, void> {
  let parts: Buffer[] = [];
  let size = 0;
  let number = 0;
  const take = (): InputLine => {
    number += 1;
    const line = size > most ? undefined : Buffer.concat(parts);
    parts = [];
    size = 0;
    return line === undefined
      ? { number, text: undefined, fault: `is longer than ${most.toLocaleString("en")} bytes` }
      : decode(line, number);
  };
  const add = (part: Buffer): void => {
    size += part.length;
    if (size <= most) parts.push(part);
    else parts = [];
  };
  for await (const chunk of input) {
    let rest = Buffer.from(chunk as Buffer | string);
    for (let end = rest.indexOf(LINE_FEED); end >= 0; end = rest.indexOf(LINE_FEED)) {
      add(rest.subarray(0, end));
      yield take();
      rest = rest.subarray(end + 1);
    }
    add(rest);
  }
  if (size > 0) yield take();
}

function decode(line: Buffer, number: number): InputLine {
  try {
    return { number, text: new TextDecoder("utf-8", { fatal: true }).decode(line) };
  } catch {
    return { number, text: undefined, fault: "is not UTF-8" };
  }
}

export interface LineWriter {
  /** Resolves when there is room for more. Rejects if the output failed. */
  write(text: string): Promise<void>;
  /** Resolves when everything has been written. */
  end(): Promise<void>;
}

/** Writes many lines at the pace of the reader, with one error listener. */
export function createLineWriter(output: Writable): LineWriter {
  let failure: CommandError | undefined;
  let rejectWaiting = (_failure: CommandError): void => undefined;
  const fail = (error: Error): void => {
    failure ??= new CommandError(`could not write the export (${error.message})`, FAULT_EXIT_CODE, {
      cause: error,
    });
    rejectWaiting(failure);
  };
  // Never removed: some streams report one failed write twice.
  output.on("error", fail);
  const taken = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      rejectWaiting = reject;
      output.write(text, (error) => (error ? fail(error) : resolve()));
    });
  return {
    async write(text) {
      if (failure !== undefined) throw failure;
      if (output.writableLength < output.writableHighWaterMark) {
        output.write(text, (error) => void (error && fail(error)));
      } else await taken(text);
    },
    async end() {
      if (failure !== undefined) throw failure;
      await taken("");
    },
  };
}
