// What every part of a card is painted from.

import type { Ask } from "../../../core/model/ask.js";
import type { CardLanguage, CardWords } from "../../../core/words/card.js";
import type { FreeTextWords } from "../../../core/words/free-text-option.js";
import type { FullLanguage } from "../../../core/words/languages.js";
import type { FormEvent } from "../../form/event.js";
import type { FormState } from "../../form/state.js";
import type { FormView } from "../../form/view.js";
import type { Part } from "../html.js";
import type { Reading } from "./reading.js";

/** Everything that a card says, in one language. */
export interface CardSpeech extends CardLanguage {
  readonly code: FullLanguage;
  /** The option that opens the text field, which is there in more languages. */
  readonly freeText: FreeTextWords;
}

export interface Scene {
  readonly ask: Ask;
  readonly state: FormState;
  readonly view: FormView;
  readonly language: CardSpeech;
  readonly words: CardWords;
  /** The locale of dates and numbers. */
  readonly locale: string;
  /** The id of the person at this card; empty if the page has not said. */
  readonly person: string;
  /** Whether the server lacks what was typed, and cannot be reached. */
  readonly saveFailed: boolean;
  /** Why the last click was not taken. */
  readonly notice: string;
  /** What of the actions has been on the screen; undefined until they have been shown at all. */
  readonly reading: Reading | undefined;
  readonly now: number;
  /**
   * Counts the places that were shown. Groups of radio buttons have it in their names: in a shadow root, Chromium
   * (156) never tabs again into a group whose buttons were replaced by others of the same name.
   */
  readonly visit: number;
  /** The option whose preview is shown because the pointer is over it. */
  readonly hovered: string | undefined;
  hover(row: string | undefined): void;
  send(event: FormEvent): void;
  /** A handler for clicks that are meant. `sends`: nothing can be changed after it. */
  click(events: () => readonly FormEvent[], sends?: boolean): (event: Event) => void;
  /** Markdown; as plain text until the renderer is loaded. */
  markdown(source: string): Part;
  /** What was typed here and replaced from another device. */
  kept(): Part;
  /** A preview of any format. */
  preview(content: string, format: "text" | "markdown" | "html", title: string): Part;
}
