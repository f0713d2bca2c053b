// A person's unfinished answers. They are records, not events: saving a draft notifies only the same person's other
// surfaces, by a hint.
//
// Hints reach other processes on the same store through a short log, which is written with the draft and read when
// another process has committed something: at most ten times a second, and only while somebody listens.

import type { Clock } from "../../core/kit/clock.js";
import { formatIssues } from "../../core/kit/issue.js";
import { isRecord, type Json } from "../../core/kit/json.js";
import type { Logger } from "../../core/kit/logger.js";
import type { Ask } from "../../core/model/ask.js";
import { type Draft, parseDraft } from "../../core/model/draft.js";
import type { DraftHint } from "../../core/model/draft-hint.js";
import { AsklineError } from "../../core/model/error.js";
import type { LogEntry, Store } from "../seam/store.js";

export const DRAFT_NAMESPACE = "draft";
const HINT_LOG = "draft-hints";
const READ_DELAY_MS = 100;
const PAGE = 200;
/** How far the clocks of two processes may be apart. A hint of that time before is repeated, which does no harm. */
const CLOCKS_APART_MS = 1_000;
/** After so many saves of this process the log of hints is emptied. */
const SAVES_UNTIL_TRIM = 200;

export interface Drafts {
  save(ask: Ask, person: string, surface: string, draft: unknown): Promise<void>;
  get(askId: string, person: string): Promise<Draft | undefined>;
  /** Calls `listener` when this person saves a draft, in any process. The returned function stops it. */
  listen(person: string, listener: (hint: DraftHint) => void): () => void;
  /** Another process committed something, perhaps a draft. */
  committedElsewhere(): void;
  close(): Promise<void>;
}

export function createDrafts(store: Store, clock: Clock, logger: Logger, hubId: string): Drafts {
  const listeners = new Map<string, Set<(hint: DraftHint) => void>>();
  const key = (askId: string, person: string): string => `${askId}/${person}`;
  let saves = 0;
  /** Hints up to here were delivered or written before anybody listened. */
  let seen: number | undefined;
  /** When somebody began to listen. */
  let since = 0;
  let cancelRead: (() => void) | undefined;
  let closed = false;
  let pending: Promise<void> = Promise.resolve();

  const queue = (step: () => Promise<void>): void => {
    pending = pending.then(step).catch((error: unknown) => {
      if (!closed) logger.warn(`could not share hints about drafts: ${String(error)}`);
    });
  };
  const deliver = (hint: DraftHint): void => {
    for (const listener of [...(listeners.get(hint.person) ?? [])]) listener(hint);
  };
  /** Begins with the hints since somebody listens: some may be older than this read. */
  const start = async (): Promise<void> => {
    const { head } = await store.logs.bounds(HINT_LOG);
    const last = await store.logs.read(HINT_LOG, { after: Math.max(0, head - PAGE), limit: PAGE });
    const first = last.find(({ at }) => at >= since - CLOCKS_APART_MS);
    seen = first === undefined ? head : first.position - 1;
    await readOn();
  };
  const readOn = async (): Promise<void> => {
    if (closed) return;
    if (seen === undefined) return start();
    for (;;) {
      const entries: readonly LogEntry[] = await store.logs.read(HINT_LOG, { after: seen, limit: PAGE });
      seen = entries.at(-1)?.position ?? seen;
      for (const { data } of entries) {
        // Our own saves were delivered when they were made.
        if (isRecord(data) && data.hub !== hubId && isHint(data)) deliver(hintOf(data));
      }
      if (entries.length < PAGE) return;
    }
  };
  const trim = async (): Promise<void> => {
    const { first, head } = await store.logs.bounds(HINT_LOG);
    if (head - first >= SAVES_UNTIL_TRIM) await store.logs.remove(HINT_LOG, head);
  };

  return {
    async save(ask, person, surface, draft) {
      const parsed = parseDraft(draft);
      if (!parsed.ok) {
        const tooLarge = parsed.issues.some(({ code }) => code === "too_large");
        throw new AsklineError(
          tooLarge ? "too_large" : "invalid_answer",
          `invalid draft:\n${formatIssues(parsed.issues)}`,
          { issues: parsed.issues },
        );
      }
      const hint: DraftHint = { askId: ask.id, session: ask.session, person, surface };
      await store.records.put(DRAFT_NAMESPACE, key(ask.id, person), parsed.draft as unknown as Json, {
        append: [{ log: HINT_LOG, type: "draft", data: { ...hint, hub: hubId } }],
      });
      deliver(hint);
      saves += 1;
      if (saves % SAVES_UNTIL_TRIM === 0) queue(trim);
    },
    async get(askId, person) {
      const record = await store.records.get(DRAFT_NAMESPACE, key(askId, person));
      return record?.value as unknown as Draft | undefined;
    },
    listen(person, listener) {
      if (listeners.size === 0 && !closed) {
        since = store.now();
        queue(start);
      }
      const personListeners = listeners.get(person) ?? new Set();
      listeners.set(person, personListeners.add(listener));
      return () => {
        personListeners.delete(listener);
        if (personListeners.size === 0 && listeners.get(person) === personListeners) listeners.delete(person);
      };
    },
    committedElsewhere() {
      if (listeners.size === 0 || closed || cancelRead !== undefined) return;
      cancelRead = clock.schedule(READ_DELAY_MS, () => {
        cancelRead = undefined;
        queue(readOn);
      });
    },
    async close() {
      closed = true;
      cancelRead?.();
      await pending;
    },
  };
}

function isHint(data: Readonly<Record<string, unknown>>): data is Readonly<Record<keyof DraftHint, string>> {
  return [data.askId, data.session, data.person, data.surface].every((field) => typeof field === "string");
}

function hintOf({ askId, session, person, surface }: DraftHint): DraftHint {
  return { askId, session, person, surface };
}
