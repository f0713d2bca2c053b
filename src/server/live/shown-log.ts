// Records which asks were sent to which surfaces, for the audit.
//
//   sent --the ask ends--> dropped: its outcome says more
//        --2 seconds pass--> stored, once per surface
//
// An ask that is answered at once costs nothing. A crash within the delay loses the record; outcomes are never lost.

import type { Clock } from "../../core/kit/clock.js";
import type { Logger } from "../../core/kit/logger.js";
import { keepNewest } from "../../core/kit/tools.js";
import type { Ask } from "../../core/model/ask.js";
import { AsklineError } from "../../core/model/error.js";
import type { Hub } from "../../hub/seam/port.js";
import type { Principal } from "../access/principal.js";

const DELAY_MS = 2_000;
/** The most entries that wait or are remembered as stored; the oldest are dropped. */
const MOST = 10_000;

export interface ShownLog {
  /** An ask, pending or ended, was sent to a surface of this principal. */
  sent(ask: Ask, principal: Principal, surface: string): void;
  /** An ask has ended. */
  ended(askId: string): void;
  /** Stores what is waiting. */
  close(): Promise<void>;
}

interface Sent {
  readonly askId: string;
  readonly person: string;
  readonly surface: string;
  readonly at: number;
}

export function createShownLog(hub: Hub, clock: Clock, logger: Logger): ShownLog {
  /** By ask: the first entry, usually the only entry, or all entries by person and surface. */
  const waiting = new Map<string, Sent | Map<string, Sent>>();
  const written = new Set<string>();
  let cancel: (() => void) | undefined;

  const write = async (sent: readonly Sent[]): Promise<void> => {
    for (const { askId, person, surface, at } of sent) {
      try {
        await hub.shown(askId, { at, by: { kind: "person", id: person, surface } });
      } catch (error) {
        if (error instanceof AsklineError && error.code === "not_found") continue;
        return logger.warn("failed to record to whom asks were shown", error);
      }
    }
  };
  const flush = (): Promise<void> => {
    cancel?.();
    cancel = undefined;
    const sent = [...waiting.values()].flatMap((entry) =>
      entry instanceof Map ? [...entry.values()] : entry,
    );
    waiting.clear();
    for (const entry of sent) written.add(nameOf(entry));
    keepNewest(written, MOST);
    return write(sent);
  };

  return {
    sent(ask, { role, name: person, askId }, surface) {
      // Link scanners open links, and asks are not shown to agents or admins.
      if (role !== "person" || askId !== undefined) return;
      if (ask.outcome !== undefined) return void waiting.delete(ask.id);
      const entry: Sent = { askId: ask.id, person, surface, at: hub.now() };
      if (written.size > 0 && written.has(nameOf(entry))) return;
      const existing = waiting.get(ask.id);
      if (existing === undefined) waiting.set(ask.id, entry);
      else waiting.set(ask.id, withOther(existing, entry));
      keepNewest(waiting, MOST);
      cancel ??= clock.schedule(DELAY_MS, () => void flush());
    },
    ended: (askId) => void waiting.delete(askId),
    close: flush,
  };
}

/** Keeps the first time for each surface. */
function withOther(existing: Sent | Map<string, Sent>, entry: Sent): Map<string, Sent> {
  const all = existing instanceof Map ? existing : new Map([[nameOf(existing), existing]]);
  const name = nameOf(entry);
  return all.has(name) ? all : all.set(name, entry);
}

function nameOf({ askId, person, surface }: Sent): string {
  // Ids hold no line break.
  return `${askId}\n${person}\n${surface}`;
}
