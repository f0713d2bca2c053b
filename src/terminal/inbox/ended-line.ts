import { titleOf } from "../../core/text/title.js";
import type { EndedEntry } from "../../inbox/live-asks.js";
import type { FormWords } from "../../words/form.js";
import type { InboxWords } from "../../words/terminal-inbox.js";
import { endedText } from "../ended-text.js";

/** `Answered by bo (page). Which auth?` */
export function endedLine({ ask, outcome }: EndedEntry, words: InboxWords, formWords: FormWords): string {
  return words.endedTitle(endedText(outcome, formWords), titleOf(ask, words));
}
