// Checks the parts of a response that the client and its callers rely on: required fields of an ask, an event and an
// outcome exist, and an ask is settled exactly when it has an outcome. Questions and answers were parsed by the server.
//
// The model's tables are too large for a web page, so the TypeScript types guard this file instead: a required field
// that is missing here, or has the wrong type, does not compile.

import { isRecord } from "../core/kit/json.js";
import type { Ask, DeliveredAsk } from "../core/model/ask.js";
import { deliverAsk } from "../core/model/delivery.js";
import type { Draft } from "../core/model/draft.js";
import type { DraftHint } from "../core/model/draft-hint.js";
import type { AskEvent } from "../core/model/event.js";
import type { Outcome } from "../core/model/outcome.js";
import type { AskPage } from "../core/model/ports.js";
import { malformed } from "./failed-try.js";

type Fields = Readonly<Record<string, unknown>>;

/** The JSON types of the required fields. */
type TypesOf<T> = {
  readonly [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name] extends string
    ? "string"
    : T[Name] extends number
      ? "number"
      : T[Name] extends boolean
        ? "boolean"
        : T[Name] extends readonly unknown[]
          ? "array"
          : "object";
};

const ASK: TypesOf<Ask> = {
  id: "string",
  status: "string",
  createdAt: "number",
  questions: "array",
  session: "string",
  recipients: "array",
  onDeadline: "string",
  allowPartial: "boolean",
  requireSurface: "boolean",
};

const EVENT: TypesOf<AskEvent> = { position: "number", at: "number", type: "string", askId: "string" };

const DRAFT_HINT: TypesOf<DraftHint> = {
  askId: "string",
  session: "string",
  person: "string",
  surface: "string",
};

const OUTCOMES: {
  readonly [Kind in Outcome["kind"]]: Omit<TypesOf<Extract<Outcome, { kind: Kind }>>, "kind">;
} = {
  answered: { answers: "array", by: "object" },
  decided: { decisions: "array", by: "object" },
  declined: { by: "object" },
  replied: { text: "string", by: "object" },
  expired: {},
  withdrawn: {},
  unavailable: {},
};

/** The ask in `{ "ask": … }`, which must have this id if one is given. */
export function readAskBody(body: unknown, id?: string): DeliveredAsk {
  const ask = readAsk(fieldsOf(body, "the body").ask);
  if (id !== undefined && ask.id !== id) throw malformed(`it contains ${ask.id} instead of ${id}`);
  return ask;
}

export function readAskPage(body: unknown): AskPage<DeliveredAsk> {
  const { asks, next: after, awaited, unknown } = fieldsOf(body, "the body", { asks: "array" });
  const next = after ?? undefined;
  if (next !== undefined && typeof next !== "string") throw malformed("next is not a string");
  return {
    asks: (asks as readonly unknown[]).map(readAsk),
    next,
    unknown: Array.isArray(unknown) ? unknown.flatMap(readUnknown) : undefined,
    awaited: Array.isArray(awaited) ? awaited.filter((id) => typeof id === "string") : undefined,
  };
}

function readUnknown(entry: unknown): NonNullable<AskPage["unknown"]> {
  const { ask, people } = isRecord(entry) ? entry : {};
  return typeof ask === "string" && Array.isArray(people) ? [{ ask, people: people.map(String) }] : [];
}

export function readEvent(body: unknown): AskEvent<DeliveredAsk> {
  const fields = fieldsOf(body, "an event", EVENT);
  if (!isPosition(fields.position as number)) throw malformed("an event has no valid position");
  const { ask, ...event } = fields;
  return {
    ...(event as unknown as Omit<AskEvent, "ask">),
    ...(ask !== undefined && ask !== null && { ask: readAsk(ask) }),
  };
}

export function readDraft(body: unknown): Draft | undefined {
  const { draft } = fieldsOf(body, "the body");
  if (draft === undefined || draft === null) return undefined;
  return fieldsOf(draft, "the draft") as Draft;
}

export function readDraftHint(body: unknown): DraftHint {
  return fieldsOf(body, "a draft hint", DRAFT_HINT) as unknown as DraftHint;
}

interface Reply {
  readonly body: unknown;
}

/** Reads a body with these fields. */
export function bodyWith<T>(types: TypesOf<T>): (reply: Reply) => T {
  return ({ body }) => fieldsOf(body, "the body", types) as T;
}

/** Reads a list of objects, each with these fields. */
export function listIn<T>(name: string, types: TypesOf<T>): (reply: Reply) => readonly T[] {
  return ({ body }) => {
    const list = fieldsOf(body, "the body", { [name]: "array" })[name] as readonly unknown[];
    return list.map((item) => fieldsOf(item, `an item of ${name}`, types) as T);
  };
}

/** Undefined for anything that is not an outcome. */
export function readOutcome(value: unknown): Outcome | undefined {
  if (!isRecord(value) || typeof value.kind !== "string" || !Object.hasOwn(OUTCOMES, value.kind))
    return undefined;
  const types = OUTCOMES[value.kind as Outcome["kind"]];
  return missingField(value, types) === undefined ? (value as unknown as Outcome) : undefined;
}

/** The position in a header or an event's id; undefined for anything else. */
export function readPosition(text: string | null): number | undefined {
  const position = text !== null && /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return isPosition(position) ? position : undefined;
}

function readAsk(value: unknown): DeliveredAsk {
  const ask = fieldsOf(value, "an ask", ASK);
  const outcome = readOutcome(ask.outcome);
  const consistent = ask.status === "pending" ? ask.outcome === undefined : outcome?.kind === ask.status;
  if (!consistent) throw malformed(`the status of ${ask.id} does not match its outcome`);
  try {
    return deliverAsk(ask as unknown as Ask);
  } catch {
    throw malformed(`the answers of ${ask.id} cannot be read`);
  }
}

function fieldsOf(value: unknown, what: string, types: Fields = {}): Fields {
  if (!isRecord(value)) throw malformed(`${what} is not an object`);
  const missing = missingField(value, types);
  if (missing !== undefined) throw malformed(`${what} has no valid ${missing}`);
  return value;
}

function missingField(value: Fields, types: Fields): string | undefined {
  return Object.keys(types).find((name) => {
    const field = value[name];
    if (name === "id" && field === "") return true;
    return (Array.isArray(field) ? "array" : field === null ? field : typeof field) !== types[name];
  });
}

function isPosition(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

export function isOneOf<T extends string>(values: readonly T[], value: unknown): value is T {
  return values.some((known) => known === value);
}
