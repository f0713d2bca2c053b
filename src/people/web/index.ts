// askline/web: importing it in a browser defines <askline-card>, <askline-inbox> and <askline-chat>; on a server it does
// nothing.

import { AsklineCard } from "./card.js";
import { AsklineChat, AsklineInbox } from "./elements.js";

export { AsklineCard } from "./card.js";
export { AsklineChat, AsklineInbox } from "./elements.js";
export type { CardAsk, CardClient, CardEvents, ChatClient, InboxClient, InboxEvents } from "./types.js";

/** Defines the element, under a name of your own if you like. Defining it twice is fine. */
export function defineCard(name = "askline-card"): void {
  // A class can have one name only.
  define(name, name === "askline-card" ? AsklineCard : class extends AsklineCard {});
}

function define(name: string, element: CustomElementConstructor): void {
  const registry = globalThis.customElements;
  // Some servers have a registry, for other libraries, but no elements.
  if (registry === undefined || globalThis.HTMLElement === undefined) return;
  if (registry.get(name) === undefined) registry.define(name, element);
}

defineCard();
define("askline-inbox", AsklineInbox);
define("askline-chat", AsklineChat);
