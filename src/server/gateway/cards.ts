// The asks that were shown on one device, and the name of each there. A host's questionId is used as the name, as in
// the gateway protocol; an ask from elsewhere, or whose questionId is taken, is named by its own id. A name never means
// two asks on one connection.

import type { Ask } from "../../core/index.js";
import { gateway } from "../../dialects/gateway.js";
import { GATEWAY_MARK } from "./host.js";

/** Settled asks whose names are kept, for answers that were already in flight. */
const MOST_REMEMBERED = 1_000;
/** Asks that are kept in memory: the latest ones are usually answered first, without another read. */
const MOST_KEPT = 16;

export interface Cards {
  /** The event that shows the ask; undefined if it was already shown, or cannot be encoded. */
  show(ask: Ask): string | undefined;
  isShown(askId: string): boolean;
  nameOf(askId: string): string | undefined;
  askIdOf(name: string): string | undefined;
  /** The ask as it was shown, if that was recently. */
  recent(askId: string): Ask | undefined;
  /** The ask was settled. Its name stays known for a while. */
  remove(askId: string): void;
}

// The same event is often sent to many devices in a row, under the same name.
let last: { readonly ask: Ask; readonly name: string; readonly text: string | undefined } | undefined;

interface Card {
  readonly name: string;
  /** Only while it is kept in memory. */
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
    recent: (askId) => shown.get(askId)?.ask,
    remove(askId) {
      const card = shown.get(askId);
      if (card === undefined) return;
      shown.delete(askId);
      card.ask = undefined;
      ended.add(card.name);
    },
  };
}

/** Holds the last `most` items; calls `onOut` with each item that falls out. */
function createRing<T>(most: number, onOut: (item: T) => void): { add(item: T): void } {
  const items: T[] = [];
  let oldest = 0;
  return {
    add(item) {
      if (items.length < most) return void items.push(item);
      const out = items[oldest];
      items[oldest] = item;
      oldest = (oldest + 1) % most;
      if (out !== undefined) onOut(out);
    },
  };
}

/** A questionId that looks like an ask id is not used as a name: it could impersonate that ask. */
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
