// The asks that one device was shown, under their names.

import { gateway } from "../../agents/shapes/gateway.js";
import { keepNewest } from "../../core/kit/tools.js";
import type { Ask } from "../../core/model/ask.js";

/** Asks that are kept in memory: the latest ones are usually answered first, without another read. */
const MOST_KEPT = 16;
/** The characters of an ask that is kept; larger ones are read again. */
const LARGEST_KEPT = 16 * 1024;

export interface Cards {
  /** The event that shows the ask; undefined if it was already shown, or cannot be encoded. */
  show(ask: Ask, name: string): string | undefined;
  isShown(askId: string): boolean;
  nameOf(askId: string): string | undefined;
  /** The ask of this name as it was shown, if that was recently. */
  recent(name: string): Ask | undefined;
  /** The ask was settled. */
  remove(askId: string): void;
}

// The same event is often sent to many devices in a row, under the same name.
let last: { readonly ask: Ask; readonly name: string; readonly text: string | undefined } | undefined;

export function createCards(): Cards {
  const names = new Map<string, string>();
  /** By name, the oldest first. */
  const kept = new Map<string, Ask>();

  return {
    show(ask, name) {
      if (names.has(ask.id)) return undefined;
      const text = textOf(ask, name);
      if (text === undefined) return undefined;
      names.set(ask.id, name);
      if (text.length <= LARGEST_KEPT) {
        kept.set(name, ask);
        keepNewest(kept, MOST_KEPT);
      }
      return text;
    },
    isShown: (askId) => names.has(askId),
    nameOf: (askId) => names.get(askId),
    recent: (name) => kept.get(name),
    remove(askId) {
      const name = names.get(askId);
      if (name === undefined) return;
      names.delete(askId);
      kept.delete(name);
    },
  };
}

function textOf(ask: Ask, name: string): string | undefined {
  if (last?.ask === ask && last.name === name) return last.text;
  const encoded = gateway.encodeAsk(ask, { id: name });
  const text = encoded.ok ? JSON.stringify(encoded.input) : undefined;
  last = { ask, name, text };
  return text;
}
