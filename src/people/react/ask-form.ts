// A form without markup. The same form drives the card: it knows the steps, the rows, what is missing and what may be
// sent, and a page decides how all of it looks.

import { useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import type { Ask, AskInput } from "../../core/model/ask.js";
import type { Draft } from "../../core/model/draft.js";
import type { ValidEnding } from "../../core/model/ending.js";
import type { Inbox } from "../../core/model/ports.js";
import { requireAsk } from "../../core/rules/parse-ask.js";
import { createForm } from "../form/create-form.js";
import { endedHere } from "../form/ended-here.js";
import type { FormEvent } from "../form/event.js";
import { type FormInbox, type LiveForm, openForm } from "../form/live-form.js";
import type { FormState } from "../form/state.js";
import { updateForm } from "../form/update.js";
import { type FormView, viewForm } from "../form/view.js";
import { watchAsks } from "./live-asks.js";

type FormClient = FormInbox & Partial<Pick<Inbox, "watch">>;

export interface AskFormOptions {
  /** Where drafts and answers go. Without it, `onSubmit` gets what the person sends. */
  readonly client?: FormClient | undefined;
  /**
   * Called with what the person sends, before the client is. The form is sending until the promise settles; if it
   * rejects, the person can send again. It may resolve with the outcome as it was stored.
   */
  readonly onSubmit?: ((ending: ValidEnding) => unknown) | undefined;
  /** What was saved before; only without a client, which has it. */
  readonly draft?: unknown;
  /** Called at most once a second while the person types. */
  readonly onDraft?: ((draft: Draft) => unknown) | undefined;
  /** The id of the person; `me` by default. */
  readonly person?: string | undefined;
  /** The name of this surface, which is stored with the answer; `react` by default. */
  readonly surface?: string | undefined;
  readonly answerOnPick?: boolean | undefined;
  /** The page dispatches `shown` when all of an action has been on the screen; no other can be approved then. */
  readonly reportsShown?: boolean | undefined;
}

export interface AskForm {
  /** What to show: steps, rows, issues, and which events would do something now. */
  readonly view: FormView;
  readonly state: FormState;
  /** Whether the client, or `onDraft`, has what was typed. */
  readonly saving: LiveForm["saving"];
  dispatch(event: FormEvent): void;
}

/**
 * A form for an ask. Throws for one that cannot be asked.
 *
 * @example
 * const { view, dispatch } = useAskForm(ask, { client });
 * // view.rows: one for each option, text field and command; dispatch({ type: "pick", row: row.key })
 */
export function useAskForm(ask: Ask | AskInput, options: AskFormOptions = {}): AskForm {
  const { client, person = "me", surface = "react", answerOnPick = false, reportsShown = false } = options;
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  const identity = isStored(ask) ? ask.id : JSON.stringify(ask);
  // An equal ask in another object is the same ask.
  const store = useMemo(
    () =>
      createStore(isStored(ask) ? ask : stored(ask), {
        client,
        person,
        surface,
        answerOnPick,
        reportsShown,
        latest,
      }),
    [identity, client, person, surface, answerOnPick, reportsShown],
  );
  useEffect(() => store.open(), [store]);
  const outcome = isStored(ask) ? ask.outcome : undefined;
  useEffect(() => {
    if (outcome !== undefined) store.dispatch({ type: "settled", outcome });
  }, [store, outcome]);
  const { state, saving } = useSyncExternalStore(store.subscribe, store.snapshot, store.snapshot);
  const view = useMemo(() => viewForm(state), [state]);
  return useMemo(() => ({ view, state, saving, dispatch: store.dispatch }), [view, state, saving, store]);
}

interface Snapshot {
  readonly state: FormState;
  readonly saving: LiveForm["saving"];
}

interface FormStore {
  readonly snapshot: () => Snapshot;
  readonly subscribe: (listener: () => void) => () => void;
  readonly dispatch: (event: FormEvent) => void;
  /** Connects it until the returned function is called. */
  readonly open: () => () => void;
}

interface StoreOptions extends Required<Pick<AskFormOptions, "client">> {
  readonly person: string;
  readonly surface: string;
  readonly answerOnPick: boolean;
  readonly reportsShown: boolean;
  readonly latest: { readonly current: AskFormOptions };
}

function createStore(ask: Ask, options: StoreOptions): FormStore {
  const { client, person, surface, answerOnPick, reportsShown, latest } = options;
  const listeners = new Set<() => void>();
  let live: LiveForm | undefined;
  // What a person does before the draft has come is done again on what the draft gives.
  let early: FormEvent[] = [];
  let draft: unknown = latest.current.draft;
  let current: Snapshot = {
    state: createForm(ask, {
      surface,
      answerOnPick,
      reportsShown,
      draft: client === undefined ? draft : undefined,
    }),
    saving: "saved",
  };
  const show = (next: Snapshot): void => {
    current = next;
    for (const listener of [...listeners]) listener();
  };

  const inbox: FormInbox = {
    async settle(id, ending, options) {
      const reported = await latest.current.onSubmit?.(ending);
      return client?.settle(id, ending, options) ?? endedHere(ask, ending, options.by, reported);
    },
    async saveDraft(id, saved, options) {
      draft = saved;
      latest.current.onDraft?.(saved);
      await client?.saveDraft(id, saved, options);
    },
    async draft(id, options) {
      return client === undefined ? (draft as Draft | undefined) : client.draft(id, options);
    },
  };

  function dispatch(event: FormEvent): void {
    if (live !== undefined) {
      live.dispatch(event);
      return;
    }
    early.push(event);
    const state = updateForm(current.state, event, Date.now());
    // Nothing is sent before the form is connected.
    if (state.phase.kind !== "sending") show({ ...current, state });
  }

  return {
    snapshot: () => current,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dispatch,
    open() {
      const stop = new AbortController();
      const by = { kind: "person", id: person, surface } as const;
      const onChange = (form: LiveForm): void => {
        if (!stop.signal.aborted) show({ state: form.state, saving: form.saving });
      };
      void openForm(ask, { inbox, by, answerOnPick, reportsShown, onChange }).then((form) => {
        if (stop.signal.aborted) return;
        live = form;
        onChange(form);
        const waiting = early;
        early = [];
        for (const event of waiting) form.dispatch(event);
      });
      const unwatch =
        client?.watch === undefined || ask.outcome !== undefined
          ? undefined
          : watchAsks(client as Pick<Inbox, "watch">, {
              changed({ id, outcome }) {
                if (id === ask.id && outcome !== undefined) dispatch({ type: "settled", outcome });
              },
              failed: () => undefined,
            });
      return () => {
        stop.abort();
        unwatch?.();
        void live?.close();
        live = undefined;
      };
    },
  };
}

function isStored(ask: Ask | AskInput): ask is Ask {
  return "id" in ask && "status" in ask && "createdAt" in ask && Array.isArray(ask.questions);
}

function stored(input: AskInput): Ask {
  const { timeoutMs, ...request } = requireAsk(input);
  const createdAt = Date.now();
  return {
    ...request,
    id: "",
    status: "pending",
    createdAt,
    ...(timeoutMs !== undefined && { deadline: createdAt + timeoutMs }),
  };
}
