import { durationMs } from "../../core/kit/duration.js";
import { LIMITS } from "../../core/kit/limits.js";
import { CommandError } from "../world/exit.js";

/** Milliseconds for `500ms`, `30s`, `5m`, `2h`, `1d`, or `30` (seconds); undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const milliseconds = durationMs(text);
  if (milliseconds === undefined || milliseconds < 1 || milliseconds > LIMITS.durationMs) return undefined;
  return milliseconds;
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
