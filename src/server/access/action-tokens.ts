// One-time tokens that settle one ask in one way, for a button in a notification. Only the hash is stored. A token ends
// with its first use, with its person's credentials, and after a week.

import type { Json } from "../../core/kit/json.js";
import { asEnding, type Ending, type EndingType } from "../../core/model/ending.js";
import type { RecordStore } from "../../hub/seam/store.js";
import type { Epochs } from "./epochs.js";
import { hashSecret, newSecret } from "./secrets.js";

const NAMESPACE = "action-token";
const LASTS_MS = 7 * 86_400_000;

export interface TokenAction {
  readonly askId: string;
  readonly person: string;
  readonly surface: string;
  readonly ending: Ending;
}

interface StoredAction extends Omit<TokenAction, "ending"> {
  readonly epoch: number;
  /** Earlier versions stored its type, and the content as `submission`. */
  readonly ending: Ending | EndingType;
  readonly submission?: object;
}

export interface FoundAction extends TokenAction {
  /** The same for each use of the token, so that a repeated request is recognised. */
  readonly settlementId: string;
  /** Ends the token, after its use. */
  end(): Promise<void>;
}

export interface ActionTokens {
  create(action: TokenAction): Promise<string>;
  find(token: string): Promise<FoundAction | undefined>;
}

export function createActionTokens(records: RecordStore, epochs: Epochs, now: () => number): ActionTokens {
  return {
    async create(action) {
      const token = newSecret();
      const value = { ...action, epoch: await epochs.current(action.person) } as unknown as Json;
      await records.put(NAMESPACE, hashSecret(token), value, { expiresAt: now() + LASTS_MS });
      return token;
    },
    async find(token) {
      const key = hashSecret(token);
      const record = await records.get(NAMESPACE, key);
      if (record === undefined) return undefined;
      // Safe to cast: only `create` writes these.
      const { epoch, submission, ...action } = record.value as unknown as StoredAction;
      if (!(await epochs.isCurrent(action.person, epoch))) return undefined;
      const { ending } = action;
      return {
        ...action,
        ending: typeof ending === "string" ? asEnding(ending, submission) : ending,
        settlementId: `action_${key.slice(0, 43)}`,
        async end() {
          await records.delete(NAMESPACE, key);
        },
      };
    },
  };
}
