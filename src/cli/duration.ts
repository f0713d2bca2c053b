import { LIMITS } from "../core/index.js";
import { CommandError } from "./command-error.js";

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of `500ms`, `30s`, `5m`, `2h`, `1d` or, in seconds, `30`; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const [, number = "", unit = ""] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text.trim()) ?? [];
  const milliseconds = Math.round(Number(number) * (UNITS[unit] ?? 1_000));
  return number !== "" && milliseconds >= 1 && milliseconds <= LIMITS.durationMs ? milliseconds : undefined;
}

/** The duration that a flag gives, or an error that says how to write one. */
export function requireDuration(flag: string, text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds !== undefined) return milliseconds;
  throw new CommandError(`${flag} "${text}" is no duration; write it like 500ms, 30s, 5m, 2h or 30d`);
}
