// Which pending asks are listed, and which of them is chosen.

import type { Ask } from "../../../core/model/ask.js";
import type { MutedAgent } from "../../../core/model/notifications.js";
import { displayAsker } from "../../../core/text/display.js";
import type { InboxFilter } from "../../../core/words/terminal-inbox.js";
import type { WebWords } from "../../../core/words/web.js";
import { type Folded, fold } from "../../inbox/crowd.js";
import type { Entry } from "../../inbox/live-asks.js";
import { matching } from "../../inbox/search.js";

export interface Selection {
  search: string;
  kind: InboxFilter;
  /** Empty for every session. */
  session: string;
  /** Empty for every agent. */
  agent: string;
  /** The agents of which all asks are listed. */
  opened: ReadonlySet<string>;
  shown: readonly Folded<Entry>[];
  /** The ask of the card, also after it has ended. */
  chosen: Ask | undefined;
  /** Where the chosen ask is in the list, or was: the next one takes its place. */
  index: number;
}

export function newSelection(): Selection {
  return {
    search: "",
    kind: "all",
    session: "",
    agent: "",
    opened: new Set(),
    shown: [],
    chosen: undefined,
    index: 0,
  };
}

export function listed(
  { search, kind, session, agent, opened }: Selection,
  entries: readonly Entry[],
  words: WebWords,
  muted: readonly MutedAgent[],
): readonly Folded<Entry>[] {
  const found = matching(entries, { search, filter: kind }, words).filter(
    ({ ask }) => (session === "" || ask.session === session) && (agent === "" || displayAsker(ask) === agent),
  );
  return fold(found, opened, muted);
}

/** The ask that takes the place of the chosen one in a list. */
export function nextIn(entries: readonly Entry[], { index }: Selection): Ask | undefined {
  return entries[Math.min(index, entries.length - 1)]?.ask;
}

/** Takes over a new list. The chosen ask stays chosen while others come and go. */
export function takeList(
  selection: Selection,
  shown: readonly Folded<Entry>[],
  selected: string | undefined,
): void {
  const known = shown.findIndex(({ ask }) => ask.id === selected);
  const before = selection.chosen?.id === selected ? selection.chosen : undefined;
  selection.shown = shown;
  selection.chosen = shown[known]?.ask ?? before;
  if (known >= 0) selection.index = known;
}

/** For a list of which none is chosen. */
export function chooseNext(selection: Selection): Ask | undefined {
  selection.chosen = nextIn(selection.shown, selection);
  selection.index = Math.max(0, Math.min(selection.index, selection.shown.length - 1));
  return selection.chosen;
}
