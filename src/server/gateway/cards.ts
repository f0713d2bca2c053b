// What one device was shown, and by which name it knows it. A host's questionId is shown as it is, because a
// device that was written for source 004 knows questions by that; an ask that came another way, or whose
// questionId is taken, is shown by its own id. No name ever means two asks on one connection.

import type { Ask } from "../../core/index.js";
import { gateway } from "../../dialects/gateway.js";
import { GATEWAY_MARK } from "./host.js";

/** Ended asks whose names are kept, for answers that were already on their way. */
const MOST_REMEMBERED = 1_000;
/** Asks that are kept whole: what was shown last is mostly answered first, and need not be read again. */
const MOST_KEPT = 16;

export interface Cards {
  /** The event that shows the ask; undefined where it was shown before, or cannot be. */
  show(ask: Ask): string | undefined;
  isShown(askId: string): boolean;
  nameOf(askId: string): string | undefined;
  askIdOf(name: string): string | undefined;
  /** The ask as it was shown, if that was lately. */
  lately(askId: string): Ask | undefined;
  /** The ask has ended. Its name stays known for a while. */
  remove(askId: string): void;
}

// One event is often shown to many devices, one after the other, under the same name.
let last: { readonly ask: Ask; readonly name: string; readonly text: string | undefined } | undefined;

export function createCards(): Cards {
  const shown = new Map<string, string>();
  const askIds = new Map<string, string>();
  const ended = new Set<string>();
  const kept = new Map<string, Ask>();

  const freeName = (ask: Ask): string => {
    const name = isGatewayName(ask) ? (ask.key ?? ask.id) : ask.id;
    return (askIds.get(name) ?? ask.id) === ask.id ? name : ask.id;
  };

  return {
    show(ask) {
      if (shown.has(ask.id)) return undefined;
      const name = freeName(ask);
      const text = textOf(ask, name);
      if (text === undefined) return undefined;
      shown.set(ask.id, name);
      askIds.set(name, ask.id);
      kept.set(ask.id, ask);
      if (kept.size > MOST_KEPT) deleteFirst(kept);
      return text;
    },
    isShown: (askId) => shown.has(askId),
    nameOf: (askId) => shown.get(askId),
    askIdOf: (name) => askIds.get(name),
    lately: (askId) => kept.get(askId),
    remove(askId) {
      const name = shown.get(askId);
      if (name === undefined) return;
      shown.delete(askId);
      kept.delete(askId);
      ended.add(name);
      if (ended.size <= MOST_REMEMBERED) return;
      const oldest = deleteFirst(ended);
      if (oldest !== undefined) askIds.delete(oldest);
    },
  };
}

/** Takes the first key away, which is the oldest. */
function deleteFirst(from: Map<string, unknown> | Set<string>): string | undefined {
  const [first] = from.keys();
  if (first !== undefined) from.delete(first);
  return first;
}

/** A questionId that looks like an ask's id could be made to be taken for that ask. */
function isGatewayName({ key, metadata }: Ask): boolean {
  return metadata?.gateway === GATEWAY_MARK.gateway && key !== undefined && !key.startsWith("ask_");
}

function textOf(ask: Ask, name: string): string | undefined {
  if (last?.ask === ask && last.name === name) return last.text;
  const encoded = gateway.encodeAsk(ask, { id: name });
  const text = encoded.ok ? JSON.stringify(encoded.envelope) : undefined;
  last = { ask, name, text };
  return text;
}
