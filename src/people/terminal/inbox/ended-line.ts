import { titleOf } from "../../../core/text/title.js";
import type { FormWords } from "../../../core/words/form.js";
import type { InboxWords } from "../../../core/words/terminal-inbox.js";
import type { EndedEntry } from "../../inbox/live-asks.js";
import { endedText } from "../ended-text.js";

/** `Answered by bo (page). Which auth?` */
export function endedLine({ ask, outcome }: EndedEntry, words: InboxWords, formWords: FormWords): string {
  return words.endedTitle(endedText(outcome, formWords), titleOf(ask, words));
}
