import { deepFreeze } from "../../core/kit/json.js";

/**
 * Data as it is now, for good: itself where it is frozen, as everything that was parsed is, or else a frozen
 * copy. A durable store writes down what it is given; this one must not keep what its caller can still change.
 */
export function snapshot<T>(value: T): T {
  return Object.isFrozen(value) ? value : deepFreeze(structuredClone(value));
}
