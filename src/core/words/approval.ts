// What is said about actions to approve. It is loaded with the part of the card that shows them.

import { APPROVAL as ENGLISH } from "./en/approval.js";
import type { FullLanguage } from "./languages.js";
import { APPROVAL as VIETNAMESE } from "./vi/approval.js";

export interface ApprovalWords {
  readonly approvalTitle: (count: number) => string;
  readonly actionOf: (number: number, count: number) => string;
  readonly command: string;
  readonly removed: string;
  readonly added: string;
  readonly noArguments: string;
  readonly emptyText: string;
  /** Above a text as Markdown or as a difference, beside the text itself. */
  readonly formatted: string;
  readonly difference: (before: string, after: string) => string;
  /** In front of the names of actions that cannot be approved yet. */
  readonly unread: string;
  readonly showRest: string;
  readonly decisionFor: (action: string) => string;
  readonly rejectWithReason: string;
  readonly editArguments: string;
  readonly undoChanges: string;
  // For how long a decision counts.
  readonly remember: string;
  readonly remembers: Readonly<Record<"once" | "session" | "always", string>>;
  /** What a rule decides; the folder is a path. */
  readonly exactly: (folder: string | undefined) => string;
  /** The arguments that a rule does not compare. */
  readonly notCompared: (names: string) => string;
  /** Behind for how long a decision counts. */
  readonly notWithChanges: string;
  /** Above the rules of the agent's own, which an approval makes and a rejection does not. */
  readonly agentRules: string;
}

/** The tables by language. */
export const APPROVAL_LANGUAGES: Readonly<Record<FullLanguage, ApprovalWords>> = {
  en: ENGLISH,
  vi: VIETNAMESE,
};
