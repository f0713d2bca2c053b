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

interface Card {
  readonly name: string;
  /** While it is kept whole. */
  ask: Ask | undefined;
}

export function createCards(): Cards {
  const shown = new Map<string, Card>();
  const askIds = new Map<string, string>();
  const kept = createRing<Card>(MOST_KEPT, (card) => {
    card.ask = undefined;
  });
  const ended = createRing<string>(MOST_REMEMBERED, (name) => askIds.delete(name));

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
      const card = { name, ask };
      shown.set(ask.id, card);
      askIds.set(name, ask.id);
      kept.add(card);
      return text;
    },
    isShown: (askId) => shown.has(askId),
    nameOf: (askId) => shown.get(askId)?.name,
    askIdOf: (name) => askIds.get(name),
    lately: (askId) => shown.get(askId)?.ask,
    remove(askId) {
      const card = shown.get(askId);
      if (card === undefined) return;
      shown.delete(askId);
      card.ask = undefined;
      ended.add(card.name);
    },
  };
}

/** Holds the last so many; tells of each that falls out. */
function createRing<T>(most: number, onOut: (one: T) => void): { add(one: T): void } {
  const items: T[] = [];
  let oldest = 0;
  return {
    add(one) {
      if (items.length < most) return void items.push(one);
      const out = items[oldest];
      items[oldest] = one;
      oldest = (oldest + 1) % most;
      if (out !== undefined) onOut(out);
    },
  };
}

/** A questionId that looks like an ask's id could be made to be taken for that ask. */
function isGatewayName({ key, metadata }: Ask): boolean {
  return metadata?.gateway === GATEWAY_MARK.gateway && key !== undefined && !key.startsWith("ask_");
}

function textOf(ask: Ask, name: string): string | undefined {
  if (last?.ask === ask && last.name === name) return last.text;
  const encoded = gateway.encodeAsk(ask, { id: name });
  const text = encoded.ok ? JSON.stringify(encoded.input) : undefined;
  last = { ask, name, text };
  return text;
}
