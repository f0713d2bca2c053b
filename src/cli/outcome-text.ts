import { type AskRequest, describeOutcome, formatAnswers, type Outcome } from "../core/index.js";
import { claude } from "../dialects/claude.js";
import type { Format } from "./outcome-format.js";

/** The outcome as stdout shows it, without its last newline. */
export function outcomeText(format: Format, ask: AskRequest, outcome: Outcome, document: unknown): string {
  switch (format) {
    case "text":
      return outcome.kind === "answered" ? formatAnswers(ask, outcome) : describeOutcome(ask, outcome);
    case "json":
      return JSON.stringify(outcome);
    case "claude":
      return JSON.stringify(claude.encodeOutcome(ask, outcome, { input: document }));
  }
}
