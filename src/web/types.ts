// What a page and the card say to each other.

import type {
  Answer,
  Answerer,
  Ask,
  AskInput,
  AskOptions,
  Decision,
  Draft,
  DraftHint,
  Inbox,
  Outcome,
} from "../core/index.js";

/** The part of an inbox that a card needs; a client made by `connect` is one, and so is a hub. */
export interface CardClient
  extends Pick<Inbox, "get" | "answer" | "decide" | "decline" | "reply" | "saveDraft" | "draft" | "watch"> {
  wait?(id: string, options?: AskOptions): Promise<Outcome>;
  opened?(id: string, options: { readonly by: Answerer }): Promise<void>;
  onDraft?(listener: (hint: DraftHint) => void): () => void;
}

/** A stored ask, or whatever `parseAsk` takes, such as the questions of a tool call. */
export type CardAsk = Ask | (AskInput & { readonly id?: string });

interface Sent {
  /** The id of the ask; empty if the ask has none. */
  readonly id: string;
  /**
   * Without a client: the card shows that it is sending until the promise settles. It may resolve with the ask or the
   * outcome as it was stored; if it rejects, the person can send again. Without a call, the ask has ended at once.
   */
  waitUntil(stored: Promise<unknown>): void;
}

/** What the events of a card carry in `detail`. They bubble, and leave shadow trees. */
export interface CardEvents {
  readonly answer: Sent & { readonly answers: readonly Answer[]; readonly note?: string };
  readonly decide: Sent & { readonly decisions: readonly Decision[]; readonly note?: string };
  readonly decline: Sent & { readonly reason?: string };
  readonly reply: Sent & { readonly text: string };
  /** Unfinished answers, at most once a second. Give the draft back as the property `draft` to restore it. */
  readonly draft: { readonly id: string; readonly draft: Draft };
  /** The ask has ended. `ours`: by what was sent from this card. */
  readonly settled: { readonly id: string; readonly outcome: Outcome; readonly ours: boolean };
}

export type CardEventName = keyof CardEvents;
