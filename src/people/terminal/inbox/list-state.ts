// Which asks of the inbox are listed, and which one the cursor is on. Pure. The cursor stays on its ask while others
// come and go; when that one ends, it goes to the one that takes its place.

import type { Asker } from "../../../core/model/visibility.js";
import { displayAsker, displayLine } from "../../../core/text/display.js";
import { titleOf } from "../../../core/text/title.js";
import type { InboxFilter, InboxWords } from "../../../core/words/terminal-inbox.js";
import { type Folded, fold, moreText } from "../../inbox/crowd.js";
import type { Entry } from "../../inbox/live-asks.js";
import { FILTERS, matching, projectLabel } from "../../inbox/search.js";

export interface ListState {
  readonly search: string;
  readonly filter: InboxFilter;
  /** The agents of which all asks are listed. */
  readonly opened: ReadonlySet<string>;
  /** The ask under the cursor, and its place when it was last there. */
  readonly cursor: string | undefined;
  readonly index: number;
}

export const EMPTY_LIST: ListState = {
  search: "",
  filter: "all",
  opened: new Set(),
  cursor: undefined,
  index: 0,
};

export function nextFilter(filter: InboxFilter): InboxFilter {
  return FILTERS[(FILTERS.indexOf(filter) + 1) % FILTERS.length] ?? "all";
}

export type Row = Folded<Entry>;

/** The entries that match, in order, the rest of an agent as one row. */
export function listed(
  entries: readonly Entry[],
  state: Pick<ListState, "search" | "filter" | "opened">,
  words: InboxWords,
  muted: readonly Asker[],
): readonly Row[] {
  return fold(matching(entries, state, words), state.opened, muted);
}

/** What a row says: what is asked, or how much more there is. */
export function rowTitle({ ask, more }: Row, words: InboxWords): string {
  return more === undefined ? titleOf(ask, words) : moreText(more, words);
}

/** The state with its cursor on an ask that is listed. */
export function settled(state: ListState, shown: readonly Entry[]): ListState {
  const found = shown.findIndex(({ ask }) => ask.id === state.cursor);
  const index = found >= 0 ? found : Math.max(0, Math.min(state.index, shown.length - 1));
  const cursor = shown[index]?.ask.id;
  return cursor === state.cursor && index === state.index ? state : { ...state, cursor, index };
}

export function moved(state: ListState, shown: readonly Entry[], by: number): ListState {
  const index = Math.max(0, Math.min(state.index + by, shown.length - 1));
  return { ...state, index, cursor: shown[index]?.ask.id };
}

/** What is known about an ask, the most useful first. */
export function factsOf(
  { ask, awaited, unknown, draft, more }: Row,
  now: number,
  words: InboxWords,
): readonly string[] {
  if (more !== undefined) return [];
  const { deadline, overdue, session } = ask;
  const agent = displayAsker(ask);
  const project = projectLabel(ask);
  return [
    words.age(now - ask.createdAt),
    ...(overdue ? [words.overdue] : deadline === undefined ? [] : [words.due(deadline - now)]),
    ...(awaited === undefined ? [] : [awaited ? words.awaited : words.notAwaited]),
    ...(unknown.length === 0 ? [] : [words.unknown(unknown.map(displayLine).join(", "))]),
    ...(draft ? [words.draft] : []),
    ...(agent === "" ? [] : [words.from(agent)]),
    ...(project === undefined ? [] : [words.project(project)]),
    ...(session === "" ? [] : [words.session(displayLine(session))]),
  ];
}
