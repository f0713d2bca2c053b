// A person's unfinished answers. They are records, not events: saving a draft notifies only the same person's other
// surfaces.

import {
  type Ask,
  AsklineError,
  type Draft,
  type DraftHint,
  formatIssues,
  type Json,
  parseDraft,
} from "../../core/index.js";
import type { Store } from "../seam/store.js";

export const DRAFT_NAMESPACE = "draft";

export interface Drafts {
  save(ask: Ask, person: string, surface: string, draft: unknown): Promise<void>;
  get(askId: string, person: string): Promise<Draft | undefined>;
  /** Calls `listener` when this person saves a draft in this process. The returned function stops it. */
  listen(person: string, listener: (hint: DraftHint) => void): () => void;
}

export function createDrafts(store: Store): Drafts {
  const listeners = new Map<string, Set<(hint: DraftHint) => void>>();
  const key = (askId: string, person: string): string => `${askId}/${person}`;
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
      await store.records.put(DRAFT_NAMESPACE, key(ask.id, person), parsed.draft as unknown as Json);
      for (const listener of listeners.get(person) ?? []) listener({ askId: ask.id, person, surface });
    },
    async get(askId, person) {
      const record = await store.records.get(DRAFT_NAMESPACE, key(askId, person));
      return record?.value as unknown as Draft | undefined;
    },
    listen(person, listener) {
      const personListeners = listeners.get(person) ?? new Set();
      listeners.set(person, personListeners.add(listener));
      return () => {
        personListeners.delete(listener);
        if (personListeners.size === 0) listeners.delete(person);
      };
    },
  };
}
