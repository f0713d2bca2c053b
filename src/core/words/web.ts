// What the inbox page and the chat page say, beside the words of the card. English is loaded with the page, other
// languages on demand.

import type { OutcomeWord } from "./basics.js";
import type { NotifyWords } from "./notify.js";
import type { InboxFilter, InboxWords } from "./terminal-inbox.js";

/** What every inbox says about an ask, also at a terminal. */
type AboutAsk = Pick<
  InboxWords,
  | "noMatch"
  | "loading"
  | "search"
  | "approve"
  | "severalQuestions"
  | "age"
  | "awaited"
  | "notAwaited"
  | "unknown"
  | "due"
  | "overdue"
  | "draft"
  | "moreOf"
  | "mutedOf"
  | "declineAll"
  | "declinedAll"
  | "muted"
  | "unmuted"
  | "failed"
  | "arrived"
>;

/** What the history of an ask shows. */
export type EventWord =
  | `ask.${OutcomeWord}`
  | "ask.created"
  | "ask.shown"
  | "ask.opened"
  | "ask.extended"
  | "ask.overdue"
  | "ask.escalated"
  | "delivery.failing"
  | "delivery.dead";

export interface WebWords extends AboutAsk {
  readonly notify: NotifyWords;
  readonly inbox: string;
  readonly history: string;
  readonly devices: string;
  readonly signOut: string;
  readonly signedInAs: (person: string) => string;
  readonly waiting: (count: number) => string;
  readonly matching: (count: number, total: number) => string;
  readonly questions: string;
  readonly nothing: string;
  readonly nothingHint: string;
  readonly filters: Readonly<Record<InboxFilter, string>>;
  readonly filterBy: string;
  readonly session: string;
  readonly agent: string;
  readonly every: string;
  readonly conversation: string;
  readonly next: string;
  readonly sent: (outcome: OutcomeWord, title: string) => string;
  readonly away: string;
  readonly offline: string;
  readonly back: string;
  readonly signedOut: string;
  readonly tryAgain: string;
  readonly soundOn: string;
  readonly soundOff: string;
  readonly noHistory: string;
  readonly older: string;
  readonly choose: string;
  readonly audit: string;
  readonly events: Readonly<Record<EventWord, string>>;
  readonly outcomes: Readonly<Record<OutcomeWord, string>>;
  readonly by: (who: string, surface: string) => string;
  readonly you: string;
  readonly unknownDevice: string;
  readonly thisDevice: string;
  readonly signedInAt: (time: string) => string;
  readonly endDevice: string;
  readonly endDeviceOf: (name: string) => string;
  readonly addDevice: string;
  readonly addDeviceHint: string;
  // Remembered rules.
  readonly rules: string;
  readonly noRules: string;
  readonly effects: Readonly<Record<"allow" | "deny", string>>;
  readonly ruleAgent: (agent: string) => string;
  /** The agent says so; nobody verifies it. */
  readonly ruleProject: (project: string) => string;
  readonly ruleSession: (session: string) => string;
  readonly everySession: string;
  readonly ruleEqual: string;
  readonly ruleNotCompared: (wording: string) => string;
  readonly ruleEnded: string;
  /** Why, by the code of its end. */
  readonly ruleEnds: Readonly<
    Record<"one_argument" | "folder_name" | "no_folder" | "no_session" | "ask_pruned", string>
  >;
  readonly revokeRule: string;
  readonly revokeRuleOf: (tool: string) => string;
  readonly ruleOf: (name: string, maker: string) => string;
  // The chat.
  readonly chat: string;
  readonly saidByYou: string;
  /** Above a message in a person's place that an agent wrote. */
  readonly writtenByAgent: (agent: string) => string;
  readonly thinking: string;
  readonly working: string;
  readonly steps: (count: number) => string;
  readonly toolFailed: string;
  readonly earlier: string;
  readonly talk: string;
  readonly talkInstead: string;
  readonly talkInsteadHint: string;
  readonly sendText: string;
  readonly notSent: (reason: string) => string;
  readonly emptyChat: string;
  readonly noSession: string;
  readonly skipped: string;
  readonly ends: Readonly<Record<string, string>>;
  readonly decisions: Readonly<Record<"approve" | "edit" | "reject", string>>;
  readonly toInbox: string;
}
