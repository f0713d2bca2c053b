// What is said about an ask that has ended. It is loaded with the part of the card that shows it.

import { SETTLED as ENGLISH } from "./en/settled.js";
import type { FullLanguage } from "./languages.js";
import { SETTLED as VIETNAMESE } from "./vi/settled.js";

export interface SettledWords {
  readonly decisions: Readonly<Record<"approve" | "edit" | "reject", string>>;
  readonly settled: (outcome: string, by: string, time: string) => string;
  readonly you: string;
  readonly rule: (name: string) => string;
  readonly onSurface: (person: string, surface: string) => string;
  readonly notYours: string;
  readonly yourText: string;
}

/** The tables by language. */
export const SETTLED_LANGUAGES: Readonly<Record<FullLanguage, SettledWords>> = {
  en: ENGLISH,
  vi: VIETNAMESE,
};
