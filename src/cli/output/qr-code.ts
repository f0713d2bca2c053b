import type { World } from "../world/world.js";

/** Draws on stderr, so that stdout has the link alone. White on black whatever the theme: phones expect dark on light. */
export async function drawCode(
  link: string,
  { stderr, environment }: Pick<World, "stderr" | "environment">,
): Promise<void> {
  const { renderUnicodeCompact } = await import("uqr");
  const lines = renderUnicodeCompact(link, { ecc: "L", border: 2 }).split("\n");
  const width = Math.max(...lines.map((line) => line.length));
  if (stderr.columns !== undefined && stderr.columns < width) {
    stderr.write(`askline: the QR code needs ${width} columns; make the terminal wider\n`);
    return;
  }
  const isPlain = !stderr.isTTY || environment.TERM === "dumb";
  stderr.write(`${lines.map((line) => (isPlain ? line : `\x1b[97;40m${line}\x1b[0m`)).join("\n")}\n`);
}
