import { readSync, writeSync } from "node:fs";
import { runToolbox } from "../../dialects/toolbox/command.js";
import type { Define } from "../input/command.js";

export const define: Define = (command, { world, end }) => {
  command.addHelpText("after", HELP).action(() => end(runToolboxCommand(world.environment.TOOLBOX_ACTION)));
};

const HELP = `
TOOLBOX_ACTION says what to do: describe prints what the tool takes, execute reads one question as JSON from
stdin and prints it with numbered options. Either way stdout is one line of JSON; exit code 0, or 1 for an
error. The command ask_user does the same.

Example:
  $ printf '%s' '{"question":"Q?","options":["A","B"]}' | TOOLBOX_ACTION=execute askline toolbox
`;

// More than any input that could be valid.
const MOST_BYTES = 4_194_304;

/**
 * `askline toolbox` and `ask_user`: one line of JSON on stdout, always. Reads and writes the descriptors
 * directly, because opening Node's standard streams costs more than all the rest.
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
      throw new Error(`the input on stdin is larger than ${MOST_BYTES} bytes; send less`);
    chunks.push(chunk.subarray(0, count));
  }
}

/** False where nobody is left to read it. */
function writeStdout(text: string): boolean {
  const bytes = Buffer.from(text);
  try {
    for (let at = 0; at < bytes.length; ) at += retry(() => writeSync(1, bytes, at));
    return true;
  } catch {
    return false;
  }
}

/** A descriptor that somebody else made non-blocking says so instead of waiting: then wait for it here. */
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
