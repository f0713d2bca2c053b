// How many new messages about the asks of one asker a person gets in a minute, on all channels together. What is above
// the limit is not sent: a few seconds later, when a burst is over, each device gets one message with the number of the
// asks that wait besides.

import { isRecord, type Json } from "../../../core/kit/json.js";
import { defined } from "../../../core/kit/tools.js";
import type { Ask } from "../../../core/model/ask.js";
import { askerIdentity, mayAnswer } from "../../../core/model/visibility.js";
import { keyPrefix } from "../../../hub/delivery/outbox/entry.js";
import type { Attempt } from "../../../hub/delivery/outbox/lane.js";
import { PAGE_SIZE } from "../../../hub/seam/store.js";
import type { Notice, PeopleContext } from "./context.js";

const NAMESPACE = "messages-lately";
const MOST = 6;
const WINDOW_MS = 60_000;
const SUMMARY_AFTER_MS = 5_000;

interface Sent {
  /** The ask and step of messages, or the device that gets a summary. */
  readonly what: string;
  readonly at: number;
  readonly messages: number;
}

/** What a summary stands for: so many asks, and the first of them. */
export interface Rest {
  readonly ask: Ask;
  readonly count: number;
}

/** Sends the message; with `rest`, a summary in its place; with `attempt`, nothing now. */
export interface Admitted {
  readonly rest?: Rest;
  readonly attempt?: Attempt;
}

/**
 * Counts a message before it is sent. A retry, and the same message to another device, is not counted again. The ask
 * may have ended: the summary in its place is still due, its own message is not.
 */
export async function admitMessage(
  { store }: Pick<PeopleContext, "store">,
  ask: Ask,
  lane: string,
  { person, step, device = "", messages = 1 }: Notice,
): Promise<Admitted> {
  const key = `${turnOfAsk(ask)}/${encodeURIComponent(person)}`;
  const what = `${ask.id}/${step}`;
  const summary = `${lane}/${device} instead of `;
  for (;;) {
    const record = await store.records.get(NAMESPACE, key);
    const now = store.now();
    const sent = sentIn(record?.value).filter(({ at }) => at > now - WINDOW_MS);
    const find = (wanted: string): Sent | undefined => sent.find((one) => one.what === wanted);
    const due = find(summary + what);
    if (due !== undefined) {
      if (now < due.at + SUMMARY_AFTER_MS) return summaryLater(due.at);
      const rest = await restOf(store, ask, person, sent);
      return rest === undefined ? { attempt: { kind: "delivered" } } : { rest };
    }
    if (ask.outcome !== undefined) return { attempt: { kind: "delivered" } };
    if (find(what) !== undefined) return {};
    const count = sent.reduce((sum, one) => sum + one.messages, 0);
    // The messages of one ask belong together, even if a person has more devices than that.
    const fits = count === 0 || count + messages <= MOST;
    if (!fits && sent.some((one) => one.what.startsWith(summary))) return { attempt: { kind: "delivered" } };
    const added: Sent = fits ? { what, at: now, messages } : { what: summary + what, at: now, messages: 0 };
    const put = await store.records.put(NAMESPACE, key, [...sent, added] as unknown as Json, {
      expect: record?.version ?? null,
      expiresAt: now + WINDOW_MS,
    });
    if (put.ok) return fits ? {} : summaryLater(now);
  }
}

function summaryLater(at: number): Admitted {
  const reason = `a few seconds, for the summary: at most ${MOST} messages of one agent are sent in a minute`;
  return { attempt: { kind: "later", until: at + SUMMARY_AFTER_MS, reason } };
}

/** The asks that wait for the person besides those of the last messages. */
async function restOf(
  { asks }: PeopleContext["store"],
  ask: Ask,
  person: string,
  sent: readonly Sent[],
): Promise<Rest | undefined> {
  const { asker, owner } = ask;
  const identity = askerIdentity(ask);
  const isSent = (id: string): boolean => sent.some(({ what }) => what.startsWith(`${id}/`));
  let rest: Rest | undefined;
  for (let after: number | undefined; ; ) {
    const page = await asks.list({
      ...{ status: "pending", limit: 500, maxSize: PAGE_SIZE },
      ...defined({ asker, owner, after }),
    });
    for (const found of page.asks) {
      if (askerIdentity(found) !== identity || !mayAnswer(person, found) || isSent(found.id)) continue;
      rest = { ask: rest?.ask ?? found, count: (rest?.count ?? 0) + 1 };
    }
    if (page.next === undefined) return rest;
    after = page.next;
  }
}

/** Identifies the summary of an asker, whose place the next one takes. */
export function summaryId(ask: Ask): string {
  return `more-${turnOfAsk(ask)}`;
}

function turnOfAsk(ask: Ask): string {
  return keyPrefix(ask).split("/")[0] ?? "";
}

function sentIn(value: unknown): readonly Sent[] {
  // Safe to cast: only this file writes this namespace.
  return Array.isArray(value) ? value.filter(isRecord).map((one) => one as unknown as Sent) : [];
}
