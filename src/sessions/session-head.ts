// How a session is opened, and written to beside a prune that may come at any moment.

import { AsklineError, LIMITS } from "../core/index.js";
import { type Hub, transcriptOf } from "../hub/index.js";
import { findHead, isStillThere, requireHead } from "./read-transcript.js";
import type { OpenEvent } from "./session-event.js";
import { openEntry, type SessionHead } from "./transcript.js";

export interface Opening {
  readonly event: OpenEvent;
  readonly asker: string | undefined;
  /** Whether to open it again where its transcript was removed. */
  readonly reopen: boolean;
}

/** The head that stands. Of two who open at the same time, the log says who was first. */
export async function openHead(hub: Hub, sessionId: string, opening: Opening): Promise<SessionHead> {
  const head = (await findHead(hub, sessionId)) ?? (await openAnew(hub, sessionId, opening));
  if (head.asker === opening.asker) return head;
  throw new AsklineError("forbidden", `the session ${sessionId} is another agent's; use an id of your own`);
}

async function openAnew(
  hub: Hub,
  sessionId: string,
  { event, asker, reopen }: Opening,
): Promise<SessionHead> {
  const log = transcriptOf(sessionId);
  const { first, head } = await hub.logs.bounds(log);
  // Looked at once more, after the head: somebody may have opened it since.
  const opened = head === 0 ? undefined : await findHead(hub, sessionId);
  if (opened !== undefined) return opened;
  if (first > 1 && !reopen) {
    throw new AsklineError("not_found", `the session ${sessionId} was removed; open it again to go on`);
  }
  // What a prune has left that was ended in the middle of it: nobody is shown it, and nobody would remove it while
  // the session goes on.
  if (first <= head) await hub.logs.remove(log, head);
  await hub.logs.append([openEntry(log, event, asker)]);
  return requireHead(hub, sessionId);
}

/**
 * Writes into a session that was seen. A prune may remove it between that look and the write, and nobody would be
 * shown what was written. So it is looked at again afterwards; where it is gone, it is opened as it was seen, and
 * written to once more.
 */
export async function writeInto(
  hub: Hub,
  seen: SessionHead,
  write: (head: SessionHead) => Promise<unknown>,
): Promise<void> {
  for (let head = seen; ; ) {
    await write(head);
    const now = await stillOpen(hub, head);
    if (now === head) return;
    head = now;
  }
}

/** The session that was seen, opened again as it was where it has been removed since. */
export async function stillOpen(hub: Hub, seen: SessionHead): Promise<SessionHead> {
  if (await isStillThere(hub, seen)) return seen;
  const { sessionId, position: _, asker, ...fields } = seen;
  return openHead(hub, sessionId, { event: { type: "open", ...fields }, asker, reopen: true });
}

/** The name of what is written once: into this transcript, as one that was removed has taken it along. */
export function onceIn({ sessionId, position }: SessionHead, once: string): string {
  return `${transcriptOf(sessionId)}/${once}${position === 1 ? "" : `@${position}`}`;
}

/** The id, if it can be one: it names a log. */
export function requireSessionId(sessionId: string): string {
  if (sessionId !== "" && sessionId.length <= LIMITS.sessionLength && !/\p{Cc}|\p{Cs}/u.test(sessionId)) {
    return sessionId;
  }
  throw new AsklineError(
    "invalid_request",
    `a session's id has 1 to ${LIMITS.sessionLength} characters, none of them a control character`,
  );
}
