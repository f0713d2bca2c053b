// Ends asks: validates the input, applies core's pure transition, and lets the store's guard decide a race.

import { formatIssues, type Issue } from "../../core/kit/issue.js";
import { keepNewest } from "../../core/kit/tools.js";
import type { Ask, DeliveredAsk } from "../../core/model/ask.js";
import { deliverAsk, deliverOutcome } from "../../core/model/delivery.js";
import { type Ending, type EndingMethods, endingMethods, misfitOf } from "../../core/model/ending.js";
import { AsklineError, noSuchAsk } from "../../core/model/error.js";
import type { Answerer, Outcome } from "../../core/model/outcome.js";
import { mayAnswer } from "../../core/model/visibility.js";
import { type LifecycleEvent, transition } from "../../core/rules/lifecycle.js";
import { requireAnswerer } from "../../core/rules/parse-answerer.js";
import { validateEnding, validateReason } from "../../core/rules/validate-ending.js";
import { displayAnswerer } from "../../core/text/display.js";
import { ruleEntries } from "../records/rules.js";
import { endEntries } from "../records/transcripts.js";
import { contentSize } from "../seam/ask-size.js";
import type { Hub } from "../seam/port.js";
import type { Changed, RecordPut, Store } from "../seam/store.js";

/** The records to store in the transaction that settles the ask so. */
export type RecordsOf = (ask: Ask, outcome: Outcome) => Promise<readonly RecordPut[]>;

/** The end of an ask that no person gives. */
export interface Closing {
  readonly type: "withdraw" | "unreachable";
  readonly reason?: string | undefined;
}

export interface Settling {
  /** Ends the ask and returns it. A repeat of the same ending also returns it. Rejects if the ask cannot end so. */
  settle(id: string, ending: Ending, by: Answerer, settlementId?: string): Promise<DeliveredAsk>;
  /** The same for an end that no person gives. */
  close(id: string, closing: Closing): Promise<DeliveredAsk>;
  /** Returns the ask. Rejects if it does not exist, or if `by` may not answer it. */
  find(id: string, by?: Answerer): Promise<Ask>;
  /** Remembers an ask that was just stored: it will probably end here, and then need not be read first. */
  expect(ask: Ask): void;
}

/** How many asks are remembered. This is safe: the content of an ask never changes, and the store checks its state. */
const MAX_EXPECTED = 256;
/** Asks with more characters than this are read again, to bound the memory. */
const LARGEST_EXPECTED = 16_384;

export function createSettling(
  store: Store,
  newSettlementId: () => string,
  onChange: (changed: Changed) => void,
  recordsOf: RecordsOf,
): Settling {
  const find: Settling["find"] = async (id, by) => {
    const ask = await store.asks.get(id);
    if (ask === undefined) throw noSuchAsk(id);
    if (by !== undefined) requireRecipient(ask, by);
    return ask;
  };

  const expected = new Map<string, Ask>();
  /** The event for a remembered ask, if it is valid for the ask as it was stored. */
  const expectedEvent = (
    id: string,
    toEvent: ToEvent,
    by: Answerer | undefined,
  ): { ask: Ask; event: LifecycleEvent } | undefined => {
    const ask = expected.get(id);
    if (ask === undefined) return undefined;
    expected.delete(id);
    try {
      if (by !== undefined) requireRecipient(ask, by);
      return { ask, event: toEvent(ask) };
    } catch {
      // The caller reads the ask again, so that the error describes its current state.
      return undefined;
    }
  };

  const end = async (
    id: string,
    toEvent: ToEvent,
    by?: Answerer,
    settlementId = newSettlementId(),
  ): Promise<DeliveredAsk> => {
    const known = expectedEvent(id, toEvent, by);
    let ask = known?.ask ?? (await find(id, by));
    const event = known?.event ?? toEvent(ask);
    // Repeat while the ask is pending: its deadline may have passed, or moved, since it was read.
    for (;;) {
      const step = transition(ask, event, store.now());
      if (step.kind === "repeated") return deliverAsk(ask);
      const late = step.kind === "refused" && step.refusal.code === "too_late" ? step.refusal : undefined;
      const outcome = step.kind === "settled" ? step.outcome : late?.outcome;
      if (outcome === undefined) throw refused(ask, event);
      const change =
        late === undefined
          ? { settlementId, outcome, when: ask.onDeadline === "wait" ? ("anytime" as const) : undefined }
          : { settlementId: newSettlementId(), outcome, when: "due" as const };
      const settle = { kind: "settle", ...change } as const;
      const entries = endEntries(ask, outcome);
      const changeWith = (records: readonly RecordPut[]): Promise<Changed | undefined> =>
        store.asks.change(id, settle, [...entries, ...ruleEntries(records)], records);
      const changed =
        outcome.kind !== "decided" || late !== undefined
          ? await store.asks.change(id, settle, entries)
          : await changeWith(await recordsOf(ask, outcome));
      if (changed === undefined) throw noSuchAsk(id);
      if (changed.applied) onChange(changed);
      if (changed.applied && late === undefined) return deliverAsk(changed.ask);
      ask = changed.ask;
      if (ask.outcome !== undefined) break;
    }
    // The ask has ended: this call is a repeat, or it lost against another ending or the deadline.
    if (transition(ask, event, store.now()).kind === "repeated") return deliverAsk(ask);
    throw refused(ask, event);
  };

  return {
    find,
    expect(ask) {
      if (ask.approval !== undefined || contentSize(ask) > LARGEST_EXPECTED) return;
      expected.set(ask.id, ask);
      keepNewest(expected, MAX_EXPECTED);
    },
    // Not async: that would add microtask turns to each answer.
    settle(id, ending, by, settlementId) {
      try {
        requireAnswerer(by);
      } catch (error) {
        return Promise.reject(error);
      }
      return end(id, (ask) => endingEvent(ask, ending, by), by, settlementId);
    },
    close: (id, { type, reason }) => {
      const toEvent: ToEvent = (ask) => {
        const { ok: _ok, ...content } = valid(ask, validateReason(reason));
        return { type, ...content };
      };
      return end(id, toEvent);
    },
  };
}

