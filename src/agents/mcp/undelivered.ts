// Which asks of this agent have an outcome that its model has not read yet, by the hash of the call that asked and the
// key of the ask, which is the client's own id of the call. The same call finds its ask again: after a client's timeout,
// a lost stream, or a restart of either side. Once the outcome was delivered, the same call asks anew: two honest
// "Continue?" are two asks.

import type { Ask } from "../../core/model/ask.js";
import type { AgentPort } from "./port.js";

export interface Undelivered {
  /** The ask of an earlier call like this one, if its outcome was not delivered. */
  find(hash: string, key: string | undefined): Promise<Ask | undefined>;
  /** Records what a call has asked. */
  asked(ask: Ask): void;
  /** The model has read the outcome. */
  delivered(ask: Ask): void;
}

const RECOVERED = 100;

/** What the key of an ask begins with, before the client's own id of the call. */
export const KEY_PREFIX = "mcp:";

export function createUndelivered(port: AgentPort): Undelivered {
  /** The ids of the asks, by their calls. */
  const entries = new Map<string, string>();
  let recovering: Promise<void> | undefined;

  /** Asks of a process before this one. Those that another process waits for are its own. */
  const recover = async (): Promise<void> => {
    const [pending, recent = []] = await Promise.all([
      port.list({ status: "pending" }, { limit: RECOVERED, order: "newest" }),
      port.undelivered?.(RECOVERED),
    ]);
    const ofOthers = new Set(pending.awaited ?? []);
    for (const ask of [...recent, ...pending.asks]) {
      const call = callOf(ask);
      if (call !== undefined && !entries.has(call) && !ofOthers.has(ask.id)) entries.set(call, ask.id);
    }
  };

  return {
    async find(hash, key) {
      recovering ??= recover();
      try {
        await recovering;
      } catch {
        // The server cannot be reached now; posting reports that.
        recovering = undefined;
        return undefined;
      }
      const call = callName(hash, key);
      const askId = entries.get(call);
      if (askId === undefined) return undefined;
      const ask = await port.get(askId).catch(() => undefined);
      if (ask === undefined) entries.delete(call);
      return ask;
    },

    asked(ask) {
      const call = callOf(ask);
      if (call !== undefined) entries.set(call, ask.id);
    },

    delivered(ask) {
      const call = callOf(ask);
      if (call !== undefined && entries.get(call) === ask.id) entries.delete(call);
    },
  };
}

/** The call that asked, from the metadata and the key of its ask. */
function callOf({ metadata, key }: Ask): string | undefined {
  const call = (metadata?.mcp as { readonly call?: unknown } | undefined)?.call;
  return typeof call === "string" ? callName(call, key) : undefined;
}

function callName(hash: string, key: string | undefined): string {
  // A client gives an ask without a key one of its own.
  return `${hash} ${key?.startsWith(KEY_PREFIX) ? key : ""}`;
}
