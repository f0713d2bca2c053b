// The key of a prompt: what makes it the same prompt when it comes again, and a round. An answer counts for one prompt,
// so an equal prompt later, or at the same time, is another ask: it has the next round. A round that was not used is
// found again after a restart, with the answer that came meanwhile.

import { canonicalJson, type Json } from "../../core/index.js";
import { keepNewest } from "../../core/kit/tools.js";

export interface Round {
  readonly key: string;
  /** Its answer was handed out: an equal prompt never gets it again. */
  used(): Promise<void>;
  /** Nobody waits for it here any more. */
  free(): void;
}

export interface Rounds {
  /** The first round of a prompt that was not used, and that nobody waits for here. */
  take(prompt: string): Promise<Round>;
}

/** Where the number of used rounds of a prompt is kept. */
export interface UsedRounds {
  get(prompt: string): Promise<number> | number;
  set(prompt: string, used: number): Promise<void> | void;
}

const REMEMBERED = 1_000;

/** Of this process by default: the next one begins again, so it finds the asks that outlived this one. */
export function createRounds(kept: UsedRounds = inMemory()): Rounds {
  const live = new Set<string>();
  return {
    async take(prompt) {
      let round = await kept.get(prompt);
      while (live.has(keyOf(prompt, round))) round += 1;
      const key = keyOf(prompt, round);
      live.add(key);
      return {
        key,
        // Of two equal prompts, the later may be answered first.
        used: async () => kept.set(prompt, Math.max(round + 1, await kept.get(prompt))),
        free: () => void live.delete(key),
      };
    },
  };
}

/** For prompts with an id of their own: there is one ask, which everybody who sends the prompt waits for. */
export const ONE_ROUND: Rounds = {
  take: async (prompt) => ({ key: prompt, used: async () => undefined, free: () => undefined }),
};

/** Equal values have equal digests. */
export async function digestOf(parts: readonly Json[]): Promise<string> {
  const bytes = new TextEncoder().encode(canonicalJson(parts as Json));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function keyOf(prompt: string, round: number): string {
  return round === 0 ? prompt : `${prompt}:${round}`;
}

function inMemory(): UsedRounds {
  const rounds = new Map<string, number>();
  return {
    get: (prompt) => rounds.get(prompt) ?? 0,
    set(prompt, used) {
      rounds.set(prompt, used);
      keepNewest(rounds, REMEMBERED);
    },
  };
}
