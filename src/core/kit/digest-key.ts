import { canonicalJson, type Json } from "./json.js";

/** A key for a request that has no id of its own: equal parts give the same key. */
export async function digestKey(prefix: string, parts: readonly Json[]): Promise<string> {
  const bytes = new TextEncoder().encode(canonicalJson(parts as Json));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const hex = Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${prefix}:${hex}`;
}
