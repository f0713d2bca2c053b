import type { Writable } from "node:stream";
import { displayJson } from "../../core/index.js";
import { CommandError, FAULT_EXIT_CODE } from "../world/exit.js";
import type { World } from "../world/world.js";

/** Writes a result to stdout: as one line of JSON where that was asked for, else as text that is safe to show. */
export async function print(
  world: World,
  json: boolean | undefined,
  value: unknown,
  text: () => string,
): Promise<void> {
  await writeAll(world.stdout, `${json ? jsonText(value, world.stdout) : text()}\n`);
}

/**
 * One line of JSON. At a terminal, characters that could steer it or reorder the line are written as JSON escapes:
 * the same value for a program, harmless for a screen.
 */
export function jsonText(value: unknown, { isTTY = false }: { readonly isTTY?: boolean }): string {
  const text = JSON.stringify(value);
  return isTTY ? displayJson(text) : text;
}

/** The width to fit text into; undefined where stdout is no terminal, and nothing is cut. */
export function columnsOf({ stdout }: World): number | undefined {
  return stdout.isTTY ? (stdout.columns ?? 80) : undefined;
}

/** Writes the outcome. One that nobody receives is a fault: the caller must not go on as if it had it. */
export async function writeAll(output: Writable, text: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const fail = (error: Error): void => {
      reject(
        new CommandError(`the outcome could not be written (${error.message})`, FAULT_EXIT_CODE, {
          cause: error,
        }),
      );
    };
    // Stays: some streams report one failed write twice.
    output.on("error", fail);
    output.write(text, (error) => {
      if (error) fail(error);
      else resolve();
    });
  });
}
