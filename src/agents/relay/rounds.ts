// The key of a prompt: what makes it the same prompt when it comes again, and a round. An answer counts for one prompt,
// so an equal prompt later, or at the same time, is another ask: it has the next round. A round that was not used is
// found again after a restart, with the answer that came meanwhile.

import { canonicalJson, type Json } from "../../core/kit/json.js";
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
  /** The first round that was not used, for whoever looks for its ask. */
  current(prompt: string): Promise<Pick<Round, "key" | "used">>;
}

/** Where the number of used rounds of a prompt is kept. */
export interface UsedRounds {
  get(prompt: string): Promise<number>;
  set(prompt: string, used: number): Promise<void>;
}

const REMEMBERED = 1_000;

/** Without `kept`, of this process: the next one begins again, so it finds the asks that outlived this one. */
export function createRounds(kept?: UsedRounds): Rounds {
  const live = new Set<string>();
  const known = new Map<string, number>();
  const usedOf = async (prompt: string, least = 0): Promise<number> => {
    const stored = (await kept?.get(prompt)) ?? 0;
    // Of two equal prompts, the later may be answered first, and both at once.
    const used = Math.max(stored, known.get(prompt) ?? 0, least);
    if (least > 0) known.set(prompt, used);
    return used;
  };
  const roundOf = (prompt: string, round: number): Pick<Round, "key" | "used"> => ({
    key: round === 0 ? prompt : `${prompt}:${round}`,
    async used() {
      const used = await usedOf(prompt, round + 1);
      keepNewest(known, REMEMBERED);
      await kept?.set(prompt, used);
    },
  });
  return {
    async take(prompt) {
      let count = await usedOf(prompt);
      while (live.has(roundOf(prompt, count).key)) count += 1;
      const round = roundOf(prompt, count);
      live.add(round.key);
      return { ...round, free: () => void live.delete(round.key) };
    },
    current: async (prompt) => roundOf(prompt, await usedOf(prompt)),
  };
}

/** For prompts with an id of their own: there is one ask, which everybody who sends the prompt waits for. */
export const ONE_ROUND: Rounds = {
  take: async (key) => ({ key, used: async () => undefined, free: () => undefined }),
  current: async (key) => ({ key, used: async () => undefined }),
};

/** What a prompt is called in its keys. */
export async function promptName(agent: string, identity: readonly Json[]): Promise<string> {
  return `${agent}:${await digestOf(identity)}`;
}

/** Equal values have equal digests. */
export async function digestOf(parts: readonly Json[]): Promise<string> {
  const bytes = new TextEncoder().encode(canonicalJson(parts as Json));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
