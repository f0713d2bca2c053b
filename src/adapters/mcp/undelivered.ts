// Which asks of this agent have an outcome that its model has not read yet, by the hash of the call that asked. The same
// call finds its ask again: after a client's timeout, a lost stream, or a restart of either side. Once the outcome was
// delivered, the same call asks anew: two honest "Continue?" are two asks.

import type { Ask } from "../../core/index.js";
import type { AgentPort } from "./port.js";

interface Entry {
  readonly askId: string;
  /** The client's own id of the call, if it sends one. */
  readonly callId: string | undefined;
  /** How many calls wait for it here now. */
  waiting: number;
}

export interface Undelivered {
  /** The ask of an earlier call like this one, if its outcome was not delivered. */
  find(hash: string, callId: string | undefined): Promise<Ask | undefined>;
  /** Records that a call waits. Call the returned function when it stops waiting. */
  wait(hash: string, ask: Ask, callId: string | undefined): () => void;
  /** The model has read the outcome. */
  delivered(ask: Ask): void;
}

const RECOVERED = 100;

export function createUndelivered(port: AgentPort): Undelivered {
  const entries = new Map<string, Entry>();
  let recovering: Promise<void> | undefined;

  /** Asks of a process before this one. Those that another process waits for are its own. */
  const recover = async (): Promise<void> => {
    const [pending, recent = []] = await Promise.all([
      port.list({ status: "pending" }, { limit: RECOVERED, order: "newest" }),
      port.undelivered?.(RECOVERED),
    ]);
    const ofOthers = new Set(pending.awaited ?? []);
    for (const ask of [...recent, ...pending.asks]) {
      const hash = callOf(ask);
      if (hash !== undefined && !entries.has(hash) && !ofOthers.has(ask.id)) {
        entries.set(hash, { askId: ask.id, callId: undefined, waiting: 0 });
      }
    }
  };

  return {
    async find(hash, callId) {
      recovering ??= recover();
      try {
        await recovering;
      } catch {
        // The server cannot be reached now; posting reports that.
        recovering = undefined;
        return undefined;
      }
      const entry = entries.get(hash);
      if (entry === undefined) return undefined;
      // Two calls with ids of their own, at the same time, are two questions.
      const isOther = callId !== undefined && entry.callId !== callId;
      if (isOther && entry.waiting > 0) return undefined;
      const ask = await port.get(entry.askId).catch(() => undefined);
      if (ask !== undefined) return ask;
      entries.delete(hash);
      return undefined;
    },

    wait(hash, ask, callId) {
      const known = entries.get(hash);
      const entry = known?.askId === ask.id ? known : { askId: ask.id, callId, waiting: 0 };
      entries.set(hash, entry);
      entry.waiting += 1;
      return () => {
        entry.waiting -= 1;
      };
    },

    delivered(ask) {
      const hash = callOf(ask);
      if (hash === undefined) return;
      if (entries.get(hash)?.askId === ask.id) entries.delete(hash);
    },
  };
}

/** The hash of the call that asked, from the metadata of its ask. */
function callOf({ metadata }: Ask): string | undefined {
  const call = (metadata?.mcp as { readonly call?: unknown } | undefined)?.call;
  return typeof call === "string" ? call : undefined;
}
