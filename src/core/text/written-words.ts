import { isBlank } from "../kit/fold.js";
import type { Outcome } from "../model/outcome.js";

/** What a person wrote beside a choice or instead of it. */
export function writtenWords(outcome: Outcome): string | undefined {
  const texts: readonly (string | undefined)[] =
    outcome.kind === "answered"
      ? [...outcome.answers.map(({ note }) => note), outcome.note]
      : outcome.kind === "decided"
        ? [
            ...outcome.decisions.map((each) => (each.kind === "reject" ? each.message : undefined)),
            outcome.note,
          ]
        : outcome.kind === "declined"
          ? [outcome.reason]
          : outcome.kind === "replied"
            ? [outcome.text]
            : [];
  const given = texts.filter((text) => text !== undefined && !isBlank(text));
  return given.length === 0 ? undefined : given.join("\n");
}
