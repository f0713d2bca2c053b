import { INBOX as ENGLISH } from "./en/terminal-inbox.js";
import { type FullLanguage, fullLanguageOf } from "./languages.js";
import { INBOX as VIETNAMESE } from "./vi/terminal-inbox.js";

/** What `askline inbox` says, beside the words of its forms. */
export interface InboxWords {
  readonly title: string;
  readonly waiting: (count: number) => string;
  /** How many of them match the search or the filter. */
  readonly matching: (count: number, total: number) => string;
  readonly nothing: string;
  readonly noMatch: string;
  readonly loading: string;
  readonly search: string;
  readonly filters: Readonly<Record<InboxFilter, string>>;
  // About one ask.
  readonly approve: (names: string) => string;
  readonly severalQuestions: (count: number, first: string) => string;
  readonly age: (milliseconds: number) => string;
  readonly from: (agent: string) => string;
  readonly session: (name: string) => string;
  readonly project: (name: string) => string;
  readonly awaited: string;
  readonly notAwaited: string;
  /** Recipients whom the server does not know, or who have left. */
  unknown(people: string): string;
  readonly due: (milliseconds: number) => string;
  readonly overdue: string;
  readonly draft: string;
  /** A row for the rest of an agent that asks much. */
  readonly moreOf: (count: number, agent: string) => string;
  readonly mutedOf: (count: number, agent: string) => string;
  /** Asked before all questions of an agent are declined. */
  readonly declineAll: (count: number, agent: string) => string;
  // What has happened.
  readonly outage: (url: string, time: string) => string;
  readonly endedTitle: (ended: string, title: string) => string;
  readonly arrived: (title: string) => string;
  readonly muted: (agent: string) => string;
  readonly unmuted: (agent: string) => string;
  readonly declinedAll: (declined: number, count: number, agent: string) => string;
  readonly failed: (reason: string) => string;
  readonly cannotOpen: (reason: string) => string;
  readonly unsaved: string;
  readonly keys: Readonly<Record<InboxKeyWord, string>>;
  readonly plain: {
    readonly prompt: string;
    readonly confirm: string;
    readonly kept: string;
    readonly notUnderstood: (typed: string) => string;
    readonly wholeNumber: (last: number) => string;
    readonly help: Readonly<Record<InboxCommand, string>>;
  };
}

export type InboxFilter = "all" | "awaited" | "due";
export type InboxKeyWord =
  | "open"
  | "move"
  | "page"
  | "search"
  | "filter"
  | "decline"
  | "reply"
  | "mute"
  | "declineAll"
  | "keep"
  | "leave"
  | "help"
  | "keepSearch"
  | "endSearch"
  | "suspend";
export type InboxCommand = "number" | "list" | "search" | "filter" | "mute" | "declineAll" | "quit";

export const INBOX_WORDS: Readonly<Record<FullLanguage, InboxWords>> = { en: ENGLISH, vi: VIETNAMESE };

/** The words of the terminal's inbox in the language of a locale; English where there is no translation. */
export function inboxWords(locale: string | undefined): InboxWords {
  return INBOX_WORDS[fullLanguageOf(locale)];
}
