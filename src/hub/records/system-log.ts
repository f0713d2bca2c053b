// The audit of the system: who signed in, which tokens and rules were made and ended, what was exported, and how servers
// were started. It has no secrets, and nothing removes it.

import type { Json, JsonObject } from "../../core/kit/json.js";
import { defined } from "../../core/kit/tools.js";
import type { LogAppend, RecordStore } from "../seam/store.js";

export const SYSTEM_LOG = "system";

export type SystemEventType =
  | "token.created"
  | "token.revoked"
  | "person.signed_in"
  | "person.signed_out"
  | "person.revoked"
  | "rule.made"
  | "rule.revoked"
  | "asks.exported"
  | "server.started";

/** In `data`, `by` is who did it. */
export function systemEntry(
  type: SystemEventType,
  subject: string | undefined,
  data: Readonly<Record<string, Json | undefined>>,
): LogAppend {
  return { log: SYSTEM_LOG, type, ...defined({ subject }), data: defined(data) as JsonObject };
}

/** Deletes a record and writes what that means, in one transaction. Returns its value, if this call deleted it. */
export async function endRecord(
  records: RecordStore,
  [namespace, key]: readonly [namespace: string, key: string],
  now: number,
  entryOf: (value: Json) => LogAppend,
): Promise<Json | undefined> {
  for (;;) {
    const record = await records.get(namespace, key);
    if (record === undefined) return undefined;
    // A record that has expired does not exist.
    const options = { expect: record.version, expiresAt: now, append: [entryOf(record.value)] };
    if ((await records.put(namespace, key, null, options)).ok) return record.value;
  }
}
