// Signatures as Standard Webhooks (https://www.standardwebhooks.com). One secret per asker for its callbacks, and one
// for the webhooks that have none of their own. After a rotation, messages carry the signatures of the new secret and,
// for a day, of the old one, so that a receiver can change over without losing a message.

import { createHmac, randomBytes } from "node:crypto";
import { isRecord, type Json } from "../../../core/kit/json.js";
import type { RecordStore } from "../../seam/store.js";

const NAMESPACE = "signing-secret";
const OLD_MS = 86_400_000;
const SECRET = /^whsec_[A-Za-z0-9+/]{32,128}={0,2}$/;

export function isSigningSecret(text: string): boolean {
  return SECRET.test(text) && Buffer.from(text.slice(6), "base64").length >= 24;
}

/** The owner of a secret: all webhooks, or one asker. */
export type SecretOwner = "webhooks" | { readonly asker: string };

interface Kept {
  readonly secret: string;
  readonly old?: string;
  readonly oldUntil?: number;
}

/** The current secret, which is made on first use. */
export async function signingSecret(records: RecordStore, owner: SecretOwner): Promise<string> {
  return (await read(records, owner)).secret;
}

/** A new secret. The old one also signs for another day. */
export async function rotateSecret(records: RecordStore, owner: SecretOwner, now: number): Promise<string> {
  for (;;) {
    const record = await records.get(NAMESPACE, keyOf(owner));
    const old = keptIn(record?.value)?.secret;
    const secret = newSecret();
    const kept: Kept = { secret, ...(old !== undefined && { old, oldUntil: now + OLD_MS }) };
    const put = await records.put(NAMESPACE, keyOf(owner), kept as unknown as Json, {
      expect: record?.version ?? null,
    });
    if (put.ok) return secret;
  }
}

/** The secrets that sign a message now. */
export async function secretsOf(
  records: RecordStore,
  owner: SecretOwner,
  now: number,
): Promise<readonly string[]> {
  const { secret, old, oldUntil = 0 } = await read(records, owner);
  return old !== undefined && oldUntil > now ? [secret, old] : [secret];
}

/** The headers of a message. `wallNow` is the wall clock, which receivers compare with their own. */
export function signedHeaders(
  id: string,
  wallNow: number,
  body: string,
  secrets: readonly string[],
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(wallNow / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}

async function read(records: RecordStore, owner: SecretOwner): Promise<Kept> {
  const found = keptIn((await records.get(NAMESPACE, keyOf(owner)))?.value);
  if (found !== undefined) return found;
  const made: Kept = { secret: newSecret() };
  const put = await records.put(NAMESPACE, keyOf(owner), made as unknown as Json, { expect: null });
  return put.ok ? made : (keptIn(put.current?.value) ?? made);
}

function newSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

function keyOf(owner: SecretOwner): string {
  return owner === "webhooks" ? owner : `asker/${encodeURIComponent(owner.asker)}`;
}

function keptIn(value: unknown): Kept | undefined {
  return isRecord(value) && typeof value.secret === "string" ? (value as unknown as Kept) : undefined;
}
