// Reads JSON input from a file or from stdin.

import type { Readable } from "node:stream";
import { messageOf } from "../../core/kit/tools.js";
import { displayLine } from "../../core/text/display.js";
import { CommandError } from "../world/exit.js";
import type { World } from "../world/world.js";

/** The text of the file that `--file` names. */
export async function readInputFile(path: string, world: Pick<World, "readFile">): Promise<string> {
  try {
    return await world.readFile(path);
  } catch (error) {
    throw new CommandError(`cannot read ${path} (${messageOf(error)}); check --file`, undefined, {
      cause: error,
    });
  }
}

/** Parses JSON. Errors say `what` it is and where it came `from`. */
export function parseInput(text: string, what: string, from: string, nextStep = ""): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    const reason = displayLine(messageOf(error));
    throw new CommandError(`the ${what} from ${from} is not JSON (${reason})${nextStep}`, undefined, {
      cause: error,
    });
  }
}

/** Reads a stream as text; undefined if it is longer than `most` bytes or the signal aborts. */
export async function readAll(
  input: Readable,
  most: number,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  const stop = (): void => {
    input.destroy();
  };
  signal?.addEventListener("abort", stop, { once: true });
  try {
    if (signal?.aborted) return undefined;
    for await (const chunk of input) {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      if (size > most) return undefined;
      chunks.push(bytes);
    }
  } catch (error) {
    if (signal?.aborted) return undefined;
    throw error;
  } finally {
    signal?.removeEventListener("abort", stop);
  }
  return Buffer.concat(chunks).toString();
}
