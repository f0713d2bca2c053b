import { deepFreeze } from "../../../core/kit/json.js";
import { AsklineError } from "../../../core/model/error.js";

/** The state that the parts of the memory store share. */
export interface State {
  readonly open: boolean;
  now(): number;
}

export function requireOpen(state: State): void {
  if (!state.open) throw new AsklineError("closed", "the memory store is not open");
}

/**
 * Returns the value itself if it is frozen, as all parsed data is; otherwise a frozen copy. The store must not keep an
 * object that its caller can still change.
 */
export function snapshot<T>(value: T): T {
  return Object.isFrozen(value) ? value : deepFreeze(structuredClone(value));
}

/** Compares like UTF-8 bytes, as databases do. `<` compares UTF-16 units, which differs beyond U+FFFF. */
export function compareCodePoints(one: string, other: string): number {
  const a = Array.from(one, (character) => character.codePointAt(0) ?? 0);
  const b = Array.from(other, (character) => character.codePointAt(0) ?? 0);
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
