// What a card sends goes to its client, and to the page as events. Without a client, the events are all there is.

import type { Ask } from "../../../core/model/ask.js";
import { contentOf, type EndingType, type ValidEnding } from "../../../core/model/ending.js";
import type { Answerer } from "../../../core/model/outcome.js";
import { endedHere } from "../../form/ended-here.js";
import type { FormInbox } from "../../form/live-form.js";
import type { CardClient, CardEventName, CardEvents } from "../types.js";

export interface CardPort {
  readonly target: EventTarget;
  readonly ask: Ask;
  readonly client: CardClient | undefined;
  /** What the page gave as the draft, if there is no client to ask for it. */
  readonly draft: () => unknown;
  /** The ask as it is after a draft may have moved its deadline. */
  readonly extended: (ask: Ask) => void;
}

/** The inbox that a card's form is connected to. */
export function cardInbox({ target, ask, client, draft, extended }: CardPort): FormInbox {
  const { id } = ask;
  return {
    async settle(_id, ending, options) {
      const reported = await announce(ending);
      return client?.settle(id, ending, options) ?? endedHere(ask, ending, options.by, reported);
    },
    async saveDraft(_id, saved, by) {
      fire(target, "draft", { id, draft: saved });
      await client?.saveDraft(id, saved, by);
      if (client && ask.extendOnActivity) void client.get(id).then(extended, () => undefined);
    },
    async draft(_id, by) {
      return client === undefined
        ? (draft() as Awaited<ReturnType<FormInbox["draft"]>>)
        : client.draft(id, by);
    },
  };

  /** Resolves with what the page reports, if it does. */
  async function announce(ending: ValidEnding): Promise<unknown> {
    let stored: unknown;
    fire(target, ending.type, {
      ...contentOf(ending),
      id,
      waitUntil(promise: Promise<unknown>) {
        stored = promise;
      },
    } as unknown as CardEvents[EndingType]);
    return await stored;
  }
}

export function fire<Name extends CardEventName>(
  target: EventTarget,
  name: Name,
  detail: CardEvents[Name],
): void {
  target.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
}

/** The person at this card. */
export function personAt(id: string, surface: string): Extract<Answerer, { kind: "person" }> {
  return { kind: "person", id, surface };
}
