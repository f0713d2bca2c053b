// The inbox of a person at this terminal: follows the asks, rings when one comes in, and opens their forms.

import { messageOf } from "../../../core/kit/tools.js";
import type { Ask } from "../../../core/model/ask.js";
import type { Draft } from "../../../core/model/draft.js";
import { hasOmittedPreviews } from "../../../core/model/omitted-previews.js";
import type { AskFilter } from "../../../core/model/ports.js";
import { displayLine } from "../../../core/text/display.js";
import { inboxWords } from "../../../core/words/terminal-inbox.js";
import type { FormEvent } from "../../form/event.js";
import type { LiveFormOptions } from "../../form/live-form.js";
import { isMutedIn } from "../../inbox/crowd.js";
import { crowdControl, type MutingInbox } from "../../inbox/crowd-control.js";
import { followAsks, type LiveAsks, type WatchedInbox } from "../../inbox/live-asks.js";
import { type AnswerAskOptions, answerAsk } from "../answer-ask.js";
import { nodeTerminal } from "../screen/terminal.js";
import { type SurfaceOptions, surfaceOf } from "../surface.js";
import { runPlainInbox } from "./plain-inbox.js";
import { type InboxEnding, type OpenedAsk, runRichInbox } from "./rich-inbox.js";

export interface RunInboxOptions extends SurfaceOptions {
  readonly inbox: WatchedInbox &
    MutingInbox & {
      readonly rules?: unknown;
      opened?(id: string, options: { readonly by: LiveFormOptions["by"] }): Promise<void>;
    };
  readonly by: LiveFormOptions["by"];
  readonly url: string;
  readonly filter: AskFilter;
  /** Whether the terminal rings when an ask comes in. */
  readonly bell: boolean;
}

export interface InboxResult {
  readonly ending: InboxEnding;
  /** Why it could not go on, for `failed`. */
  readonly failure: unknown;
  /** The asks for which something was typed that could not be saved. */
  readonly unsaved: readonly string[];
}

const BELL_MS = 1_000;

export async function runInbox(options: RunInboxOptions, signal: AbortSignal): Promise<InboxResult> {
  const { inbox, by, url, filter, bell, ...surfaceOptions } = options;
  const surface = surfaceOf(surfaceOptions);
  const { input, output, environment, clock, locale, capabilities, isPlain } = surface;
  const words = inboxWords(locale);
  const live = await followAsks(inbox, { filter, clock });
  const crowd = crowdControl({ inbox: () => inbox, live: () => live, by: () => by, words: () => words });
  await crowd.read();
  const unsaved = new Map<string, Draft>();
  let rang = Number.NEGATIVE_INFINITY;
  const unsubscribe = live.subscribe({
    changed: () => undefined,
    arrived(ask) {
      if (!bell || isMutedIn(crowd.muted, ask) || clock.monotonic() - rang < BELL_MS) return;
      rang = clock.monotonic();
      output.write("\x07");
    },
  });

  const show = async (listed: Ask, first?: FormEvent): Promise<OpenedAsk> => {
    let ask = listed;
    try {
      // A list leaves out the previews of a large ask.
      if (hasOmittedPreviews(listed)) ask = await inbox.get(listed.id);
    } catch (error) {
      return { notice: words.cannotOpen(displayLine(messageOf(error))) };
    }
    void inbox.opened?.(ask.id, { by }).catch(() => undefined);
    const shown = await answerAsk(
      ask,
      {
        ...surfaceOptions,
        inbox,
        by,
        follow: followListed(live, inbox, ask.id),
        unsaved: unsaved.get(ask.id),
        first,
        reportsEnd: false,
      },
      signal,
    );
    if (shown.unsaved === undefined) unsaved.delete(ask.id);
    else unsaved.set(ask.id, shown.unsaved);
    const { phase } = shown.driver.state;
    if (phase.kind === "settled") live.end(ask.id, phase.outcome);
    if (shown.kind === "interrupted" || shown.kind === "ended") return { leave: shown.kind };
    return shown.unsaved === undefined ? {} : { notice: words.unsaved };
  };

  let shown: Promise<unknown> = Promise.resolve();
  const open = (ask: Ask, first?: FormEvent): Promise<OpenedAsk> => {
    const opened = show(ask, first);
    shown = opened.catch(() => undefined);
    return opened;
  };

  try {
    const common = { live, crowd, clock, locale, url, signal, open };
    const ending = await (isPlain
      ? runPlainInbox({ ...common, input, output })
      : runRichInbox({
          ...common,
          terminal: nodeTerminal({ input, output, capabilities }),
          capabilities,
          setTitle: titleSetter((text) => output.write(text), environment.TERM),
        }));
    // A signal ends the list at once; the form that was open still saves what was typed.
    await shown;
    for (const [id, draft] of unsaved) {
      await inbox.saveDraft(id, draft, { by }).then(
        () => unsaved.delete(id),
        () => undefined,
      );
    }
    return { ending, failure: live.failure, unsaved: [...unsaved.keys()] };
  } finally {
    unsubscribe();
    await live.close();
  }
}

/** What happens to one ask of the list. One that is gone already has ended before the form was open. */
function followListed(
  live: LiveAsks,
  inbox: Pick<WatchedInbox, "get">,
  id: string,
): AnswerAskOptions["follow"] {
  return (listener) => {
    let isOver = false;
    const check = (): void => {
      if (isOver || live.entries.some(({ ask }) => ask.id === id)) return;
      isOver = true;
      const known = live.ended.find(({ ask }) => ask.id === id);
      if (known !== undefined) listener.ended(known.outcome);
      else
        void inbox.get(id).then(
          ({ outcome }) => outcome && listener.ended(outcome),
          () => undefined,
        );
    };
    const unsubscribe = live.subscribe({
      changed: check,
      draft: ({ askId }) => {
        if (askId === id) listener.draft();
      },
      missed: () => listener.draft(),
    });
    check();
    return unsubscribe;
  };
}

// The console of Linux and dumb terminals would show the sequences.
const WITHOUT_TITLE = /^(linux|dumb|vt\d+|cons\d*)?$/;

/** Keeps the title that was there in the terminal's own stack, and brings it back. */
function titleSetter(
  write: (text: string) => void,
  term: string | undefined,
): (text: string | undefined) => void {
  let current: string | undefined;
  return (text) => {
    if (text === current || WITHOUT_TITLE.test(term ?? "")) return;
    if (text === undefined) write("\x1b]2;\x07\x1b[23;2t");
    else write(`${current === undefined ? "\x1b[22;2t" : ""}\x1b]2;${text}\x07`);
    current = text;
  };
}
