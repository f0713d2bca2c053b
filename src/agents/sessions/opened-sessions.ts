// Sessions that people open: a person's first message names an agent, and that agent finds the session in a log of its
// own. The entry is written in the same transaction as the session, so the agent misses none.

import { isRecord } from "../../core/kit/json.js";
import { LIMITS } from "../../core/kit/limits.js";
import { AsklineError } from "../../core/model/error.js";
import type { Asker } from "../../core/model/visibility.js";
import { untilAborted } from "../../core/rules/abort.js";
import { openedLogOf } from "../../hub/records/transcripts.js";
import type { Hub } from "../../hub/seam/port.js";
import type { LogAppend } from "../../hub/seam/store.js";

const PAGE = 200;

/** A session that a person has opened for an agent. */
export interface OpenedSession {
  readonly position: number;
  readonly at: number;
  readonly sessionId: string;
  readonly person: string;
  /** Whose agent takes it, if only the agent of this owner does. */
  readonly owner?: string;
}

export function openedEntry({ asker = "", owner }: Asker, sessionId: string, person: string): LogAppend {
  const data = { person, ...(owner !== undefined && { owner }) };
  return { log: openedLogOf(asker), type: "session.opened", subject: sessionId, data };
}

/** Where a reader starts: after this position, or now. Throws for a position of another store. */
export async function openedStart(hub: Hub, agent: string, after: number | undefined): Promise<number> {
  const { head } = await hub.logs.bounds(openedLogOf(agent));
  if (after === undefined) return head;
  if (after <= head) return after;
  throw new AsklineError(
    "position_trimmed",
    `position ${after} does not exist yet, so it is from another store; start from 0`,
  );
}

/** The sessions that people open for this agent, after a position and then live. Ends when the signal aborts. */
export async function* followOpened(
  hub: Hub,
  agent: string,
  { after, signal }: { readonly after: number; readonly signal: AbortSignal },
): AsyncGenerator<OpenedSession, void, void> {
  const log = openedLogOf(agent);
  for (let position = after; !signal.aborted; ) {
    // Subscribe before reading: a commit after the read resolves it.
    const more = hub.logs.next(log);
    const entries = await hub.logs.read(log, { after: position, limit: PAGE });
    for (const { at, subject = "", data, position: found } of entries) {
      if (signal.aborted) return;
      position = found;
      // Only `openedEntry` writes it.
      const { person = "", owner } = (isRecord(data) ? data : {}) as Partial<OpenedSession>;
      yield { position, at, sessionId: subject, person, ...(owner !== undefined && { owner }) };
    }
    if (entries.length < PAGE) await untilAborted(signal, more).catch(() => undefined);
  }
}

/** The agent in a person's first message. Throws a coded error if the message names none. */
export function requireAgent(agent: unknown, sessionId: string): string {
  const isName = typeof agent === "string" && agent.trim() !== "" && !/\p{Cc}/u.test(agent);
  if (isName && agent.length <= LIMITS.idLength) return agent;
  throw new AsklineError(
    "invalid_request",
    `there is no session ${sessionId} yet; to open it, name its agent: { "type": "message", "text": "…", "agent": "<the name of the agent's token>" }`,
  );
}
