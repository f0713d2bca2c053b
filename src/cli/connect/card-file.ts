// The card for MCP hosts, which the package has as a file.

import { readFile } from "node:fs/promises";
import { CommandError, FAULT_EXIT_CODE } from "../world/exit.js";

/** From a bundled command, from one of its chunks, and from the sources. */
const PLACES = ["../people/web/", "../../people/web/", "../../../dist/people/web/"];

let reading: Promise<string> | undefined;

export function readCardFile(): Promise<string> {
  reading ??= read();
  return reading;
}

async function read(): Promise<string> {
  for (const place of PLACES) {
    const text = await readFile(new URL(`${place}card.html`, import.meta.url), "utf8").catch(() => undefined);
    if (text !== undefined) return text;
  }
  throw new CommandError("the package lacks web/card.html; install it again", FAULT_EXIT_CODE);
}
