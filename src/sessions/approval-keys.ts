// The nth request of a session is the nth in its log: `<session>_<n>`.

import { type Ask, AsklineError } from "../core/index.js";
import { approvalKeyOf, approvalNumberOf } from "../dialects/stream/index.js";
import type { Hub } from "../hub/index.js";
import { pagesOf } from "./read-transcript.js";
import { transcriptOf } from "./transcript.js";

/** Throws `key_conflict` for an ask that is not in this session's transcript. */
export async function approvalKeyOfAsk(
  hub: Hub,
  sessionId: string,
  { id, transcript, key }: Ask,
): Promise<string> {
  if (transcript === transcriptOf(sessionId)) {
    const number = (await askIdsOf(hub, sessionId)).indexOf(id) + 1;
    if (number > 0) return approvalKeyOf(sessionId, number);
  }
  throw new AsklineError(
    "key_conflict",
    `the key "${key}" was used for an ask outside of this session's transcript`,
  );
}

/** The id of the ask that an approval key names; throws `not_found` where it names none. */
export async function askIdOfKey(hub: Hub, sessionId: string, approvalKey: string): Promise<string> {
  const number = approvalNumberOf(sessionId, approvalKey);
  const id = number === undefined ? undefined : (await askIdsOf(hub, sessionId))[number - 1];
  if (id !== undefined) return id;
  throw new AsklineError(
    "not_found",
    `there is no request "${approvalKey}" in this session; use the approval_key of its approval_request`,
  );
}

async function askIdsOf(hub: Hub, sessionId: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const entries of pagesOf(hub, transcriptOf(sessionId))) {
    for (const { type, subject } of entries)
      if (type === "ask.created" && subject !== undefined) ids.push(subject);
  }
  return ids;
}
