// Remembers which asks were sent to which surfaces, and has that written down a moment later, for the audit.
//
//   sent --the ask ends--> forgotten: who ended it says more
//        --a moment has passed--> written down, once for each surface
//
// So an ask that is answered at once costs nothing. A crash within that moment forgets what was sent: this is
// told as well as it is known, unlike endings, which are never lost.

import { type Ask, AsklineError, type Clock, type Logger } from "../../core/index.js";
import { keepNewest } from "../../core/kit/tools.js";
import type { Hub } from "../../hub/index.js";
import type { Principal } from "../access/principal.js";

const MOMENT_MS = 2_000;
/** What waits to be written, and what is known to be: beyond that the oldest is let go. */
const MOST = 10_000;

export interface ShowingLog {
  /** An ask goes to a surface of this principal, pending or ended. */
  sent(ask: Ask, principal: Principal, surface: string): void;
  /** An ask has ended. */
  ended(askId: string): void;
  /** Writes down what waits for it. */
  close(): Promise<void>;
}

interface Sent {
  readonly askId: string;
  readonly person: string;
  readonly surface: string;
  readonly at: number;
}

export function createShowingLog(hub: Hub, clock: Clock, logger: Logger): ShowingLog {
  /** By ask: what was sent first, which mostly is all; and where it is not, each person's surface once. */
  const waiting = new Map<string, Sent | Map<string, Sent>>();
  const written = new Set<string>();
  let cancel: (() => void) | undefined;

  const write = async (sent: readonly Sent[]): Promise<void> => {
    for (const { askId, person, surface, at } of sent) {
      try {
        await hub.shown(askId, { at, by: { kind: "person", id: person, surface } });
      } catch (error) {
        if (error instanceof AsklineError && error.code === "not_found") continue;
        return logger.warn("what was shown could not be written down", error);
      }
    }
  };
  const flush = (): Promise<void> => {
    cancel?.();
    cancel = undefined;
    const sent = [...waiting.values()].flatMap((one) => (one instanceof Map ? [...one.values()] : one));
    waiting.clear();
    for (const one of sent) written.add(nameOf(one));
    keepNewest(written, MOST);
    return write(sent);
  };

  return {
    sent(ask, { role, name: person, askId }, surface) {
      // A link may be opened by a program that looks at links, and an agent or an admin is nobody to show things to.
      if (role !== "person" || askId !== undefined) return;
      if (ask.outcome !== undefined) return void waiting.delete(ask.id);
      const one: Sent = { askId: ask.id, person, surface, at: hub.now() };
      if (written.size > 0 && written.has(nameOf(one))) return;
      const there = waiting.get(ask.id);
      if (there === undefined) waiting.set(ask.id, one);
      else waiting.set(ask.id, withOther(there, one));
      keepNewest(waiting, MOST);
      cancel ??= clock.schedule(MOMENT_MS, () => void flush());
    },
    ended: (askId) => void waiting.delete(askId),
    close: flush,
  };
}

/** The first time at each surface counts. */
function withOther(there: Sent | Map<string, Sent>, one: Sent): Map<string, Sent> {
  const all = there instanceof Map ? there : new Map([[nameOf(there), there]]);
  const name = nameOf(one);
  return all.has(name) ? all : all.set(name, one);
}

function nameOf({ askId, person, surface }: Sent): string {
  // Ids hold no line break.
  return `${askId}\n${person}\n${surface}`;
}
