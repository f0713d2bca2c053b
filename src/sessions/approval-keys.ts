// The nth request of a session is the nth in its log: `<session>_<n>`. After a transcript was removed they go on with
// greater numbers: a key of before names none.

import { type Ask, AsklineError } from "../core/index.js";
import { approvalKeyOf, approvalNumberOf } from "../dialects/stream/index.js";
import { type Hub, transcriptOf } from "../hub/index.js";
import { beginEntries, endEntries } from "../hub/transcript-entries.js";
import { createReading, pagesOf } from "./read-transcript.js";
import { onceIn, stillOpen, writeInto } from "./session-head.js";
import type { SessionHead } from "./transcript.js";

/**
 * Throws `key_conflict` for an ask of another transcript than this session's; undefined where it should be in there
 * and is not.
 */
export async function approvalKeyOfAsk(
  hub: Hub,
  sessionId: string,
  { id, transcript, key }: Ask,
): Promise<string | undefined> {
  if (transcript !== transcriptOf(sessionId)) {
    throw new AsklineError(
      "key_conflict",
      `the key "${key}" was used for an ask outside of this session's transcript`,
    );
  }
  try {
    for await (const [number, askId] of requestsOf(hub, sessionId)) {
      if (askId === id) return approvalKeyOf(sessionId, number);
    }
  } catch (error) {
    // Removed while it was being read.
    if (!(error instanceof AsklineError && error.code === "not_found")) throw error;
  }
  return undefined;
}

/**
 * Writes into the transcript that this was asked: it was stored while the transcript was being removed. Without it no
 * approval key would name the ask, and asking with its key again would find it so for ever.
 */
export async function placeAsk(hub: Hub, seen: SessionHead, ask: Ask): Promise<string> {
  const { outcome } = ask;
  const entries = [...beginEntries(ask), ...(outcome === undefined ? [] : endEntries(ask, outcome))];
  await writeInto(hub, await stillOpen(hub, seen), (head) =>
    hub.logs.append(entries, { once: onceIn(head, `asked/${ask.id}`) }),
  );
  const approvalKey = await approvalKeyOfAsk(hub, seen.sessionId, ask);
  if (approvalKey !== undefined) return approvalKey;
  throw new AsklineError(
    "not_found",
    `the session ${seen.sessionId} was removed; ask again with the same key`,
  );
}

/** The id of the ask that an approval key names; throws `not_found` where it names none. */
export async function askIdOfKey(hub: Hub, sessionId: string, approvalKey: string): Promise<string> {
  const number = approvalNumberOf(sessionId, approvalKey);
  for await (const [known, id] of requestsOf(hub, sessionId)) if (known === number) return id;
  throw new AsklineError(
    "not_found",
    `there is no request "${approvalKey}" in this session; use the approval_key of its approval_request`,
  );
}

async function* requestsOf(
  hub: Hub,
  sessionId: string,
): AsyncGenerator<readonly [number: number, askId: string], void, void> {
  const reading = createReading();
  for await (const entries of pagesOf(hub, transcriptOf(sessionId))) {
    for (const logged of entries) {
      const read = reading.take(logged);
      if (read?.entry.type === "asked" && read.placed.number !== undefined)
        yield [read.placed.number, read.entry.askId];
    }
  }
}
