import { createHmac, randomBytes } from "node:crypto";
import { sha256 } from "../../hub/seam/sha256.js";
import type { RecordStore } from "../../hub/seam/store.js";

/** 256 random bits as text for a URL, a header or a cookie. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** The stored form of a secret. 256 random bits cannot be guessed, so the hash needs neither salt nor slowness. */
export function hashSecret(secret: string): string {
  return sha256(secret);
}

const NAMESPACE = "secret";
const KEY = "links";

/** Signs a text with a key that all processes over one store share. Texts for different purposes must differ. */
export type Sign = (text: string) => Promise<string>;

export function createSigner(records: RecordStore): Sign {
  let secret: Promise<string> | undefined;
  return async (text) => {
    secret ??= sharedSecret(records);
    // Do not cache a failed read.
    secret.catch(() => {
      secret = undefined;
    });
    return createHmac("sha256", await secret)
      .update(text)
      .digest("base64url");
  };
}

/** The first process writes it; the others read it. */
async function sharedSecret(records: RecordStore): Promise<string> {
  const wanted = newSecret();
  const put = await records.put(NAMESPACE, KEY, wanted, { expect: null });
  return put.ok || put.current === undefined ? wanted : String(put.current.value);
}
