import { createInterface } from "node:readline";
import type { World } from "../world.js";

/** Asks on the terminal. Only a clear yes is one: not Enter, not the end of the input, not Ctrl-C. */
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
