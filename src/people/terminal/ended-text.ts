import type { Answerer, Outcome } from "../../core/model/outcome.js";
import { displayLine } from "../../core/text/display.js";
import type { FormWords } from "../../core/words/form.js";

/** How an ask ended: by whom, and where. */
export function endedText(outcome: Outcome, words: FormWords): string {
  const by = "by" in outcome ? outcome.by : undefined;
  const name = by === undefined ? "" : by.kind === "person" ? `${by.id} (${whereOf(by, words)})` : by.name;
  return words.endedElsewhere(words.outcomes[outcome.kind], displayLine(name));
}

function whereOf(by: Extract<Answerer, { readonly kind: "person" }>, words: FormWords): string {
  return by.via === undefined ? by.surface : `${by.surface}, ${words.reportedBy(by.via)}`;
}
