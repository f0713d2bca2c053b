import { AsklineError } from "../../core/index.js";
import type { RecordStore, StoredRecord } from "../../hub/index.js";
import { createAuth } from "../../server/index.js";
import type { CredentialRole } from "../remote/credentials.js";
import type { StoreContents } from "./examined-store.js";

/** Whether a store that is only looked at knows a token, of this role and still good. */
export async function isTokenOf(
  role: CredentialRole,
  token: string,
  contents: StoreContents,
  now: number,
): Promise<boolean> {
  const auth = createAuth({ records: readOnlyRecords(contents), now: () => now });
  return (await auth.verifyToken(token))?.role === role;
}

function readOnlyRecords(contents: StoreContents): RecordStore {
  const refuse = (): never => {
    throw new AsklineError("unsupported", "this store is only looked at");
  };
  return {
    async get(namespace, key) {
      const value = await contents.record(namespace, key);
      return value === undefined ? undefined : ({ key, value, version: 1 } as StoredRecord);
    },
    put: async () => refuse(),
    delete: async () => refuse(),
    list: async () => refuse(),
    claim: async () => refuse(),
  };
}
