import { createInterface } from "node:readline";
import type { World } from "../world/world.js";

/** Asks on the terminal. Only y or yes confirms: Enter, the end of the input and Ctrl-C do not. */
export function confirm({ stdin, stderr }: World, question: string): Promise<boolean> {
  return new Promise((resolve) => {
    const lines = createInterface({ input: stdin, output: stderr, terminal: false });
    stderr.write(`${question} [y/N] `);
    let answer = "";
    lines.once("line", (line) => {
      answer = line.trim().toLowerCase();
      lines.close();
    });
    lines.once("close", () => resolve(answer === "y" || answer === "yes"));
  });
}
