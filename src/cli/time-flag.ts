import { CommandError } from "./command-error.js";
import { parseDuration } from "./duration.js";

const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** A moment in the past: so long ago (`90d`), or a date (`2026-01-31`, by UTC, or with time and zone). */
export function requirePast(flag: string, text: string, now: number): number {
  const given = text.trim();
  // A bare number would be seconds, and 90 days are easily meant.
  const ago = /\d$/.test(given) ? undefined : parseDuration(given);
  const time = ago === undefined ? (DATE.test(given) ? Date.parse(given) : Number.NaN) : now - ago;
  if (Number.isNaN(time)) {
    throw new CommandError(`${flag} "${text}" is no time; write it like 90d, 12h or 2026-01-31`);
  }
  if (time > now) throw new CommandError(`${flag} "${text}" is in the future; give a time that has been`);
  return time;
}
