// About how many characters an ask is, for what is kept in memory and must not be too much. Counted for every ask
// that is stored or ended: by places, since iterators over frozen lists are slow.

import type { Ask, Outcome } from "../core/index.js";

/** What a question, an option or any other object takes besides its texts. */
const HOLDER = 64;

/** All of it, with how it ended. */
export function askSize(ask: Ask): number {
  const { approval, metadata, outcome } = ask;
  let size = HOLDER + contentSize(ask);
  if (approval !== undefined) size += valueSize(approval);
  if (metadata !== undefined) size += valueSize(metadata);
  if (outcome !== undefined) size += outcomeSize(outcome);
  return size;
}

/** Its questions and their context. */
export function contentSize({ questions, context }: Pick<Ask, "questions" | "context">): number {
  let size = context?.length ?? 0;
  for (let place = 0; place < questions.length; place += 1) {
    const { id = "", question = "", header = "", options = [] } = questions[place] ?? {};
    size += HOLDER + id.length + question.length + header.length;
    for (let inner = 0; inner < options.length; inner += 1) {
      const { id: name = "", label = "", description = "", preview } = options[inner] ?? {};
      size += HOLDER + name.length + label.length + description.length + (preview?.content.length ?? 0);
    }
  }
  return size;
}

function outcomeSize(outcome: Outcome): number {
  if (outcome.kind !== "answered") return valueSize(outcome);
  const { answers, note } = outcome;
  let size = HOLDER + (note?.length ?? 0);
  for (let place = 0; place < answers.length; place += 1) {
    const { text = "", note: own = "" } = answers[place] ?? {};
    size += HOLDER + text.length + own.length;
  }
  return size;
}

/** Of any JSON. It was parsed by us, so its depth is bounded. */
function valueSize(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 1;
  let size = HOLDER;
  for (const [name, inner] of Object.entries(value)) size += name.length + valueSize(inner);
  return size;
}
