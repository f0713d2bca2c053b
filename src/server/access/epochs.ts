// The epoch of a person: a number that all credentials of the person carry. Raising it ends every token, code, cookie
// and signed link that was made before, in one write.

import { systemEntry } from "../../hub/records/system-log.js";
import { PERSON_EPOCH_NAMESPACE as NAMESPACE, type RecordStore } from "../../hub/seam/store.js";

/** A change in another process takes effect after this time at the latest. */
const REMEMBER_MS = 500;
const MOST_REMEMBERED = 1_000;

export interface Epochs {
  /** The current epoch, for a new credential; 0 until it is first raised. */
  current(person: string): Promise<number>;
  /** Whether credentials of this epoch are still valid. Synchronous if it was looked up a moment ago. */
  isCurrent(person: string, epoch: number | undefined): boolean | Promise<boolean>;
  /** `by` revokes the person. */
  raise(person: string, by?: string): Promise<void>;
}

export function createEpochs(records: RecordStore, now: () => number): Epochs {
  const remembered = new Map<string, { readonly epoch: number; readonly until: number }>();

  const current = async (person: string): Promise<number> => {
    const epoch = epochIn(await records.get(NAMESPACE, person));
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    remembered.set(person, { epoch, until: now() + REMEMBER_MS });
    return epoch;
  };

  return {
    current,
    isCurrent(person, epoch = 0) {
      const known = remembered.get(person);
      if (known !== undefined && known.until > now()) return known.epoch === epoch;
      return current(person).then((found) => found === epoch);
    },
    async raise(person, by) {
      const append = [systemEntry("person.revoked", person, { by })];
      for (;;) {
        const record = await records.get(NAMESPACE, person);
        const expect = record?.version ?? null;
        const { ok } = await records.put(NAMESPACE, person, epochIn(record) + 1, { expect, append });
        if (ok) break;
      }
      remembered.delete(person);
    },
  };
}

/** Only this file writes these records. */
function epochIn(record: { readonly value: unknown } | undefined): number {
  return record === undefined ? 0 : (record.value as number);
}
