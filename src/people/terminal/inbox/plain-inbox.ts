// The inbox line by line, for screen readers and terminals without a cursor: the list is written when somebody asks
// for it, and an ask that comes in is one line. Nothing is drawn over.

import type { Clock } from "../../../core/kit/clock.js";
import type { Ask } from "../../../core/model/ask.js";
import { titleOf } from "../../../core/text/title.js";
import { formWords } from "../../../core/words/form.js";
import { type InboxCommand, type InboxFilter, inboxWords } from "../../../core/words/terminal-inbox.js";
import { hang } from "../../cells/wrap.js";
import { agentName, countOf, isMutedIn, ofSameAgent } from "../../inbox/crowd.js";
import type { CrowdControl } from "../../inbox/crowd-control.js";
import type { LiveAsks } from "../../inbox/live-asks.js";
import { matching } from "../../inbox/search.js";
import { type AnswerLine, type Input, type Output, openDialogue } from "../dialogue.js";
import { modelLine } from "../rich/text.js";
import { endedLine } from "./ended-line.js";
import { EMPTY_LIST, factsOf, type ListState, listed, type Row, rowTitle } from "./list-state.js";
import type { InboxEnding, OpenedAsk } from "./rich-inbox.js";

export interface PlainInboxOptions {
  readonly live: LiveAsks;
  readonly crowd: CrowdControl;
  readonly input: Input;
  readonly output: Output;
  readonly clock: Clock;
  readonly locale: string | undefined;
  readonly url: string;
  readonly signal: AbortSignal;
  readonly open: (ask: Ask) => Promise<OpenedAsk>;
}

const COMMANDS: Readonly<Record<InboxCommand, string>> = {
  number: "2",
  list: "list",
  search: "search WORDS",
  filter: "filter all | waiting | deadline",
  mute: "mute 2",
  declineAll: "decline-all 2",
  quit: "quit",
};

const FILTERS: Readonly<Record<string, InboxFilter>> = { all: "all", waiting: "awaited", deadline: "due" };

