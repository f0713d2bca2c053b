// Converts table rows to and from the values of the store API. Both databases have the same columns.

import { deepFreeze, type Json } from "../../../core/kit/json.js";
import type { Ask, AskStatus } from "../../../core/model/ask.js";
import { OUTCOME_KINDS } from "../../../core/model/kinds.js";
import type { ListQuery, LogAppend, LogEntry, StoredRecord } from "../../seam/store.js";

/** The part of an ask that never changes. It is stored as one JSON text; everything else has its own column. */
export type Content = Omit<Ask, "status" | "deadline" | "overdue" | "settledAt" | "outcome">;

export interface AskRow {
  readonly position: number;
  readonly id: string;
  readonly status: AskStatus;
  readonly deadline: number | null;
  readonly overdue: number | boolean;
  readonly settled_at: number | null;
  readonly outcome: string | null;
  /** The recipients that were added later, as a JSON list. */
  readonly added: string | null;
  readonly content: string;
}

export function contentOf({ status, deadline, overdue, settledAt, outcome, ...content }: Ask): Content {
  return content;
}

export function toAsk(row: AskRow): Ask {
  return askOf(deepFreeze(JSON.parse(row.content) as Content), row);
}

/** Like `toAsk`, with content that is already parsed. */
export function askOf(content: Content, row: Omit<AskRow, "content">): Ask {
  const { status, deadline, overdue, settled_at, outcome, added } = row;
  return Object.freeze({
    ...content,
    ...(added !== null && { recipients: withAdded(content.recipients, added) }),
    status,
    ...(deadline !== null && { deadline }),
    ...(overdue && { overdue: true as const }),
    ...(settled_at !== null && { settledAt: settled_at }),
    ...(outcome !== null && { outcome: deepFreeze(JSON.parse(outcome) as NonNullable<Ask["outcome"]>) }),
  });
}

function withAdded(recipients: readonly string[], added: string): readonly string[] {
  return Object.freeze([...recipients, ...(JSON.parse(added) as readonly string[])]);
}

/** A copy that later changes by the caller cannot reach. Frozen values, as parsers and hubs pass on, are not copied. */
export function snapshot<T>(value: T): T {
  return Object.isFrozen(value) ? value : deepFreeze(structuredClone(value));
}

/** The statuses that a query selects. */
export function statusesOf({ status }: ListQuery): readonly AskStatus[] {
  if (status === undefined) return ["pending", ...OUTCOME_KINDS];
  return status === "settled" ? OUTCOME_KINDS : [status];
}

/** A log entry with its data already serialized, so that bad data fails before anything is written. */
export interface NewEntryRow {
  readonly log: string;
  readonly type: string;
  readonly subject: string | null;
  readonly data: string | null;
  /** When the event happened. Defaults to the time of the write. */
  readonly at?: number;
}

export function toEntryRow({ log, type, subject, data }: LogAppend): NewEntryRow {
  return { log, type, subject: subject ?? null, data: data === undefined ? null : JSON.stringify(data) };
}

export interface EntryRow extends Omit<NewEntryRow, "log" | "at"> {
  readonly position: number;
  readonly at: number;
}

export function toEntry({ position, at, type, subject, data }: EntryRow): LogEntry {
  return {
    ...{ position, at, type },
    ...(subject !== null && { subject }),
    ...(data !== null && { data: deepFreeze(JSON.parse(data) as Json) }),
  };
}

export interface RecordRow {
  readonly key: string;
  readonly value: string;
  readonly version: number;
  readonly expires_at: number | null;
  readonly available_at: number | null;
}

export function toRecord({ key, value, version, expires_at, available_at }: RecordRow): StoredRecord {
  return {
    key,
    value: deepFreeze(JSON.parse(value) as Json),
    version,
    ...(expires_at !== null && { expiresAt: expires_at }),
    ...(available_at !== null && { availableAt: available_at }),
  };
}
