import { LIMITS } from "../../core/index.js";
import { CommandError } from "../world/exit.js";

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds for `500ms`, `30s`, `5m`, `2h`, `1d`, or `30` (seconds); undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const [, number = "", unit = ""] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text.trim()) ?? [];
  const milliseconds = Math.round(Number(number) * (UNITS[unit] ?? 1_000));
  return number !== "" && milliseconds >= 1 && milliseconds <= LIMITS.durationMs ? milliseconds : undefined;
}

/** The duration in a flag, or an error that says how to write one. */
export function requireDuration(flag: string, text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds !== undefined) return milliseconds;
  throw new CommandError(`${flag} "${text}" is not a duration; write it like 500ms, 30s, 5m, 2h or 30d`);
}

const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** A time in the past: a duration ago (`90d`) or a date (`2026-01-31` in UTC, or with time and zone). */
export function requirePast(flag: string, text: string, now: number): number {
  const given = text.trim();
  // A number without a unit would be seconds, but somebody who writes 90 may mean days.
  const ago = /\d$/.test(given) ? undefined : parseDuration(given);
  const time = ago === undefined ? (DATE.test(given) ? Date.parse(given) : Number.NaN) : now - ago;
  if (Number.isNaN(time)) {
    throw new CommandError(`${flag} "${text}" is not a time; write it like 90d, 12h or 2026-01-31`);
  }
  if (time > now) throw new CommandError(`${flag} "${text}" is in the future; give a time in the past`);
  return time;
}