export async function runPlainInbox(options: PlainInboxOptions): Promise<InboxEnding> {
  const { live, crowd, input, output, clock, locale, signal } = options;
  const words = inboxWords(locale);
  let view: Pick<ListState, "search" | "filter" | "opened"> = EMPTY_LIST;
  let shown: readonly Row[] = [];
  let isAway = false;
  const news: string[] = [];
  let interrupt = (): void => undefined;
  let reported = new Set<string>(live.ended.map(({ ask }) => ask.id));

  const say = (text: string, prefix = ""): void => {
    output.write(`${hang(prefix, text, output.columns)}\n`);
  };
  const report = (text: string): void => {
    news.push(text);
    interrupt();
  };
  const unsubscribe = live.subscribe({
    arrived(ask) {
      if (!isMutedIn(crowd.muted, ask)) report(words.arrived(titleOf(ask, words)));
    },
    changed() {
      for (const entry of [...live.ended].reverse()) {
        if (reported.has(entry.ask.id)) continue;
        reported = new Set([...reported, entry.ask.id]);
        report(endedLine(entry, words, formWords(locale)));
      }
      const away = live.awaySince !== undefined;
      if (away && !isAway)
        report(words.outage(options.url, new Date(live.awaySince ?? 0).toTimeString().slice(0, 5)));
      isAway = away;
      if (live.failure !== undefined) interrupt();
    },
  });

  const list = (): void => {
    shown = listed(live.entries, view, words, crowd.muted);
    const total = live.entries.length;
    const isPart = view.search !== "" || view.filter !== "all";
    say(
      `\n${words.title}: ${words.waiting(total)}${isPart ? `, ${words.matching(countOf(shown), total)}` : ""}.`,
    );
    if (total === 0) say(words.nothing);
    else if (shown.length === 0) say(words.noMatch);
    for (const [index, entry] of shown.entries()) {
      say(rowTitle(entry, words), `${index + 1}. `);
      const facts = factsOf(entry, clock.now(), words);
      if (facts.length > 0) say(`${facts.join(", ")}.`, "   ");
    }
  };
  const help = (): void => {
    const widest = Math.max(...Object.values(COMMANDS).map(({ length }) => length));
    for (const [command, typed] of Object.entries(COMMANDS)) {
      say(words.plain.help[command as InboxCommand], `  ${typed.padEnd(widest)}  `);
    }
  };

  try {
    await untilLoaded(live, signal);
    list();
    for (;;) {
      if (live.failure !== undefined) return "failed";
      for (const line of news.splice(0)) say(line);
      const stop = new AbortController();
      interrupt = () => stop.abort();
      const line = await ask(words.plain.prompt, AbortSignal.any([signal, stop.signal]));
      interrupt = () => undefined;
      if (signal.aborted) return "aborted";
      // Something has happened; what was typed so far is still in the terminal's line.
      if (line.kind === "aborted") continue;
      if (line.kind === "end") return "ended";
      const result = await take(line.text.trim());
      if (result !== undefined) return result;
    }
  } finally {
    unsubscribe();
  }

  async function ask(question: string, until: AbortSignal): Promise<AnswerLine> {
    const dialogue = openDialogue(input, output, until, locale);
    const line = await dialogue.ask(question);
    dialogue.close();
    return line;
  }

  /** Asks first, and declines only what was counted. */
  async function declineAll(first: Ask): Promise<string> {
    const asks = ofSameAgent(first, matching(live.entries, view, words));
    say(words.declineAll(asks.length, agentName(first)));
    const line = await ask(words.plain.confirm, signal);
    if (line.kind !== "line" || !/^y(es)?$/i.test(line.text.trim())) return words.plain.kept;
    reported = new Set([...reported, ...asks.map(({ id }) => id)]);
    return crowd.declineAll(asks);
  }

  async function take(text: string): Promise<InboxEnding | undefined> {
    const [command = "", ...rest] = text.split(/\s+/);
    const argument = rest.join(" ");
    switch (command.toLowerCase()) {
      case "":
      case "list":
        list();
        return undefined;
      case "?":
      case "help":
        help();
        return undefined;
      case "quit":
      case "q":
      case "exit":
        return "left";
      case "mute":
      case "decline-all": {
        const of = shown[Number(argument) - 1]?.ask;
        if (of?.asker === undefined) say(words.plain.wholeNumber(shown.length));
        else {
          say(await (command.toLowerCase() === "mute" ? crowd.toggleMute(of) : declineAll(of)));
          list();
        }
        return undefined;
      }
      case "search":
        view = { ...view, search: argument };
        list();
        return undefined;
      case "filter": {
        const filter = argument === "" ? "all" : FILTERS[argument.toLowerCase()];
        if (filter === undefined) say(words.plain.notUnderstood(modelLine(text)));
        else {
          view = { ...view, filter };
          list();
        }
        return undefined;
      }
    }
    if (!/^\d+$/.test(text)) {
      say(words.plain.notUnderstood(modelLine(text)));
      return undefined;
    }
    const entry = shown[Number(text) - 1];
    if (entry === undefined) {
      say(words.plain.wholeNumber(shown.length));
      return undefined;
    }
    if (entry.more !== undefined) {
      view = { ...view, opened: new Set([...view.opened, entry.more.key]) };
      list();
      return undefined;
    }
    const result = await options.open(entry.ask);
    if (result.leave !== undefined) return result.leave;
    if (result.notice !== undefined) say(result.notice);
    list();
    return undefined;
  }
}

function untilLoaded(live: LiveAsks, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      if (!live.isLoaded && live.failure === undefined && !signal.aborted) return;
      unsubscribe();
      signal.removeEventListener("abort", check);
      resolve();
    };
    const unsubscribe = live.subscribe({ changed: check });
    signal.addEventListener("abort", check);
    check();
  });
}
