// askline/web: importing it in a browser defines <askline-card>; on a server it does nothing.

import { AsklineCard } from "./card.js";

export { AsklineCard } from "./card.js";
export type { CardAsk, CardClient, CardEventName, CardEvents } from "./types.js";

/** Defines the element, under a name of your own if you like. Defining it twice is fine. */
export function defineCard(name = "askline-card"): void {
  const registry = globalThis.customElements;
  // Some servers have a registry, for other libraries, but no elements.
  if (registry === undefined || globalThis.HTMLElement === undefined) return;
  if (registry.get(name) !== undefined) return;
  // A class can have one name only.
  registry.define(name, name === "askline-card" ? AsklineCard : class extends AsklineCard {});
}

defineCard();

declare global {
  interface HTMLElementTagNameMap {
    "askline-card": AsklineCard;
  }
}
