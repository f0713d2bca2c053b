// The nth request of a session is the nth in its log: `<session>_<n>`. After a transcript was removed they go on with
// greater numbers: a key of before names none.

import { type Ask, AsklineError } from "../core/index.js";
import { approvalKeyOf, approvalNumberOf } from "../dialects/stream/index.js";
import { type Hub, transcriptOf } from "../hub/index.js";
import { pagesOf } from "./read-transcript.js";
import { createReading } from "./reading.js";

/** Throws `key_conflict` for an ask that is not in this session's transcript. */
export async function approvalKeyOfAsk(
  hub: Hub,
  sessionId: string,
  { id, transcript, key }: Ask,
): Promise<string> {
  if (transcript === transcriptOf(sessionId)) {
    for await (const [number, askId] of requestsOf(hub, sessionId)) {
      if (askId === id) return approvalKeyOf(sessionId, number);
    }
  }
  throw new AsklineError(
    "key_conflict",
    `the key "${key}" was used for an ask outside of this session's transcript`,
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
