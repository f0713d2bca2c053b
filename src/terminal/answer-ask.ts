import type { Ask, Inbox } from "../core/index.js";
import { type LiveForm, type LiveFormOptions, openForm } from "../form/index.js";
import { type ShownEnding, type SurfaceOptions, showForm } from "./surface.js";

export interface AnswerAskOptions extends SurfaceOptions {
  readonly inbox: LiveFormOptions["inbox"] & Pick<Inbox, "watch">;
  readonly by: LiveFormOptions["by"];
}

/**
 * Shows an ask that a server keeps, with the person's draft. What is typed is saved while it is typed; an ask that ends
 * elsewhere closes the form and says by whom. Leaving and Ctrl+C leave it pending.
 */
export async function answerAsk(
  ask: Ask,
  { inbox, by, ...options }: AnswerAskOptions,
  signal: AbortSignal,
): Promise<ShownEnding> {
  const over = new AbortController();
  const stop = AbortSignal.any([signal, over.signal]);
  let live: LiveForm | undefined;
  const open = async (changed: () => void): Promise<LiveForm> => {
    const clock = options.clock === undefined ? {} : { clock: options.clock };
    const form = await openForm(ask, { inbox, by, onChange: changed, ...clock });
    live = form;
    void follow(form);
    return form;
  };
  /** The stream reconnects by itself; where it cannot be had at all, sending says what has happened. */
  const follow = async (form: LiveForm): Promise<void> => {
    try {
      for await (const { id, outcome } of inbox.watch({ session: ask.session }, { signal: stop })) {
        if (id === ask.id && outcome !== undefined) form.dispatch({ type: "settled", outcome });
      }
    } catch {
      return;
    }
  };
  try {
    return await showForm({ ask, open, staysPending: true }, options, signal);
  } finally {
    over.abort();
    await live?.close();
  }
}
