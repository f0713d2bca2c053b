import { isName, isStored } from "../../core/read/stored.js";
import type { ArchiveLine } from "./format.js";
import type { ParsedLine } from "./parse-line.js";

export const ASK_ID: RegExp = /^[\w.:-]{1,128}$/;
/** Far more than ever happens to one ask, or is on one line of a transcript. */
const MOST_ITEMS = 10_000;

/** Ends the reading of one line. */
export class Fault extends Error {}

/** The line, or why it is none. */
export function parsedOr(read: () => ArchiveLine): ParsedLine {
  try {
    return { ok: true, line: read() };
  } catch (error) {
    if (error instanceof Fault) return { ok: false, fault: error.message };
    throw error;
  }
}

export function readList(value: unknown, name: string): readonly unknown[] {
  if (Array.isArray(value) && value.length <= MOST_ITEMS) return value;
  throw new Fault(`has no list of ${name}, or one that is too long`);
}

export function readTime(value: unknown): number {
  if (isStored({ kind: "time" }, value)) return value as number;
  throw new Fault("has a time that is none");
}

export function readName(value: unknown, name: string, most: number): string {
  if (isName(value, most)) return value;
  throw new Fault(`has an ${name} that is no name`);
}
