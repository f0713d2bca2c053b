import { valueSize } from "../../seam/ask-size.js";
import type { LogAppend, LogEntry, LogStore } from "../../seam/store.js";
import { fitPage } from "../../seam/store-kit.js";
import { compareCodePoints, requireOpen, type State, snapshot } from "./state.js";

interface Log {
  first: number;
  head: number;
  entries: LogEntry[];
}

export interface Logs {
  readonly port: LogStore;
  /** Appends entries. An entry without `at` gets the time `now`. */
  write(entries: readonly (LogAppend & { readonly at?: number })[], now?: number): readonly number[];
  /** Removes the entries about these asks. */
  removeSubjects(log: string, subjects: ReadonlySet<string>): void;
}

export function createLogs(state: State): Logs {
  const logs = new Map<string, Log>();
  const logOf = (name: string): Log => {
    const log = logs.get(name) ?? { first: 1, head: 0, entries: [] };
    logs.set(name, log);
    return log;
  };
  const write: Logs["write"] = (entries, now = state.now()) => {
    return entries.map(({ log: name, at = now, type, subject, data }) => {
      const log = logOf(name);
      log.head += 1;
      const entry: LogEntry = {
        position: log.head,
        at,
        type,
        ...(subject !== undefined && { subject }),
        ...(data !== undefined && { data: snapshot(data) }),
      };
      log.entries.push(Object.freeze(entry));
      return log.head;
    });
  };
  return {
    write,
    removeSubjects(name, subjects) {
      const log = logOf(name);
      const isRemoved = ({ subject }: LogEntry): boolean => subject !== undefined && subjects.has(subject);
      const last = log.entries.findLast(isRemoved);
      if (last === undefined) return;
      log.first = Math.max(log.first, last.position + 1);
      log.entries = log.entries.filter((entry) => !isRemoved(entry));
    },
    port: {
      async append(entries) {
        requireOpen(state);
        return write(entries);
      },
      async read(name, { after, limit, subject, maxSize }) {
        requireOpen(state);
        const { entries } = logOf(name);
        const found: LogEntry[] = [];
        for (let index = firstAbove(entries, after); index < entries.length; index += 1) {
          const entry = entries[index];
          if (entry === undefined || found.length >= limit) break;
          if (subject === undefined || entry.subject === subject) found.push(entry);
        }
        return maxSize === undefined ? found : fitPage(found, entrySize, maxSize);
      },
      async bounds(name) {
        requireOpen(state);
        const { first, head } = logOf(name);
        return { first, head };
      },
      async list({ prefix, after, limit }) {
        requireOpen(state);
        return [...logs]
          .filter(([name, { head, entries }]) => name.startsWith(prefix) && entries.at(-1)?.position === head)
          .sort(([one], [other]) => compareCodePoints(one, other))
          .filter(([name]) => after === undefined || compareCodePoints(name, after) > 0)
          .slice(0, Math.max(0, limit))
          .map(([log, { first, head, entries }]) => ({ log, first, head, lastAt: entries.at(-1)?.at ?? 0 }));
      },
      async remove(name, head) {
        requireOpen(state);
        const log = logOf(name);
        if (head !== log.head) return false;
        log.first = head + 1;
        log.entries = [];
        return true;
      },
      async restore(name, { head, first, entries }) {
        requireOpen(state);
        const log = logOf(name);
        if (log.head !== head) return false;
        if (log.entries.length === 0) log.first = first;
        log.head = first - 1;
        write(entries.map((entry) => ({ log: name, ...entry })));
        return true;
      },
    },
  };
}

/** The index of the first entry above a position. Entries are in order, but may have gaps. */
function firstAbove(entries: readonly { readonly position: number }[], position: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]?.position ?? 0) > position) high = middle;
    else low = middle + 1;
  }
  return low;
}

function entrySize({ data }: LogEntry): number {
  return data === undefined ? 0 : valueSize(data);
}
