// A page that is one card.

import { ENDING_TYPES } from "../../core/model/ending.js";
import { AsklineCard } from "./card.js";
import type { CardAsk, CardEventName, CardEvents } from "./types.js";

export interface MountOptions {
  readonly ask: CardAsk;
  readonly draft?: unknown;
  readonly answerOnPick?: boolean;
  readonly locale?: string | undefined;
  readonly person?: string;
  readonly surface?: string;
  /** `light` or `dark`; by the system's preference otherwise. */
  readonly theme?: string | undefined;
  /** Called for each event. A promise from it is waited for, as by `waitUntil`. */
  readonly on?: <Name extends CardEventName>(name: Name, detail: CardEvents[Name]) => unknown;
}

const EVENTS: readonly CardEventName[] = [...ENDING_TYPES, "draft", "settled"];

let listening: AbortController | undefined;

/** Shows an ask in this page, in the place of the one before. */
export function mount({
  ask,
  draft,
  answerOnPick = false,
  locale,
  person,
  surface,
  theme,
  on,
}: MountOptions): AsklineCard {
  const known = document.querySelector("askline-card");
  const card = known instanceof AsklineCard ? known : new AsklineCard();
  listening?.abort();
  listening = new AbortController();
  for (const name of EVENTS) {
    const tell = ({ detail }: CustomEvent<CardEvents[typeof name]>): void => {
      const result = on?.(name, detail);
      if (result instanceof Promise && "waitUntil" in detail) detail.waitUntil(result);
    };
    card.addEventListener(name, tell, { signal: listening.signal });
  }
  setTheme(card, theme);
  card.answerOnPick = answerOnPick;
  card.locale = locale;
  card.person = person;
  card.surface = surface;
  card.draft = draft;
  card.ask = ask;
  if (!card.isConnected) document.body.append(card);
  return card;
}

/** By the system's preference unless it is `light` or `dark`. */
export function setTheme(card: AsklineCard, theme: unknown): void {
  document.documentElement.style.colorScheme = theme === "light" || theme === "dark" ? theme : "";
  card.style.colorScheme = document.documentElement.style.colorScheme;
}
