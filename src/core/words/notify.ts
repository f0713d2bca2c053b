// What an inbox says about the notifications of its browser.

type PrivacyWord = "everything" | "title" | "minimal";

export interface NotifyWords {
  readonly title: string;
  readonly bellOn: string;
  readonly bellOff: string;
  readonly isOn: string;
  readonly isOff: string;
  readonly turnOn: string;
  readonly turnOff: string;
  /** Why this browser cannot be notified, and what to do. */
  readonly hints: Readonly<Record<"denied" | "unsupported" | "not-sent", string>>;
  readonly shows: string;
  readonly privacy: Readonly<Record<PrivacyWord, string>>;
  readonly privacyHints: Readonly<Record<PrivacyWord, string>>;
  readonly quiet: string;
  readonly quietHint: string;
  readonly from: string;
  readonly to: string;
}
