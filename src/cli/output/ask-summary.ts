import type { Ask, AskContent } from "../../core/model/ask.js";
import {
  displayAnswerer,
  displayAsker,
  displayHeader,
  displayLabel,
  displayLine,
} from "../../core/text/display.js";
import { titleOf } from "../../core/text/title.js";
import { inboxWords } from "../../core/words/terminal-inbox.js";
import type { World } from "../world/world.js";
import { print } from "./print.js";

/** The end of an id. The beginning is a time, so asks of the same moment share it. */
export function shortId({ id }: Pick<Ask, "id">): string {
  return id.slice(-8);
}

/** What is asked, on one line. */
export function askSummary(ask: AskContent): string {
  return titleOf(ask, inboxWords("en"));
}

/** The agent that asks. */
export function askerName(ask: Ask): string {
  return displayAsker(ask) || "-";
}

/** The status in a few words: `answered by ana`. */
export function statusLine({ status, outcome, overdue }: Ask): string {
  const by = outcome !== undefined && "by" in outcome ? outcome.by : undefined;
  if (by === undefined) return status === "pending" && overdue ? "pending, overdue" : status;
  if (by.kind === "policy") return `${status} by ${displayAnswerer(by)}`;
  const reported = by.via === undefined ? "" : ` (reported by ${displayLine(by.via)})`;
  return `${status} by ${displayLine(by.id)}${reported}`;
}

/** What was chosen, on one line, for a table or a log. */
export function outcomeSummary(ask: Ask): string {
  const { outcome } = ask;
  switch (outcome?.kind) {
    case undefined:
      return "";
    case "answered":
      return outcome.answers
        .map(({ question, selected, text, skipped }) => {
          const options = ask.questions.find(({ id }) => id === question)?.options ?? [];
          const labels = options
            .filter(({ id }) => selected.includes(id))
            .map((option) => displayLabel(option, options));
          const parts = [...labels, ...(text === undefined ? [] : [`"${displayLine(text)}"`])];
          return skipped ? "skipped" : parts.join(", ");
        })
        .join("; ");
    case "decided":
      return outcome.decisions
        .map(({ action, kind }) => {
          const name = ask.approval?.actions.find(({ id }) => id === action)?.name ?? action;
          return `${displayHeader(name, 40)}: ${kind}`;
        })
        .join("; ");
    case "declined":
    case "withdrawn":
    case "unavailable":
      return outcome.reason === undefined ? "" : `"${displayLine(outcome.reason)}"`;
    case "replied":
      return `"${displayLine(outcome.text)}"`;
    case "expired":
      return "";
  }
}

/** Prints an ask that this command has just ended. */
export async function printEnding(ask: Ask, flags: { readonly json?: boolean }, world: World): Promise<void> {
  await print(world, flags.json, ask, () => {
    const summary = outcomeSummary(ask);
    const what = `${world.stdout.isTTY ? shortId(ask) : ask.id} ${statusLine(ask)}: ${askSummary(ask)}`;
    return summary === "" ? what : `${what} -> ${summary}`;
  });
}
