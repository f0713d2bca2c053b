import type { Ask } from "../../core/model/ask.js";
import type { Draft } from "../../core/model/draft.js";
import type { DraftHint } from "../../core/model/draft-hint.js";
import type { Outcome } from "../../core/model/outcome.js";
import type { AskFilter, Inbox } from "../../core/model/ports.js";
import { draftOf } from "../form/draft.js";
import type { FormEvent } from "../form/event.js";
import { type LiveForm, type LiveFormOptions, openForm } from "../form/live-form.js";
import { type ShownEnding, type SurfaceOptions, showForm } from "./surface.js";

export interface AnswerAskOptions extends SurfaceOptions {
  /** With `rules`, decisions can be remembered. */
  readonly inbox: LiveFormOptions["inbox"] & { readonly rules?: unknown };
  readonly by: LiveFormOptions["by"];
  /** Reports what happens to the ask elsewhere, until the returned function is called. */
  readonly follow: (listener: AskListener) => () => void;
  /** What the person typed before, where it could not be saved. */
  readonly unsaved?: Draft | undefined;
  /** What the person wants to do first, such as to decline. */
  readonly first?: FormEvent | undefined;
  /** Whether to write how the ask ended elsewhere; true by default. */
  readonly reportsEnd?: boolean;
}

export interface AskListener {
  ended(outcome: Outcome): void;
  /** The person has saved a draft, here or elsewhere. */
  draft(): void;
}

export interface AnswerEnding extends ShownEnding {
  /** What was typed and could not be saved. */
  readonly unsaved: Draft | undefined;
}

/**
 * Shows an ask that a server keeps, with the person's draft. What is typed is saved while it is typed, and what is
 * typed elsewhere appears; an ask that ends elsewhere closes the form and says by whom. Leaving and Ctrl+C leave it
 * pending.
 */
export async function answerAsk(
  ask: Ask,
  { inbox, by, follow, unsaved, first, reportsEnd, ...options }: AnswerAskOptions,
  signal: AbortSignal,
): Promise<AnswerEnding> {
  let live: LiveForm | undefined;
  let unfollow = (): void => undefined;
  const open = async (changed: () => void): Promise<LiveForm> => {
    const clock = options.clock === undefined ? {} : { clock: options.clock };
    let ended: Outcome | undefined;
    let isStale = false;
    // Before the draft is fetched, so that what happens meanwhile is not missed.
    unfollow = follow({
      ended(outcome) {
        ended = outcome;
        live?.dispatch({ type: "settled", outcome });
      },
      draft() {
        isStale = true;
        void live?.refresh();
      },
    });
    const form = await openForm(ask, {
      ...{ inbox, by, onChange: changed, ...clock },
      remembers: inbox.rules !== undefined,
      reportsShown: true,
    });
    live = form;
    if (unsaved !== undefined) form.dispatch({ type: "merge", draft: unsaved });
    if (first !== undefined) form.dispatch(first);
    if (ended !== undefined) form.dispatch({ type: "settled", outcome: ended });
    else if (isStale) void form.refresh();
    return form;
  };
  let shown: ShownEnding;
  try {
    const report = reportsEnd === undefined ? {} : { reportsEnd };
    shown = await showForm({ ask, open, staysPending: true, ...report }, options, signal);
  } finally {
    unfollow();
    await live?.close();
  }
  const { state, saving } = shown.driver;
  return { ...shown, unsaved: shown.kind === "settled" || saving === "saved" ? undefined : draftOf(state) };
}

/** What {@link followAsk} needs of a client. */
export interface FollowedInbox extends Pick<Inbox, "get"> {
  watch(
    filter: AskFilter,
    options: { readonly signal: AbortSignal; readonly onConnected: () => void },
  ): AsyncIterable<Ask>;
  onDraft(listener: (hint: DraftHint) => void): () => void;
}

/** Follows one ask over the streams of a client. They reconnect by themselves. */
export function followAsk(inbox: FollowedInbox, ask: Ask): AnswerAskOptions["follow"] {
  return (listener) => {
    const stop = new AbortController();
    const undraft = inbox.onDraft(({ askId }) => {
      if (askId === ask.id) listener.draft();
    });
    const ended = ({ id, outcome }: Ask): void => {
      if (id === ask.id && outcome !== undefined) listener.ended(outcome);
    };
    // A stream says nothing about what was before it: the ask may have ended since it was read.
    const onConnected = (): void => {
      listener.draft();
      void inbox.get(ask.id).then(ended, () => undefined);
    };
    const watch = async (): Promise<void> => {
      for await (const changed of inbox.watch({}, { signal: stop.signal, onConnected })) ended(changed);
    };
    // Where it cannot be had at all, sending says what has happened.
    void watch().catch(() => undefined);
    return () => {
      stop.abort();
      undraft();
    };
  };
}
