// What comes over the wire, checked as far as the client and its callers rely on it: an ask is what it says
// it is, and ended exactly when it has an outcome. What is inside of questions and answers is the server's
// to vouch for, as it has parsed them.

import {
  type Ask,
  type AskEvent,
  type AskPage,
  type Draft,
  isRecord,
  OUTCOME_KINDS,
  type Outcome,
} from "../core/index.js";
import { malformed } from "./failed-try.js";

type Fields = Readonly<Record<string, unknown>>;

/** The ask in `{ "ask": … }`; that of this id, where one is given. */
export function readAskBody(body: unknown, id?: string): Ask {
  const ask = readAsk(fieldsOf(body, "the body").ask);
  if (id !== undefined && ask.id !== id) throw malformed(`it holds ${ask.id} instead of ${id}`);
  return ask;
}

export function readAskPage(body: unknown): AskPage {
  const { asks, next } = fieldsOf(body, "the body");
  if (!Array.isArray(asks)) throw malformed("asks is no array");
  if (next !== undefined && next !== null && typeof next !== "string") {
    throw malformed("next is no string");
  }
  return { asks: asks.map(readAsk), ...(typeof next === "string" && { next }) };
}

export function readEvent(body: unknown): AskEvent {
  const fields = fieldsOf(body, "an event");
  const { position, at, type, askId, ask } = fields;
  if (!isPosition(position) || typeof at !== "number") throw malformed("an event has no position or time");
  if (typeof type !== "string" || typeof askId !== "string") throw malformed("an event has no type or ask");
  if (ask !== undefined && ask !== null) readAsk(ask);
  return fields as unknown as AskEvent;
}

export function readDraft(body: unknown): Draft | undefined {
  const { draft } = fieldsOf(body, "the body");
  if (draft === undefined || draft === null) return undefined;
  return fieldsOf(draft, "the draft") as Draft;
}

export function readLink(body: unknown): { readonly url: string; readonly expiresAt: number } {
  const { url, expiresAt } = fieldsOf(body, "the body");
  if (typeof url !== "string" || typeof expiresAt !== "number") throw malformed("it holds no link");
  return { url, expiresAt };
}

/** Undefined where it is no outcome. */
export function readOutcome(value: unknown): Outcome | undefined {
  if (!isRecord(value) || !isOneOf(OUTCOME_KINDS, value.kind)) return undefined;
  const whole =
    (value.kind !== "answered" || Array.isArray(value.answers)) &&
    (value.kind !== "decided" || Array.isArray(value.decisions)) &&
    (value.kind !== "replied" || typeof value.text === "string");
  return whole ? (value as unknown as Outcome) : undefined;
}

/** The position in a header or an event's id; undefined where it is none. */
export function readPosition(text: string | null): number | undefined {
  const position = text !== null && /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return isPosition(position) ? position : undefined;
}

function readAsk(value: unknown): Ask {
  const ask = fieldsOf(value, "an ask");
  if (typeof ask.id !== "string" || ask.id === "") throw malformed("an ask has no id");
  if (!Array.isArray(ask.questions) || !Array.isArray(ask.recipients)) {
    throw malformed(`${ask.id} has no questions or recipients`);
  }
  if (typeof ask.session !== "string" || typeof ask.createdAt !== "number") {
    throw malformed(`${ask.id} has no session or time`);
  }
  const outcome = readOutcome(ask.outcome);
  const consistent = ask.status === "pending" ? ask.outcome === undefined : outcome?.kind === ask.status;
  if (!consistent) throw malformed(`the status of ${ask.id} and its outcome do not fit`);
  return ask as unknown as Ask;
}

function fieldsOf(value: unknown, what: string): Fields {
  if (isRecord(value)) return value;
  throw malformed(`${what} is no object`);
}

function isPosition(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

export function isOneOf<T extends string>(values: readonly T[], value: unknown): value is T {
  return values.some((known) => known === value);
}
