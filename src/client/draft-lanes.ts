// Drafts are saved while a person types, and each replaces the one before. Per ask only one save is in flight, and of
// the waiting drafts only the newest is sent, so a retried old draft can never overwrite a newer one.

import type { Draft } from "../core/model/draft.js";

export interface DraftLanes {
  /** Resolves once this draft, or a newer one, is saved. */
  save(id: string, draft: Draft, send: (draft: Draft) => Promise<void>): Promise<void>;
}

interface Lane {
  waiting?: { draft: Draft; send: (draft: Draft) => Promise<void>; readonly saved: Promise<void> };
  running: Promise<void>;
}

export function createDraftLanes(): DraftLanes {
  const lanes = new Map<string, Lane>();
  return {
    save(id, draft, send) {
      const lane = lanes.get(id);
      if (lane === undefined) {
        const running = send(draft);
        lanes.set(id, { running });
        leave(lanes, id, running);
        return running;
      }
      if (lane.waiting !== undefined) {
        lane.waiting.draft = draft;
        lane.waiting.send = send;
        return lane.waiting.saved;
      }
      const next = async (): Promise<void> => {
        const turn = lane.waiting;
        delete lane.waiting;
        if (turn !== undefined) await turn.send(turn.draft);
      };
      const saved = lane.running.then(next, next);
      lane.waiting = { draft, send, saved };
      lane.running = saved;
      leave(lanes, id, saved);
      return saved;
    },
  };
}

/** Removes the lane when its last save has ended. */
function leave(lanes: Map<string, Lane>, id: string, running: Promise<void>): void {
  const onEnd = (): void => {
    if (lanes.get(id)?.running === running) lanes.delete(id);
  };
  running.then(onEnd, onEnd);
}
