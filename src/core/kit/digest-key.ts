import { canonicalJson, type Json } from "./json.js";
import { keepNewest } from "./tools.js";

/** A key for a request that has no id of its own: equal parts give the same key. */
export async function digestKey(prefix: string, parts: readonly Json[]): Promise<string> {
  const bytes = new TextEncoder().encode(canonicalJson(parts as Json));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const hex = Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${prefix}:${hex}`;
}

/** Takes a key for a request; `release` gives it back, if the request was not answered. */
export type RequestKeys = (parts: readonly Json[]) => Promise<{ readonly key: string; release(): void }>;

const REMEMBERED = 1_000;

/**
 * Keys for requests that have no id of their own. An answer counts for one request: an equal one later, or at the same
 * time, gets another key. A new process begins again, so it finds the asks that it did not live to see answered.
 */
export function requestKeys(prefix: string): RequestKeys {
  const taken = new Map<string, Set<number>>();
  return async (parts) => {
    const digest = await digestKey(prefix, parts);
    const rounds = taken.get(digest) ?? new Set();
    taken.set(digest, rounds);
    keepNewest(taken, REMEMBERED);
    let round = 0;
    while (rounds.has(round)) round += 1;
    rounds.add(round);
    return { key: round === 0 ? digest : `${digest}:${round}`, release: () => void rounds.delete(round) };
  };
}