/** Throws if the ask cannot end so. */
type ToEvent = (ask: Ask) => LifecycleEvent;

function requireRecipient(ask: Ask, by: Answerer): void {
  if (by.kind !== "person" || mayAnswer(by.id, ask)) return;
  throw new AsklineError("forbidden", `${by.id} is not among the recipients of ${ask.id}`);
}

function endingEvent(ask: Ask, ending: Ending, by: Answerer): LifecycleEvent {
  const misfit = misfitOf(ask, ending?.type);
  if (misfit !== undefined) throw new AsklineError("wrong_kind", misfit);
  return { ...valid(ask, validateEnding(ask, ending)).ending, by };
}

/** For a settled ask, the error reports the outcome rather than what is invalid. */
function valid<T extends { readonly ok: true }>(
  ask: Ask,
  checked: T | { readonly ok: false; readonly issues: readonly Issue[] },
): T {
  if (checked.ok) return checked;
  if (ask.outcome !== undefined) throw alreadySettled(ask, ask.outcome);
  throw new AsklineError("invalid_answer", `invalid answer to ${ask.id}:\n${formatIssues(checked.issues)}`, {
    issues: checked.issues,
  });
}

function refused(ask: Ask, event: LifecycleEvent): AsklineError {
  return ask.outcome === undefined
    ? new AsklineError("wrong_kind", `${event.type} does not end an ask`)
    : alreadySettled(ask, ask.outcome, textsOf(event));
}

/** If the deadline ended the ask, the error returns the texts that were not stored, so they are not lost. */
function alreadySettled(ask: Ask, outcome: Outcome, texts: readonly string[] = []): AsklineError {
  const by = "by" in outcome ? ` by ${displayAnswerer(outcome.by)}` : "";
  const deadline = outcome.kind === "expired" || ("by" in outcome && outcome.by.kind === "policy");
  const sent =
    deadline && texts.length > 0
      ? `; this was not stored: ${texts.map((text) => JSON.stringify(text)).join(", ")}`
      : "";
  return new AsklineError("already_settled", `${ask.id} was already ${outcome.kind}${by}${sent}`, {
    outcome: deliverOutcome(ask, outcome),
  });
}

/** The texts that a person typed. */
function textsOf(event: LifecycleEvent): readonly string[] {
  if (!("by" in event)) return [];
  const { answers = [], decisions = [], note, reason, text }: Texts = event;
  return [
    ...answers.flatMap((answer) => [answer.text, answer.note]),
    ...decisions.map(({ message }) => message),
    ...[note, reason, text],
  ].filter((each) => each !== undefined);
}

interface Texts {
  readonly answers?: readonly { readonly text?: string; readonly note?: string }[];
  readonly decisions?: readonly { readonly kind: string; readonly message?: string }[];
  readonly note?: string;
  readonly reason?: string | undefined;
  readonly text?: string;
}

/** The person's side of the hub, as far as it ends an ask; also what an agent reports that a person did elsewhere. */
export type Endings = Pick<Hub, "settle" | "report" | keyof EndingMethods<never, never>>;

/** `closed` is the error of a hub that was closed. */
export function createEndings(settling: Settling, closed: () => AsklineError | undefined): Endings {
  // Not async: that would add a microtask turn to each answer.
  const settle: Settling["settle"] = (...call) => {
    const error = closed();
    return error === undefined ? settling.settle(...call) : Promise.reject(error);
  };
  // `options?.`: an untyped caller may omit the options, and must get a rejection, not a synchronous throw.
  const settleAs: Hub["settle"] = (id, ending, options) =>
    settle(id, ending, options?.by, options?.settlementId);

  return {
    settle: settleAs,
    ...endingMethods(settleAs),
    // Async: an untyped caller may omit the options.
    async report(id, ending, { person, surface, via, settlementId }) {
      return settle(id, ending, { kind: "person", id: person, surface, via }, settlementId);
    },
  };
}
