// Signed texts that travel through a client and come back: the `requestState` of a form, and the token of a card. What
// comes back is input from outside: it counts only with our signature, for the ask and the call it was made for, in its
// time, and once.

import { createRequestStateCodec } from "@modelcontextprotocol/server";
import { randomId } from "../../client/random-id.js";
import { isRecord } from "../../core/kit/json.js";
import { keepNewest } from "../../core/kit/tools.js";

export interface SignedState {
  readonly for: "form" | "card";
  readonly ask: string;
  /** The hash of the tool and its arguments, for a form. */
  readonly call?: string;
}

export interface ReadState extends SignedState {
  readonly id: string;
  readonly isUsed: boolean;
}

export interface States {
  sign(state: SignedState): Promise<string>;
  /** Undefined for a text that we did not sign, or that is too old. */
  read(text: unknown): Promise<ReadState | undefined>;
  /** Marks it as used. */
  use(id: string): void;
}

/** A person may leave a form open overnight. */
const LIFE_SECONDS = 24 * 60 * 60;
const MOST_USED = 10_000;

/** `secret`: the same for every process that may get a text back; of this process alone by default. */
export function createStates(secret: string | undefined): States {
  const key =
    secret === undefined ? crypto.getRandomValues(new Uint8Array(32)) : `askline mcp states ${secret}`;
  const codec = createRequestStateCodec<unknown>({ key, ttlSeconds: LIFE_SECONDS });
  const used = new Map<string, true>();
  return {
    sign: (state) => codec.mint({ ...state, id: randomId("state") }),
    async read(text) {
      if (typeof text !== "string" || text.length > 4_096) return undefined;
      const state = await codec.verify(text, undefined as never).catch(() => undefined);
      if (!isRecord(state) || typeof state.id !== "string") return undefined;
      return { ...(state as unknown as SignedState), id: state.id, isUsed: used.has(state.id) };
    },
    use(id) {
      used.set(id, true);
      keepNewest(used, MOST_USED);
    },
  };
}
