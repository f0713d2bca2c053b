import { type Ask, AsklineError } from "../core/index.js";
import type { Hub, LogEntry } from "../hub/index.js";
import { readHead, type SessionHead, transcriptOf } from "./transcript.js";

const PAGE = 500;

/** Every entry above a position that is there now, page by page. */
export async function* pagesOf(
  hub: Hub,
  log: string,
  after = 0,
): AsyncGenerator<readonly LogEntry[], void, void> {
  for (let position = after; ; ) {
    const entries = await hub.logs.read(log, { after: position, limit: PAGE });
    const last = entries.at(-1);
    if (last === undefined) return;
    yield entries;
    if (entries.length < PAGE) return;
    position = last.position;
  }
}

export async function findHead(hub: Hub, sessionId: string): Promise<SessionHead | undefined> {
  const [first] = await hub.logs.read(transcriptOf(sessionId), { after: 0, limit: 1 });
  return readHead(sessionId, first);
}

/** What holds for the session; throws `not_found` where nobody has opened it. */
export async function requireHead(hub: Hub, sessionId: string): Promise<SessionHead> {
  const head = await findHead(hub, sessionId);
  if (head !== undefined) return head;
  throw new AsklineError("not_found", `there is no session ${sessionId}; its agent opens it`);
}

/** Those of the asks that are still kept. */
export async function asksOf(hub: Hub, ids: Iterable<string>): Promise<ReadonlyMap<string, Ask>> {
  const asks = new Map<string, Ask>();
  await Promise.all(
    [...new Set(ids)].map(async (id) => {
      try {
        asks.set(id, await hub.get(id));
      } catch (error) {
        if (!(error instanceof AsklineError && error.code === "not_found")) throw error;
      }
    }),
  );
  return asks;
}
