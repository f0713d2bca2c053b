import { isRecord } from "../../core/index.js";
import { SERVER_LIMITS, type ServerLimits } from "../../server/limits.js";
import { CommandError } from "../command-error.js";
import { nearest } from "../nearest.js";

const NAMES = Object.keys(SERVER_LIMITS);
const LARGEST = 1_000_000_000;

/** Limits as `name=number`: flags that were repeated, one text with commas, or an object in a file. */
export function readLimits(
  given: { readonly value: unknown; readonly source: string } | undefined,
): ServerLimits {
  if (given === undefined) return {};
  const { value, source } = given;
  const pairs = isRecord(value) ? Object.entries(value) : pairsOf(value, source);
  return Object.fromEntries(
    pairs.map(([name, number]) => [readName(name, source), readNumber(name, number, source)]),
  );
}

function pairsOf(value: unknown, source: string): readonly (readonly [string, unknown])[] {
  const items: readonly unknown[] =
    typeof value === "string" ? value.split(",") : Array.isArray(value) ? value : [undefined];
  return items.map((item) => {
    const [, name, number] = (typeof item === "string" && /^\s*(\w+)\s*=\s*(\S*)\s*$/.exec(item)) || [];
    if (name === undefined) throw new CommandError(`${source} must name limits like tokenRate=100`);
    return [name, number] as const;
  });
}

function readName(name: string, source: string): string {
  if (NAMES.includes(name)) return name;
  const meant = nearest(name, NAMES);
  const hint = meant === undefined ? "docs/limits.md has them all" : `did you mean "${meant}"?`;
  throw new CommandError(`${source} has an unknown limit "${name}"; ${hint}`);
}

function readNumber(name: string, value: unknown, source: string): number {
  const text = typeof value === "number" ? String(value) : value;
  const number = typeof text === "string" && /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= 1 && number <= LARGEST) return number;
  throw new CommandError(`${source}: the limit ${name} must be a whole number from 1 to ${LARGEST}`);
}
