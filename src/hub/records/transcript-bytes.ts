// How many bytes of transcripts each agent has stored. They are counted here and saved a part at a time, so that an
// entry costs no second write; a crash forgets the part that was not saved.

import { isRecord, type Json } from "../../core/kit/json.js";
import { AsklineError } from "../../core/model/error.js";
import { type Asker, askerIdentity } from "../../core/model/visibility.js";
import type { LogEntry, Store } from "../seam/store.js";

const NAMESPACE = "transcript-bytes";
const SAVED_AT = 256 * 1024;
const READ_MS = 1_000;
const MOST_KNOWN = 10_000;
/** What an entry takes beside its data. */
const ENTRY_BYTES = 100;

export interface TranscriptBytes {
  /** What is known here, without a read: 0 for an agent that has written no transcript since the hub was opened. */
  known(asker: string): number;
  /** Rejects with `quota_exceeded` if the agent may not store these entries. */
  require(by: Asker, entries: readonly Data[]): Promise<void>;
  /** The entries were stored. */
  add(by: Asker, entries: readonly Data[]): Promise<void>;
}

type Data = Pick<LogEntry, "data">;

export function createTranscriptBytes(store: Store, limit: number, onRefused: () => void): TranscriptBytes {
  const known = new Map<string, { readonly saved: number; readonly asks: number; readonly readAt: number }>();
  const unsaved = new Map<string, number>();
  const read = async (asker: string): Promise<number> => {
    let usage = known.get(asker);
    if (usage === undefined || store.now() - usage.readAt >= READ_MS) {
      const [saved, { bytes }] = await Promise.all([savedBytes(store, asker), store.asks.usage(asker)]);
      if (known.size >= MOST_KNOWN) known.clear();
      usage = { saved, asks: bytes, readAt: store.now() };
      known.set(asker, usage);
    }
    return usage.asks + usage.saved + (unsaved.get(asker) ?? 0);
  };
  return {
    known: (asker) => (known.get(asker)?.saved ?? 0) + (unsaved.get(asker) ?? 0),
    async require(by, entries) {
      const asker = askerIdentity(by);
      if (asker === undefined) return;
      const [stored, size] = [await read(asker), bytesOf(entries)];
      if (stored + size <= limit) return;
      onRefused();
      throw new AsklineError(
        "quota_exceeded",
        `the agent ${JSON.stringify(by.asker)} has ${stored} bytes of asks and transcripts stored, this has ${size}, and it may have ${limit}: prune old ones, or raise the limit storedBytes`,
      );
    },
    async add(by, entries) {
      const asker = askerIdentity(by);
      if (asker === undefined) return;
      const bytes = (unsaved.get(asker) ?? 0) + bytesOf(entries);
      unsaved.set(asker, bytes);
      if (bytes < Math.min(SAVED_AT, limit / 16)) return;
      unsaved.delete(asker);
      await change(store, asker, bytes);
      known.delete(asker);
    },
  };
}

/** A count of the entries of a transcript that is about to be removed; `release` subtracts it once they are gone. */
export function countRemoved(store: Store): { add(entry: LogEntry): void; release(): Promise<void> } {
  let asker: string | undefined;
  let bytes = 0;
  return {
    add(entry) {
      const { type, data } = entry;
      if (!isRecord(data)) return;
      if (type === "opened") asker = askerIdentity(data as Asker);
      if (type === "opened" || (isRecord(data.by) && data.by.kind === "agent")) bytes += bytesOf([entry]);
    },
    release: async () => (asker === undefined ? undefined : change(store, asker, -bytes)),
  };
}

function bytesOf(entries: readonly Data[]): number {
  const size = (data: Json | undefined): number => Buffer.byteLength(JSON.stringify(data ?? null));
  return entries.reduce((sum, { data }) => sum + ENTRY_BYTES + size(data), 0);
}

async function savedBytes({ records }: Store, asker: string): Promise<number> {
  return Number((await records.get(NAMESPACE, keyOf(asker)))?.value ?? 0);
}

async function change({ records }: Store, asker: string, bytes: number): Promise<void> {
  const key = keyOf(asker);
  for (;;) {
    const record = await records.get(NAMESPACE, key);
    const value = Math.max(0, Number(record?.value ?? 0) + bytes);
    if (record === undefined && value === 0) return;
    if ((await records.put(NAMESPACE, key, value, { expect: record?.version ?? null })).ok) return;
  }
}

/** The key of a record has no control characters. */
function keyOf(asker: string): string {
  return encodeURIComponent(asker);
}
