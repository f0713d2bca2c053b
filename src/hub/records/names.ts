// The names that devices of the gateway know asks by. docs/decisions/0012 has the reasons.

import type { Store, StoredRecord } from "../seam/store.js";
import { allRecords } from "../seam/store-kit.js";
import { createdAtOf } from "./touches.js";

/** Records from a name to the id of its ask. */
export const NAME_NAMESPACE = "gateway.name";

/** How long a name still means an ask that was removed: a device may send an old answer again. */
const KEPT_MS = 30 * 86_400_000;
const BATCH = 500;

/** Lets the names of removed asks expire. Call it when asks that had ended before a time have been removed. */
export async function expireNames(store: Store, settledBefore: number): Promise<void> {
  const { asks, records } = store;
  const gone: StoredRecord[] = [];
  const expire = async (): Promise<void> => {
    const expiresAt = store.now() + KEPT_MS;
    // An import may have brought the ask back meanwhile, and has then written the record.
    const put = ({ key, value, version }: StoredRecord): Promise<unknown> =>
      records.put(NAME_NAMESPACE, key, value, { expect: version, expiresAt });
    await Promise.all(gone.splice(0).map(put));
  };
  for await (const record of allRecords(records, NAME_NAMESPACE)) {
    const { value, expiresAt } = record;
    // Most asks are still there because they are too new to have been removed: their ids say so.
    if (expiresAt !== undefined || typeof value !== "string" || createdAtOf(value) >= settledBefore) continue;
    if ((await asks.get(value)) === undefined && gone.push(record) >= BATCH) await expire();
  }
  await expire();
}
