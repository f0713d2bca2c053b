import { type Ask, displayAsker, displayLine } from "../core/index.js";

/** Whether an ask has every word of the search, in any of its texts; `title` is what the surface calls it. */
export function searchFor(search: string): (ask: Ask, title: string) => boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return (ask, title) => {
    if (words.length === 0) return true;
    const text = searchable(ask, title);
    return words.every((word) => text.includes(word));
  };
}

/** The project that the agent works on, as it says itself: `metadata.project`, or the folder `metadata.cwd`. */
export function projectOf({ metadata }: Ask): string | undefined {
  const { project, cwd } = metadata ?? {};
  if (typeof project === "string" && project.trim() !== "") return displayLine(project);
  if (typeof cwd !== "string") return undefined;
  const folder = cwd.split(/[\\/]/).findLast((part) => part.trim() !== "");
  return folder === undefined ? undefined : displayLine(folder);
}

function searchable(ask: Ask, title: string): string {
  return [
    title,
    ...ask.questions.flatMap(({ question, header = "" }) => [question, header]),
    ask.context ?? "",
    displayAsker(ask),
    ask.session,
    projectOf(ask) ?? "",
    ask.id,
  ]
    .join("\n")
    .toLowerCase();
}
