import type { World } from "./world.js";
import { writeAll } from "./write-all.js";

/** Writes a result to stdout: as one line of JSON where that was asked for, else as text that is safe to show. */
export async function print(
  world: World,
  json: boolean | undefined,
  value: unknown,
  text: () => string,
): Promise<void> {
  await writeAll(world.stdout, `${json ? JSON.stringify(value) : text()}\n`);
}

/** The width to fit text into; undefined where stdout is no terminal, and nothing is cut. */
export function columnsOf({ stdout }: World): number | undefined {
  return stdout.isTTY ? (stdout.columns ?? 80) : undefined;
}
