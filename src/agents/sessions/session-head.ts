// Opens sessions, and writes to them safely while a prune may remove the transcript at any moment.

import { LIMITS } from "../../core/kit/limits.js";
import { defined } from "../../core/kit/tools.js";
import { AsklineError } from "../../core/model/error.js";
import type { OpenEvent } from "../../core/model/session-event.js";
import { type Asker, isAskedBy } from "../../core/model/visibility.js";
import { transcriptOf } from "../../hub/records/transcripts.js";
import type { Hub } from "../../hub/seam/port.js";
import { openedEntry } from "./opened-sessions.js";
import { findHead, isStillStored, requireHead } from "./read-transcript.js";
import { openEntry, type SessionHead } from "./transcript.js";

export interface Opening {
  readonly event: OpenEvent;
  readonly asker: Asker;
  /** Whether to reopen a session whose transcript was removed. */
  readonly reopen: boolean;
}

/** The head of the session. If two callers open it at the same time, the first in the log wins. */
export async function openHead(hub: Hub, sessionId: string, opening: Opening): Promise<SessionHead> {
  const head = (await findHead(hub, sessionId)) ?? (await openAnew(hub, sessionId, opening));
  if (!isAskedBy(head, opening.asker)) {
    throw new AsklineError(
      "forbidden",
      `the session ${sessionId} belongs to another agent; use another session id`,
    );
  }
  // What the agent means for these people would be shown to the person who opened the session instead.
  const { recipients } = opening.event;
  if (head.openedBy !== undefined && recipients.length > 0 && !isSame(recipients, head.recipients)) {
    throw new AsklineError(
      "forbidden",
      `the session ${sessionId} was opened by a person, who alone reads it; use another session id`,
    );
  }
  return head;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name) => other.includes(name));
}

async function openAnew(
  hub: Hub,
  sessionId: string,
  { event, asker, reopen }: Opening,
): Promise<SessionHead> {
  const log = transcriptOf(sessionId);
  const { first, head } = await hub.logs.bounds(log);
  // Look again after reading the bounds: another process may have opened it since.
  const opened = head === 0 ? undefined : await findHead(hub, sessionId);
  if (opened !== undefined) return opened;
  if (first > 1 && !reopen) {
    throw new AsklineError("not_found", `the session ${sessionId} was removed; open it again to continue`);
  }
  // Remove what an interrupted prune left: readers never see it, and nothing else would remove it while the session
  // is in use.
  if (first <= head) await hub.logs.remove(log, head);
  const { openedBy } = event;
  const isByPerson = openedBy !== undefined && asker.asker !== undefined;
  await hub.logs.append(
    [openEntry(log, event, asker), ...(isByPerson ? [openedEntry(asker, sessionId, openedBy)] : [])],
    isByPerson ? {} : { by: asker },
  );
  return requireHead(hub, sessionId);
}

/**
 * Writes into a session whose head was read before. A prune may remove the transcript between that read and the write,
 * and readers would never see the entry. So check again afterwards; if it was removed, reopen it and write again.
 */
export async function writeInto(
  hub: Hub,
  seen: SessionHead,
  write: (head: SessionHead) => Promise<unknown>,
): Promise<void> {
  for (let head = seen; ; ) {
    await write(head);
    const now = await reopenIfRemoved(hub, head);
    if (now === head) return;
    head = now;
  }
}

/** The same head, or that of the session reopened with the same settings if it was removed. */
export async function reopenIfRemoved(hub: Hub, seen: SessionHead): Promise<SessionHead> {
  if (await isStillStored(hub, seen)) return seen;
  const { sessionId, position: _, asker, owner, ...fields } = seen;
  const by = defined({ asker, owner });
  return openHead(hub, sessionId, { event: { type: "open", ...fields }, asker: by, reopen: true });
}

/** An idempotency key for this transcript only: a removed transcript took its entries with it. */
export function onceIn({ sessionId, position }: SessionHead, once: string): string {
  return `${transcriptOf(sessionId)}/${once}${position === 1 ? "" : `@${position}`}`;
}

/** A valid session id; it is also the name of a log. */
export function requireSessionId(sessionId: string): string {
  if (sessionId !== "" && sessionId.length <= LIMITS.sessionLength && !/\p{Cc}|\p{Cs}/u.test(sessionId)) {
    return sessionId;
  }
  throw new AsklineError(
    "invalid_request",
    `a session id must have 1 to ${LIMITS.sessionLength} characters and no control characters`,
  );
}
