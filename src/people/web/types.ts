// What a page and the card say to each other.

import type { Ask, AskInput } from "../../core/model/ask.js";
import type { AuditEntry } from "../../core/model/audit.js";
import type { Device } from "../../core/model/device.js";
import type { Draft } from "../../core/model/draft.js";
import type { DraftHint } from "../../core/model/draft-hint.js";
import type { ValidEnding } from "../../core/model/ending.js";
import type { MutedAgent, Privacy, QuietHours } from "../../core/model/notifications.js";
import type { Answerer, Outcome } from "../../core/model/outcome.js";
import type { AskOptions, Inbox } from "../../core/model/ports.js";
import type { RememberedRule } from "../../core/model/rule.js";

/** The part of an inbox that a card needs; a client made by `connect` is one, and so is a hub. */
export interface CardClient extends Pick<Inbox, "get" | "settle" | "saveDraft" | "draft" | "watch"> {
  wait?(id: string, options?: AskOptions): Promise<Outcome>;
  opened?(id: string, options: { readonly by: Answerer }): Promise<void>;
  /** `missed`: hints begin to come, or come again, and some may have been missed. */
  onDraft?(listener: (hint: DraftHint) => void, missed?: () => void): () => void;
  /** Where it is there, decisions can be remembered as rules, which are listed and revoked. */
  readonly rules?: unknown;
}

/** A stored ask, or whatever `parseAsk` takes, such as the questions of a tool call. */
export type CardAsk = Ask | (AskInput & { readonly id?: string });

/** The part of a client that an inbox needs. */
export interface InboxClient extends CardClient, Pick<Inbox, "list"> {
  onDraft(listener: (hint: DraftHint) => void, missed?: () => void): () => void;
  audit?(id: string): Promise<readonly InboxAuditEntry[]>;
  devices?(): Promise<readonly InboxDevice[]>;
  endDevice?(id: string): Promise<void>;
  rules?(): Promise<readonly InboxRule[]>;
  revokeRule?(id: string): Promise<void>;
  notifications?(): Promise<{ readonly muted?: readonly MutedAgent[] }>;
  changeNotifications?(changes: { readonly mute?: MutedAgent; readonly unmute?: MutedAgent }): Promise<{
    readonly muted?: readonly MutedAgent[];
  }>;
}

export type InboxAuditEntry = Pick<AuditEntry, "at" | "type" | "by" | "detail">;

export type InboxDevice = Pick<Device, "id" | "name" | "signedInAt" | "current">;

/** A remembered rule. */
export interface InboxRule extends Omit<RememberedRule, "args" | "field" | "shown" | "ask"> {
  readonly args: Readonly<Record<string, unknown>>;
}

/** The push notifications of a browser, which belong to the page that an inbox is in. */
export interface InboxNotifications {
  /** Undefined if the server notifies nobody. */
  read(): Promise<NotifySettings | undefined>;
  /** Asks the person for permission. Call it during a click. */
  turnOn(choice: { readonly privacy: Privacy; readonly language: string }): Promise<void>;
  choose(privacy: Privacy): Promise<void>;
  turnOff(): Promise<void>;
  /** For all devices of the person, in the time zone of this one. */
  setQuietHours(hours: NotifySettings["quietHours"]): Promise<void>;
}

export interface NotifySettings {
  readonly state: "on" | "off" | "denied" | "unsupported" | "not-sent";
  readonly privacy: Privacy;
  readonly quietHours?: Pick<QuietHours, "from" | "to"> | undefined;
}

export type InboxView = "inbox" | "history" | "devices";

/** What the events of an inbox carry in `detail`. */
export interface InboxEvents {
  /** How many asks are waiting. */
  readonly waiting: { readonly count: number };
  /** The person went to another view or another ask. */
  readonly navigate: { readonly view: InboxView; readonly ask?: string | undefined };
  /** An ask has ended, here or elsewhere. */
  readonly ended: { readonly id: string };
  /** The person signed this browser out. */
  readonly signedout: Readonly<Record<string, never>>;
}

/** The part of a client that a chat needs. */
export interface ChatClient extends InboxClient {
  followSession(
    sessionId: string,
    options?: { readonly after?: string; readonly signal?: AbortSignal },
  ): AsyncIterable<{ readonly id: string; readonly event: unknown }>;
  sessionHistory(
    sessionId: string,
    page?: { readonly before?: string; readonly limit?: number },
  ): Promise<ChatHistoryPage>;
  sendMessage(sessionId: string, text: string): Promise<void>;
}

export interface ChatHistoryPage {
  /** Oldest first. */
  readonly messages: readonly unknown[];
  /** Where the page before this one ends; undefined for the first page. */
  readonly previous?: string;
  /** The id of the last event that the page has. */
  readonly position: string;
}

interface SentDetail {
  /** The id of the ask; empty if the ask has none. */
  readonly id: string;
  /**
   * Without a client: the card shows that it is sending until the promise settles. It may resolve with the ask or the
   * outcome as it was stored; if it rejects, the person can send again. Without a call, the ask has ended at once.
   */
  waitUntil(stored: Promise<unknown>): void;
}

type SentEvents = {
  readonly [Sent in ValidEnding as Sent["type"]]: Omit<Sent, "type"> & SentDetail;
};

/**
 * What the events of a card carry in `detail`. They bubble, and leave shadow trees. Each way to end the ask is an event
 * of its own, with what the ending contains.
 */
export interface CardEvents extends SentEvents {
  /** Unfinished answers, at most once a second. Give the draft back as the property `draft` to restore it. */
  readonly draft: { readonly id: string; readonly draft: Draft };
  /** The ask has ended. `ours`: by what was sent from this card. */
  readonly settled: { readonly id: string; readonly outcome: Outcome; readonly ours: boolean };
}

export type CardEventName = keyof CardEvents;
