// For how long a decision counts, as a terminal shows it and a person changes it.

import { isRuleDuration, wordingOf } from "../../core/rules/remembering.js";
import { displayLine } from "../../core/text/display.js";
import { APPROVAL_LANGUAGES } from "../../core/words/approval.js";
import { fullLanguageOf } from "../../core/words/languages.js";
import { type FormState, remembersOf } from "../form/state.js";

export interface Remembering {
  /** What is chosen, in a line. */
  readonly text: string;
  readonly choices: readonly { readonly remember: string; readonly text: string }[];
  /** The place of what is chosen. */
  readonly chosen: number;
}

/**
 * Undefined if a decision can count only this time. What is chosen is shown whatever the decision is so far, because a key
 * may change the decision and send it.
 */
export function rememberingOf(state: FormState, locale: string | undefined): Remembering | undefined {
  const [part] = state.parts;
  const [action] = state.ask.approval?.actions ?? [];
  const remembers = remembersOf(state);
  if (remembers.length === 0 || action === undefined) return undefined;
  if (state.panel !== "steps" || part?.kind !== "decision") return undefined;
  const own = APPROVAL_LANGUAGES[fullLanguageOf(locale)];
  const choices = [
    { remember: "", text: own.remembers.once },
    ...remembers.map((remember) =>
      isRuleDuration(remember)
        ? { remember, text: own.remembers[remember] }
        : { remember, text: `${own.agentRules}: ${displayLine(remember)}` },
    ),
  ];
  const found = choices.findIndex(({ remember }) => remember === part.remember);
  const chosen = Math.max(0, found);
  const { remember = "", text: choice = "" } = choices[chosen] ?? {};
  const wording = isRuleDuration(remember) ? wordingOf(state.ask, action) : [];
  const scope = wording.length === 0 ? "" : ` (${own.notCompared(wording.join(", "))})`;
  const text = isRuleDuration(remember) || chosen === 0 ? `${own.remember}: ${choice}${scope}` : choice;
  const isLost = part.decision === "edit" && chosen > 0;
  return { text: isLost ? `${text}; ${own.notWithChanges}` : text, choices, chosen };
}
