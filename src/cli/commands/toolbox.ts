import { readSync, writeSync } from "node:fs";
import { runToolbox } from "../../agents/shapes/toolbox/command.js";
import type { Define } from "../input/command.js";

export const define: Define = (command, { world, end }) => {
  command.addHelpText("after", HELP).action(() => end(runToolboxCommand(world.environment.TOOLBOX_ACTION)));
};

const HELP = `
TOOLBOX_ACTION selects the action: describe prints the tool's description, execute reads one question as JSON from
stdin and prints it with numbered options. Stdout is always one line of JSON. The exit code is 0, or 1 for an error.
The command ask_user does the same. The input may have up to 4 MiB; a longer one is the error INPUT_TOO_LONG.

Example:
  $ printf '%s' '{"question":"Q?","options":["A","B"]}' | TOOLBOX_ACTION=execute askline toolbox
`;

// More than any valid input.
const MOST_BYTES = 4_194_304;

/**
 * `askline toolbox` and `ask_user`: always print one line of JSON. They read and write the descriptors directly,
 * because opening Node's standard streams would take most of the run time.
 */
export function runToolboxCommand(action: string | undefined): number {
  const { output, exitCode } = runToolbox(action, readStdin);
  return writeStdout(`${output}\n`) ? exitCode : 1;
}

function readStdin(): string {
  const chunks: Buffer[] = [];
  let size = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(65_536);
    const count = retry(() => readSync(0, chunk), 0);
    if (count === 0) return Buffer.concat(chunks).toString();
    size += count;
    if (size > MOST_BYTES)
      throw new RangeError(`the input on stdin is larger than ${MOST_BYTES} bytes (4 MiB); shorten it`);
    chunks.push(chunk.subarray(0, count));
  }
}

/** False if the reader has gone away. */
function writeStdout(text: string): boolean {
  const bytes = Buffer.from(text);
  try {
    for (let at = 0; at < bytes.length; ) at += retry(() => writeSync(1, bytes, at));
    return true;
  } catch {
    return false;
  }
}

/** Another process may have made the descriptor non-blocking; then wait here instead. */
function retry(operation: () => number, atEnd?: number): number {
  for (;;) {
    try {
      return operation();
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      if (code === "EOF" && atEnd !== undefined) return atEnd;
      if (code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
}
