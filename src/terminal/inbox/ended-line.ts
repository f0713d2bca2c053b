import { titleOf } from "../../core/text/title.js";
import type { EndedEntry } from "../../inbox/index.js";
import type { FormWords, InboxWords } from "../../words/index.js";
import { endedText } from "../ended-text.js";

/** `Answered by bo (page). Which auth?` */
export function endedLine({ ask, outcome }: EndedEntry, words: InboxWords, formWords: FormWords): string {
  return words.endedTitle(endedText(outcome, formWords), titleOf(ask, words));
}
