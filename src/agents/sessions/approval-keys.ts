// The approval key of the nth request in a session's log is `<session>_<n>`. After a transcript is removed, numbering
// continues above the old numbers, so an old key never names a new request.

import type { Ask } from "../../core/model/ask.js";
import { AsklineError } from "../../core/model/error.js";
import { beginEntries, endEntries, transcriptOf } from "../../hub/records/transcripts.js";
import type { Hub } from "../../hub/seam/port.js";
import { approvalKeyOf, approvalNumberOf } from "../shapes/stream/events.js";
import { entriesFrom, readerAt, readerBeforeRequest } from "./checkpoints.js";
import { findHead } from "./read-transcript.js";
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
  const head = await findHead(hub, sessionId);
  if (head === undefined) return undefined;
  try {
    // The log is indexed by subject: only what stands between a checkpoint and the entry is read.
    const query = { after: head.position, limit: 1, subject: id };
    const [asked] = await hub.logs.read(transcriptOf(sessionId), query);
    if (asked === undefined) return undefined;
    const start = await readerAt(hub, head, asked.position - 1);
    for await (const { position, read } of entriesFrom(hub, head, start)) {
      if (position < asked.position) continue;
      const number = read?.placement.number;
      return number === undefined ? undefined : approvalKeyOf(sessionId, number);
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
  const head = number === undefined ? undefined : await findHead(hub, sessionId);
  if (head !== undefined && number !== undefined) {
    const start = await readerBeforeRequest(hub, head, number);
    for await (const { read } of entriesFrom(hub, head, start)) {
      if (read?.entry.type === "asked" && read.placement.number === number) return read.entry.askId;
    }
  }
  throw new AsklineError(
    "not_found",
    `this session has no request "${approvalKey}"; use the approval_key of an approval_request`,
  );
}
