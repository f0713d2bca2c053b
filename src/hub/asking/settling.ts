// Ends asks: validates the input, applies core's pure transition, and lets the store's guard decide a race.

import {
  type Answerer,
  type Ask,
  AsklineError,
  type DecisionSubmission,
  type DeliveredAsk,
  deliverAsk,
  deliverOutcome,
  displayAnswerer,
  formatIssues,
  type Issue,
  type LifecycleEvent,
  type Outcome,
  type Submission,
  transition,
  validateDecisions,
  validateReason,
  validateReply,
  validateSubmission,
} from "../../core/index.js";
import { keepNewest } from "../../core/kit/tools.js";
import { noSuchAsk } from "../../core/model/error.js";
import { mayAnswer } from "../../core/model/visibility.js";
import { requireAnswerer } from "../../core/rules/parse-answerer.js";
import { refuseRemembering } from "../../core/rules/remembering.js";
import { ruleEntries } from "../records/rules.js";
import { endEntries } from "../records/transcripts.js";
import { contentSize } from "../seam/ask-size.js";
import type { Changed, RecordPut, Store } from "../seam/store.js";

/** A request to end an ask, not yet validated. */
export type Ending =
  | { readonly type: "answer"; readonly submission: Submission; readonly by: Answerer }
  | { readonly type: "decide"; readonly submission: DecisionSubmission; readonly by: Answerer }
  | { readonly type: "decline"; readonly reason: string | undefined; readonly by: Answerer }
  | { readonly type: "reply"; readonly text: string; readonly by: Answerer }
  | { readonly type: "withdraw"; readonly reason?: string }
  | { readonly type: "unreachable"; readonly reason?: string };

/** The records to store in the transaction that settles the ask so. */
export type RecordsOf = (ask: Ask, outcome: Outcome) => Promise<readonly RecordPut[]>;

export interface Settling {
  /** Ends the ask and returns it. A repeat of the same ending also returns it. Rejects if the ask cannot end so. */
  end(id: string, ending: Ending, settlementId?: string, recordsOf?: RecordsOf): Promise<DeliveredAsk>;
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
): Settling {
  const find: Settling["find"] = async (id, by) => {
    const ask = await store.asks.get(id);
    if (ask === undefined) throw noSuchAsk(id);
    if (by !== undefined) requireRecipient(ask, by);
    return ask;
  };

  const expected = new Map<string, Ask>();
  /** The ending event of a remembered ask, if it is valid for the ask as it was stored. */
  const expectedEvent = (id: string, ending: Ending): { ask: Ask; event: LifecycleEvent } | undefined => {
    const ask = expected.get(id);
    if (ask === undefined) return undefined;
    expected.delete(id);
    try {
      if ("by" in ending) requireRecipient(ask, ending.by);
      return { ask, event: toEvent(ask, ending) };
    } catch {
      // The caller reads the ask again, so that the error describes its current state.
      return undefined;
    }
  };

  return {
    find,
    expect(ask) {
      if (ask.approval !== undefined || contentSize(ask) > LARGEST_EXPECTED) return;
      expected.set(ask.id, ask);
      keepNewest(expected, MAX_EXPECTED);
    },
    async end(id, ending, settlementId = newSettlementId(), recordsOf) {
      if ("by" in ending) requireAnswerer(ending.by);
      const known = expectedEvent(id, ending);
      let ask = known?.ask ?? (await find(id, "by" in ending ? ending.by : undefined));
      const event = known?.event ?? toEvent(ask, ending);
      // Repeat while the ask is pending: its deadline may have passed, or moved, since it was read.
      for (;;) {
        const step = transition(ask, event, store.now());
        if (step.kind === "repeated") return deliverAsk(ask);
        const late = step.kind === "refused" && step.refusal.code === "too_late" ? step.refusal : undefined;
        const outcome = step.kind === "settled" ? step.outcome : late?.outcome;
        if (outcome === undefined) throw refused(ask, event);
        const change =
          late === undefined
            ? { settlementId, outcome, ...(ask.onDeadline === "wait" && { when: "anytime" as const }) }
            : { settlementId: newSettlementId(), outcome, when: "due" as const };
        const settle = { kind: "settle", ...change } as const;
        const entries = endEntries(ask, outcome);
        const changeWith = (records: readonly RecordPut[]): Promise<Changed | undefined> =>
          store.asks.change(id, settle, [...entries, ...ruleEntries(records)], records);
        const changed =
          recordsOf === undefined || late !== undefined
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
    },
  };
}

function requireRecipient(ask: Ask, by: Answerer): void {
  if (by.kind !== "person" || mayAnswer(by.id, ask)) return;
  throw new AsklineError("forbidden", `${by.id} is not among the recipients of ${ask.id}`);
}

/** Validates an ending. For a settled ask, the error reports the outcome rather than the invalid answer. */
function toEvent(ask: Ask, ending: Ending): LifecycleEvent {
  switch (ending.type) {
    case "answer": {
      if (ask.approval !== undefined) return { type: "answer", answers: [], by: ending.by };
      const { answers, note } = valid(ask, validateSubmission(ask, ending.submission));
      const { by } = ending;
      return note === undefined ? { type: "answer", answers, by } : { type: "answer", answers, note, by };
    }
    case "decide": {
      if (ask.approval === undefined) return { type: "decide", decisions: [], by: ending.by };
      const { decisions, note } = valid(
        ask,
        refuseRemembering(ask, validateDecisions(ask, ending.submission)),
      );
      return { type: "decide", decisions, ...(note !== undefined && { note }), by: ending.by };
    }
    case "decline": {
      const { reason } = valid(ask, validateReason(ending.reason));
      return { type: "decline", ...(reason !== undefined && { reason }), by: ending.by };
    }
    case "reply":
      return { type: "reply", text: valid(ask, validateReply(ending.text)).text, by: ending.by };
    case "withdraw":
    case "unreachable": {
      const { reason } = valid(ask, validateReason(ending.reason));
      return { type: ending.type, ...(reason !== undefined && { reason }) };
    }
  }
}

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
  const step = transition(ask, event, 0);
  if (step.kind === "refused" && step.refusal.code === "wrong_kind") {
    return new AsklineError("wrong_kind", step.refusal.message);
  }
  if (ask.outcome !== undefined) return alreadySettled(ask, ask.outcome, textsOf(event));
  return new AsklineError("wrong_kind", `${event.type} does not end an ask`);
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
  switch (event.type) {
    case "answer":
      return texts(...event.answers.flatMap(({ text, note }) => [text, note]), event.note);
    case "decide":
      return texts(
        ...event.decisions.map((decision) => ("message" in decision ? decision.message : undefined)),
        event.note,
      );
    case "decline":
      return texts(event.reason);
    case "reply":
      return [event.text];
    default:
      return [];
  }
}

function texts(...values: readonly (string | undefined)[]): readonly string[] {
  return values.filter((text) => text !== undefined);
}
