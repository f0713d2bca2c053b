import type { Ask } from "../../core/model/ask.js";
import { projectName, projectOf } from "../../core/model/folder.js";
import { displayAsker, displayLine } from "../../core/text/display.js";

/** Whether an ask has every word of the search, in any of its texts; `title` is what the surface calls it. */
export function searchFor(search: string): (ask: Ask, title: string) => boolean {
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
