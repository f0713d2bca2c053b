// What a card loads when it first needs it, once for all cards of a page.

import type { CardWords } from "../../../core/words/card.js";
import { CARD } from "../../../core/words/en/card.js";
import { FREE_TEXT } from "../../../core/words/en/free-text.js";
import { ENGLISH, fullLanguageOf, languageOf } from "../../../core/words/languages.js";
import { CARD_TRANSLATIONS, ISSUES_ON_DEMAND } from "../../../core/words/on-demand.js";
import { type Lazy, lazy, lazyByLanguage } from "../lazy.js";
import type * as Rich from "../rich.js";
import type * as Approval from "./approval.js";
import type * as Panels from "./panels.js";
import type { CardSpeech, Scene } from "./scene.js";
import type * as Settled from "./settled.js";

export const rich: Lazy<typeof Rich> = lazy(() => import("../rich.js"));
export const approval: Lazy<typeof Approval> = lazy(() => import("./approval.js"));
export const panels: Lazy<typeof Panels> = lazy(() => import("./panels.js"));
export const settled: Lazy<typeof Settled> = lazy(() => import("./settled.js"));
const translations = lazyByLanguage(CARD_TRANSLATIONS);
const freeTexts = lazy(() => import("../../../core/words/free-texts.js"));
const issues = lazyByLanguage(ISSUES_ON_DEMAND);

/** What else is needed to show this. */
export function neededFor({
  view,
  state,
}: Scene): typeof settled | typeof approval | typeof panels | undefined {
  if (view.ended !== undefined) return settled;
  if (view.panel !== "steps") return panels;
  if (state.ask.approval !== undefined) return approval;
  return view.step.kind === "review" ? panels : undefined;
}

/** A person begins to answer: what may come next is loaded now. */
export function loadAhead(): void {
  panels.get(() => undefined);
  settled.get(() => undefined);
}

/**
 * Undefined while it is being loaded; `reveal` is called then. The words for problems are loaded at once too, though
 * not needed yet, and `paint` is called when they have come.
 */
export function speechFor(locale: string, reveal: () => void, paint: () => void): CardSpeech | undefined {
  const language = languageOf(locale);
  const full = fullLanguageOf(locale);
  const code = full === ENGLISH || translations[full].failed ? ENGLISH : full;
  const words: CardWords | undefined = code === ENGLISH ? CARD : translations[code].get(reveal)?.CARD;
  const freeText =
    language === ENGLISH || freeTexts.failed ? FREE_TEXT : freeTexts.get(reveal)?.FREE_TEXTS[language];
  const problems = issues[code].get(paint)?.ISSUES;
  return words && freeText && { code, words, freeText, issues: problems ?? {} };
}

/** Parts that could not be loaded are tried again when they are next needed. */
export function retryParts(): void {
  const words = [...Object.values(translations), ...Object.values(issues)];
  for (const part of [rich, approval, panels, settled, freeTexts, ...words]) part.retry();
}
