// The logs of a store, as the hub offers them: append, read, and wait for more. Only stores write the event log.

import type { Clock } from "../../core/kit/clock.js";
import { AsklineError } from "../../core/model/error.js";
import type { TranscriptBytes } from "../records/transcript-bytes.js";
import type { HubLogs } from "../seam/port.js";
import { EVENT_LOG, type Store } from "../seam/store.js";
import { type Deferred, deferred } from "./feed.js";

export interface LogWakes {
  next(log: string): Promise<void>;
  wrote(log: string): void;
  wroteAny(): void;
}

const ONCE_NAMESPACE = "appended";
const FIRST_TEXT_NAMESPACE = "meant";
const ONCE_MS = 86_400_000;

export function createHubLogs(
  store: Store,
  wakes: LogWakes,
  requireOpen: () => void,
  clock: Pick<Clock, "now">,
  bytes: TranscriptBytes,
): HubLogs {
  const requireNotEventLog = (log: string): void => {
    if (log === EVENT_LOG) throw new AsklineError("forbidden", "the event log is written by the store alone");
  };
  return {
    async append(entries, { once, by } = {}) {
      requireOpen();
      for (const { log } of entries) requireNotEventLog(log);
      if (by !== undefined) await bytes.require(by, entries);
      let appended = true;
      if (once === undefined) await store.logs.append(entries);
      else {
        const options = { expect: null, expiresAt: clock.now() + ONCE_MS, append: entries };
        appended = (await store.records.put(ONCE_NAMESPACE, once, true, options)).ok;
      }
      for (const { log } of entries) wakes.wrote(log);
      if (by !== undefined && appended) await bytes.add(by, entries);
      return appended;
    },
    async keepFirst(name, text) {
      requireOpen();
      const options = { expect: null, expiresAt: clock.now() + ONCE_MS };
      const put = await store.records.put(FIRST_TEXT_NAMESPACE, name, text, options);
      const first = put.ok ? text : put.current?.value;
      return typeof first === "string" ? first : text;
    },
    async read(log, query) {
      requireOpen();
      return store.logs.read(log, query);
    },
    async bounds(log) {
      requireOpen();
      return store.logs.bounds(log);
    },
    async remove(log, head) {
      requireOpen();
      requireNotEventLog(log);
      return store.logs.remove(log, head);
    },
    next: wakes.next,
  };
}

/** The waits for each log. A log without a wait costs nothing. */
export function createLogWakes(): LogWakes {
  const waiting = new Map<string, Deferred>();
  const wrote = (log: string): void => {
    const found = waiting.get(log);
    waiting.delete(log);
    found?.resolve();
  };
  return {
    next(log) {
      const found = waiting.get(log) ?? deferred();
      waiting.set(log, found);
      return found.promise;
    },
    wrote,
    wroteAny() {
      for (const log of [...waiting.keys()]) wrote(log);
    },
  };
}
