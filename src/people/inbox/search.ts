import type { Ask } from "../../core/model/ask.js";
import { projectName, projectOf } from "../../core/model/folder.js";
import { displayAsker, displayLine } from "../../core/text/display.js";
import { type TitleWords, titleOf } from "../../core/text/title.js";
import type { InboxFilter } from "../../core/words/terminal-inbox.js";
import type { Entry } from "./live-asks.js";

export const FILTERS: readonly InboxFilter[] = ["all", "awaited", "due"];

/** The entries that match the search and the filter. */
export function matching(
  entries: readonly Entry[],
  { search, filter }: { readonly search: string; readonly filter: InboxFilter },
  words: TitleWords,
): readonly Entry[] {
  const matches = searchFor(search);
  return entries.filter(
    ({ ask, awaited }) =>
      (filter !== "awaited" || awaited === true) &&
      (filter !== "due" || ask.deadline !== undefined) &&
      matches(ask, titleOf(ask, words)),
  );
}

/** Whether an ask has every word of the search, in any of its texts; `title` is what the surface calls it. */
function searchFor(search: string): (ask: Ask, title: string) => boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return (ask, title) => {
    if (words.length === 0) return true;
    const text = searchable(ask, title);
    return words.every((word) => text.includes(word));
  };
}

/** What people call the folder that the agent works in, as it says itself. */
export function projectLabel(ask: Ask): string | undefined {
  const name = projectName(ask);
  return name === undefined ? undefined : displayLine(name);
}

function searchable(ask: Ask, title: string): string {
  return [
    title,
    ...ask.questions.flatMap(({ question, header = "" }) => [question, header]),
    ask.context ?? "",
    displayAsker(ask),
    ask.session,
    projectOf(ask) ?? projectName(ask) ?? "",
    ask.id,
  ]
    .join("\n")
    .toLowerCase();
}
