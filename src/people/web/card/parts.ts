// What a card loads when it first needs it, once for all cards of a page.

import type { CardWords } from "../../../core/words/card.js";
import { CARD as ENGLISH } from "../../../core/words/en/card.js";
import { FREE_TEXT } from "../../../core/words/en/free-text.js";
import { languageOf } from "../../../core/words/languages.js";
import { type Lazy, lazy } from "../lazy.js";
import type * as Rich from "../rich.js";
import type * as Approval from "./approval.js";
import type * as Panels from "./panels.js";
import type { CardSpeech, Scene } from "./scene.js";
import type * as Settled from "./settled.js";

export const rich: Lazy<typeof Rich> = lazy(() => import("../rich.js"));
export const approval: Lazy<typeof Approval> = lazy(() => import("./approval.js"));
export const panels: Lazy<typeof Panels> = lazy(() => import("./panels.js"));
export const settled: Lazy<typeof Settled> = lazy(() => import("./settled.js"));
const vietnamese = lazy(() => import("../../../core/words/vi/card.js"));
const freeTexts = lazy(() => import("../../../core/words/free-texts.js"));
const issues = {
  en: lazy(() => import("../../../core/words/en/issues.js")),
  vi: lazy(() => import("../../../core/words/vi/issues.js")),
};

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
  const code = language === "vi" && !vietnamese.failed ? "vi" : "en";
  const words: CardWords | undefined = code === "en" ? ENGLISH : vietnamese.get(reveal)?.CARD;
  const freeText =
    language === "en" || freeTexts.failed ? FREE_TEXT : freeTexts.get(reveal)?.FREE_TEXTS[language];
  const problems = issues[code].get(paint)?.ISSUES;
  return words && freeText && { code, words, freeText, issues: problems ?? {} };
}

/** Parts that could not be loaded are tried again when they are next needed. */
export function retryParts(): void {
  for (const part of [rich, approval, panels, settled, vietnamese, freeTexts, issues.en, issues.vi])
    part.retry();
}
