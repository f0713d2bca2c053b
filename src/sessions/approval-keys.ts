// The approval key of the nth request in a session's log is `<session>_<n>`. After a transcript is removed, numbering
// continues above the old numbers, so an old key never names a new request.

import { type Ask, AsklineError } from "../core/index.js";
import { approvalKeyOf, approvalNumberOf } from "../dialects/stream/index.js";
import { type Hub, transcriptOf } from "../hub/index.js";
import { beginEntries, endEntries } from "../hub/records/transcripts.js";
import { createTranscriptReader, pagesOf } from "./read-transcript.js";
import { onceIn, reopenIfRemoved, writeInto } from "./session-head.js";
import type { SessionHead } from "./transcript.js";

/**
 * Undefined if the ask belongs to this transcript but has no entry in it. Throws `key_conflict` if the ask belongs to
 * another transcript.
 */
export async function approvalKeyOfAsk(
  hub: Hub,
  sessionId: string,
  { id, transcript, key }: Ask,
): Promise<string | undefined> {
  if (transcript !== transcriptOf(sessionId)) {
    throw new AsklineError(
      "key_conflict",
      `the key "${key}" was already used for an ask outside this session; use another key`,
    );
  }
  try {
    for await (const [number, askId] of requestsOf(hub, sessionId)) {
      if (askId === id) return approvalKeyOf(sessionId, number);
    }
  } catch (error) {
    // The transcript was removed during the read.
    if (!(error instanceof AsklineError && error.code === "not_found")) throw error;
  }
  return undefined;
}

/**
 * Writes the entries of an ask that was stored while its transcript was being removed. Without them no approval key
 * would ever name the ask.
 */
export async function writeAskEntries(hub: Hub, seen: SessionHead, ask: Ask): Promise<string> {
  const { outcome } = ask;
  const entries = [...beginEntries(ask), ...(outcome === undefined ? [] : endEntries(ask, outcome))];
  await writeInto(hub, await reopenIfRemoved(hub, seen), (head) =>
    hub.logs.append(entries, { once: onceIn(head, `asked/${ask.id}`) }),
  );
  const approvalKey = await approvalKeyOfAsk(hub, seen.sessionId, ask);
  if (approvalKey !== undefined) return approvalKey;
  throw new AsklineError(
    "not_found",
    `the session ${seen.sessionId} was removed; ask again with the same key`,
  );
}

/** The id of the ask that an approval key names; throws `not_found` for an unknown key. */
export async function askIdOfKey(hub: Hub, sessionId: string, approvalKey: string): Promise<string> {
  const number = approvalNumberOf(sessionId, approvalKey);
  for await (const [known, id] of requestsOf(hub, sessionId)) if (known === number) return id;
  throw new AsklineError(
    "not_found",
    `this session has no request "${approvalKey}"; use the approval_key of an approval_request`,
  );
}

async function* requestsOf(
  hub: Hub,
  sessionId: string,
): AsyncGenerator<readonly [number: number, askId: string], void, void> {
  const reader = createTranscriptReader();
  for await (const { entries } of pagesOf(hub, transcriptOf(sessionId))) {
    for (const logged of entries) {
      const read = reader.take(logged);
      if (read?.entry.type === "asked" && read.placement.number !== undefined)
        yield [read.placement.number, read.entry.askId];
    }
  }
}
