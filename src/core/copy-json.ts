import { isRecord, type Json, setOwn } from "./json.js";
import { LIMITS } from "./limits.js";

/**
 * A frozen copy that shares nothing with the input; undefined where the value is no JSON, too deep or too large. What
 * its text takes is taken from `room`.
 */
export function copyJson(value: unknown, room: { left: number }, depth: number): Json | undefined {
  if (depth > LIMITS.jsonDepth) return undefined;
  if (value === null || typeof value === "boolean") room.left -= 5;
  else if (typeof value === "number" && Number.isFinite(value)) room.left -= String(value).length;
  else if (typeof value === "string") room.left -= value.length + 2;
  else if (Array.isArray(value)) {
    const items: Json[] = [];
    for (let index = 0; index < value.length; index += 1) {
      room.left -= 1;
      if (room.left < 0) return undefined;
      const item = copyJson(value[index], room, depth + 1);
      if (item === undefined) return undefined;
      items.push(item);
    }
    return Object.freeze(items);
  } else if (isRecord(value)) {
    const object: Record<string, Json> = {};
    for (const key of Object.keys(value)) {
      const inner = value[key];
      if (inner === undefined) continue;
      room.left -= key.length + 3;
      if (room.left < 0) return undefined;
      const copy = copyJson(inner, room, depth + 1);
      if (copy === undefined) return undefined;
      setOwn(object, key, copy);
    }
    return Object.freeze(object);
  } else return undefined;
  // JSON has no negative zero.
  return room.left < 0 ? undefined : Object.is(value, -0) ? 0 : value;
}
