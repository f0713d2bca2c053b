import type { BasicWords } from "./basics.js";
import { FORM as ENGLISH } from "./en/form.js";
import { type FullLanguage, fullLanguageOf } from "./languages.js";
import { FORM as VIETNAMESE } from "./vi/form.js";

/** What a form says to a person, on every surface that has no words of its own. */
export interface FormWords extends BasicWords {
  readonly endedElsewhere: (outcome: string, by: string) => string;
  readonly kept: (key: string) => string;
  readonly moreLines: (count: number, key: string) => string;
  readonly moreAbove: (count: number) => string;
  readonly moreBelow: (count: number) => string;
  readonly tooMuch: (count: number) => string;
  readonly noTextHere: string;
  readonly readFirst: (key: string) => string;
  readonly readNow: string;
  readonly editorMissing: string;
  readonly editorFailed: (command: string, reason: string) => string;
  readonly leaving: string;
  readonly leavingPending: string;
  readonly leavingUnsaved: string;
  // Keys, as a footer and the list of keys name what they do.
  readonly keys: Readonly<Record<KeyWord, string>>;
  readonly plain: PlainWords;
}

/** What plain mode says and asks, line by line. The commands that a person types are the same in every language. */
export interface PlainWords {
  readonly place: (position: number, count: number) => string;
  readonly choose: string;
  readonly chooseSeveral: string;
  readonly decide: string;
  readonly reviewPrompt: string;
  readonly chosen: (text: string) => string;
  readonly previewHint: (number: number) => string;
  readonly noPreview: string;
  readonly rememberHint: string;
  readonly rememberPrompt: string;
  readonly notUnderstood: (typed: string) => string;
  readonly wholeNumber: (last: number) => string;
  readonly blank: string;
  readonly argsPrompt: string;
  readonly lineTooLong: (bytes: number) => string;
  readonly keysNotText: string;
  readonly pasted: (lines: number) => string;
  readonly help: Readonly<Record<PlainCommand, string>>;
}

export type PlainCommand =
  | "number"
  | "label"
  | "other"
  | "text"
  | "preview"
  | "note"
  | "skip"
  | "back"
  | "next"
  | "review"
  | "approve"
  | "edit"
  | "reject"
  | "remember"
  | "send"
  | "reply"
  | "decline"
  | "repeat";

/** What a key does. */
export type KeyWord =
  | "move"
  | "pick"
  | "toggle"
  | "choose"
  | "goOn"
  | "sendNow"
  | "open"
  | "write"
  | "steps"
  | "note"
  | "skip"
  | "all"
  | "recommended"
  | "recommendedAll"
  | "clear"
  | "approve"
  | "edit"
  | "reject"
  | "remember"
  | "review"
  | "reply"
  | "decline"
  | "read"
  | "scroll"
  | "recall"
  | "newLine"
  | "editor"
  | "leaveField"
  | "close"
  | "leave"
  | "suspend"
  | "interrupt"
  | "help"
  | "stay"
  | "top"
  | "deleteWord"
  | "undo"
  | "lineEnds";

/** The tables by language; the other languages have only the word for Other so far. */
export const FORM_WORDS: Readonly<Record<FullLanguage, FormWords>> = { en: ENGLISH, vi: VIETNAMESE };

/** The words of a form in the language of a locale; English where there is no translation. */
export function formWords(locale: string | undefined): FormWords {
  return FORM_WORDS[fullLanguageOf(locale)];
}
