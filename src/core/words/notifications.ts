import { NOTIFICATIONS as en } from "./en/notifications.js";
import { type FullLanguage, fullLanguageOf } from "./languages.js";
import { NOTIFICATIONS as vi } from "./vi/notifications.js";

/** What a notification says, on a phone or a desktop. */
export interface NotificationWords {
  /** The whole notification, if nothing about the ask may be shown. */
  readonly questionWaits: string;
  readonly questionFrom: (agent: string) => string;
  /** In place of further notifications of an agent that asks very much. */
  readonly moreFrom: (count: number, agent: string) => string;
  readonly approvalFrom: (agent: string) => string;
  /** The agent, where it has no name. */
  readonly anAgent: string;
  readonly moreQuestions: (count: number) => string;
  readonly approve: string;
  readonly reject: string;
  readonly answeredBy: (person: string) => string;
  readonly answeredByRule: string;
  readonly declinedBy: (person: string) => string;
  readonly expired: string;
  readonly withdrawn: string;
  readonly reminder: string;
}

const NOTIFICATION_WORDS: Readonly<Record<FullLanguage, NotificationWords>> = { en, vi };

export function notificationWords(locale: string | undefined): NotificationWords {
  return NOTIFICATION_WORDS[fullLanguageOf(locale)];
}
