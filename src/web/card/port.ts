// What a card sends goes to its client, and to the page as events. Without a client, the events are all there is.

import { type Answerer, type Ask, isRecord, type Outcome } from "../../core/index.js";
import type { LiveFormOptions } from "../../form/index.js";
import type { CardClient, CardEventName, CardEvents } from "../types.js";

type FormInbox = LiveFormOptions["inbox"];
type SentName = Exclude<CardEventName, "draft" | "settled">;

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
    async answer(_id, submission, options) {
      const outcome = await announce("answer", submission as Body<"answer">);
      return (
        client?.answer(id, submission, options) ??
        ended(outcome, { kind: "answered", ...submission, by: options.by } as Outcome)
      );
    },
    async decide(_id, submission, options) {
      const outcome = await announce("decide", submission as Body<"decide">);
      return (
        client?.decide(id, submission, options) ??
        ended(outcome, { kind: "decided", ...submission, by: options.by } as Outcome)
      );
    },
    async decline(_id, reason, options) {
      const given = reason === undefined ? {} : { reason };
      const outcome = await announce("decline", given);
      return (
        client?.decline(id, reason, options) ?? ended(outcome, { kind: "declined", ...given, by: options.by })
      );
    },
    async reply(_id, text, options) {
      const outcome = await announce("reply", { text });
      return client?.reply(id, text, options) ?? ended(outcome, { kind: "replied", text, by: options.by });
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

  type Body<Name extends SentName> = Omit<CardEvents[Name], "id" | "waitUntil">;

  /** Resolves with the outcome that the page reports, if it does. */
  async function announce<Name extends SentName>(name: Name, body: Body<Name>): Promise<Outcome | undefined> {
    let stored: Promise<unknown> | undefined;
    fire(target, name, {
      ...body,
      id,
      waitUntil(promise: Promise<unknown>) {
        stored = Promise.resolve(promise);
      },
    } as unknown as CardEvents[Name]);
    const result = await stored;
    if (!isRecord(result)) return undefined;
    return ("outcome" in result ? result.outcome : "kind" in result ? result : undefined) as
      | Outcome
      | undefined;
  }

  function ended(reported: Outcome | undefined, own: Outcome): Ask {
    const outcome = reported ?? own;
    return { ...ask, status: outcome.kind, outcome, settledAt: Date.now() };
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
