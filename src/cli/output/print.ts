import type { Writable } from "node:stream";
import { displayJson } from "../../core/text/display.js";
import { CommandError, FAULT_EXIT_CODE } from "../world/exit.js";
import type { World } from "../world/world.js";

/** Writes a result to stdout, as one line of JSON or as text that is safe to show. */
export async function print(
  world: World,
  json: boolean | undefined,
  value: unknown,
  text: () => string,
): Promise<void> {
  await writeAll(world.stdout, `${json ? jsonText(value, world.stdout) : text()}\n`);
}

/**
 * One line of JSON. At a terminal, characters that could control it or reorder the line are written as JSON escapes:
 * the same value for a program, harmless on a screen.
 */
export function jsonText(value: unknown, { isTTY = false }: { readonly isTTY?: boolean }): string {
  const text = JSON.stringify(value);
  return isTTY ? displayJson(text) : text;
}

/** The width of the terminal; undefined if stdout is not a terminal, so that nothing is cut. */
export function columnsOf({ stdout }: World): number | undefined {
  return stdout.isTTY ? (stdout.columns ?? 80) : undefined;
}

/** Writes a result. A failed write is an error: the caller must not continue as if it had the result. */
export async function writeAll(output: Writable, text: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const fail = (error: Error): void => {
      reject(
        new CommandError(`could not write the result (${error.message})`, FAULT_EXIT_CODE, {
          cause: error,
        }),
      );
    };
    // Never removed: some streams report one failed write twice.
    output.on("error", fail);
    output.write(text, (error) => {
      if (error) fail(error);
      else resolve();
    });
  });
}
