// A form that is connected to an inbox: it restores the person's draft, saves it while they type, merges what
// their other surfaces save, and sends. Everything it decides, `updateForm` decides; here are only the calls.
//
// Calls about the draft are made one after the other, so that what the form believes the server to have is
// what it has. A save that fails is tried again; the text stays in the form.

import { type Clock, systemClock } from "../../core/kit/clock.js";
import { isRecord } from "../../core/kit/json.js";
import type { Ask } from "../../core/model/ask.js";
import type { ValidEnding } from "../../core/model/ending.js";
import type { Answerer } from "../../core/model/outcome.js";
import type { Inbox, SettleOptions } from "../../core/model/ports.js";
import { createForm } from "./create-form.js";
import { draftOf, needsSave } from "./draft.js";
import type { FormEvent, RefusedError } from "./event.js";
import type { FormState } from "./state.js";
import { updateForm } from "./update.js";

const SAVE_AFTER_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;

/** The part of an inbox that a form needs. */
export interface FormInbox extends Pick<Inbox, "saveDraft" | "draft"> {
  settle(id: string, ending: ValidEnding, options: SettleOptions): Promise<Ask>;
}

export interface LiveFormOptions {
  readonly inbox: FormInbox;
  /** The person who fills it in, at this surface. */
  readonly by: Extract<Answerer, { kind: "person" }>;
  /** Called after every change of `state` or `saving`. */
  readonly onChange: (form: LiveForm) => void;
  readonly answerOnPick?: boolean;
  readonly remembers?: boolean;
  readonly reportsShown?: boolean;
  readonly clock?: Clock;
}

export interface LiveForm {
  readonly state: FormState;
  /** Whether the server has the draft; `failed` while saves fail, and are tried again. */
  readonly saving: "saved" | "unsaved" | "failed";
  dispatch(event: FormEvent): void;
  /** Fetches the draft and merges it: call it when another surface has saved. Never rejects. */
  refresh(): Promise<void>;
  /** Saves what is not saved, once, and stops. Never rejects. */
  close(): Promise<void>;
}

/** Opens a form where the person's draft left it; without the draft where that cannot be fetched. */
export async function openForm(ask: Ask, options: LiveFormOptions): Promise<LiveForm> {
  const { inbox, by, onChange, clock = systemClock } = options;
  const draft = ask.outcome === undefined ? await fetchDraft() : undefined;
  let state = createForm(ask, { ...options, surface: by.surface, draft });
  let failures = 0;
  let cancelTimer: (() => void) | undefined;
  let lane: Promise<void> = Promise.resolve();
  let closed = false;

  const form: LiveForm = {
    get state() {
      return state;
    },
    get saving() {
      return !needsSave(state) ? "saved" : failures > 0 ? "failed" : "unsaved";
    },
    dispatch(event) {
      if (closed) return;
      const before = state;
      state = updateForm(before, event, clock.now());
      if (state === before) return;
      if (state.phase.kind === "sending" && before.phase.kind !== "sending") void send();
      saveLater();
      onChange(form);
    },
    refresh: () =>
      inTurn(async () => {
        form.dispatch({ type: "merge", draft: (await inbox.draft(ask.id, { by })) ?? {} });
      }),
    async close() {
      stopTimer();
      // Not in turn: a page that is left cannot wait for the save before. A client keeps their order.
      await Promise.allSettled([save(), lane]);
      stopTimer();
      closed = true;
    },
  };
  return form;

  async function fetchDraft(): Promise<unknown> {
    try {
      return await inbox.draft(ask.id, { by });
    } catch {
      return undefined;
    }
  }

  async function send(): Promise<void> {
    if (state.phase.kind !== "sending") return;
    try {
      const { outcome } = await inbox.settle(ask.id, state.phase.ending, { by });
      if (outcome !== undefined) form.dispatch({ type: "settled", outcome });
    } catch (error) {
      form.dispatch({ type: "refused", error: refusedBy(error) });
    }
  }

  async function save(): Promise<void> {
    if (state.phase.kind === "settled" || !needsSave(state)) return;
    const saved = draftOf(state);
    await inbox.saveDraft(ask.id, saved, { by });
    form.dispatch({ type: "saved", draft: saved });
  }

  /** Runs a call about the draft after those before it. A failure is tried again later, as a save. */
  function inTurn(call: () => Promise<void>): Promise<void> {
    lane = lane.then(async () => {
      try {
        await call();
        failures = 0;
      } catch (error) {
        failures += 1;
        const { outcome } = refusedBy(error);
        if (outcome !== undefined) form.dispatch({ type: "settled", outcome });
        else onChange(form);
      }
      saveLater();
    });
    return lane;
  }

  function saveLater(): void {
    if (closed || state.phase.kind === "settled" || !needsSave(state)) stopTimer();
    else if (cancelTimer === undefined) {
      const delay = Math.min(SAVE_AFTER_MS * 2 ** failures, LONGEST_RETRY_MS);
      cancelTimer = clock.schedule(delay, () => {
        cancelTimer = undefined;
        void inTurn(save);
      });
    }
  }

  function stopTimer(): void {
    cancelTimer?.();
    cancelTimer = undefined;
  }
}

/** Known by its name: another copy of the package may have made it. */
function refusedBy(error: unknown): RefusedError {
  const isOurs = isRecord(error) && error.name === "AsklineError";
  return isOurs ? (error as unknown as RefusedError) : { code: "internal" };
}
