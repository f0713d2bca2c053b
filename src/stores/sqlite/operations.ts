// Every write of the store, as data: what is to be written can be sent to another thread, and run again.

import type { AskStatus } from "../../core/index.js";
import type { AskChange, Put } from "../../hub/store.js";
import type { AskRow } from "./ask-rows.js";
import type { EntryRow } from "./transaction.js";

/** What a write is asked to do, and what it says when it is done. */
export interface Operations {
  readonly insert: { readonly request: InsertRequest; readonly result: Written | null };
  readonly change: { readonly request: ChangeRequest; readonly result: ChangedRow | null | undefined };
  readonly claimDue: {
    readonly request: { readonly limit: number; readonly leaseMs: number };
    readonly result: readonly AskRow[];
  };
  /** Whether it was stored. */
  readonly restore: { readonly request: RestoreRequest; readonly result: boolean };
  readonly prune: { readonly request: PruneRequest; readonly result: Pruned };
  readonly append: { readonly request: readonly EntryRow[]; readonly result: readonly number[] };
  readonly put: { readonly request: PutRequest; readonly result: PutResult };
  readonly delete: {
    readonly request: { readonly namespace: string; readonly key: string; readonly expect: number | null };
    readonly result: boolean;
  };
  readonly claim: {
    readonly request: { readonly namespace: string; readonly limit: number; readonly leaseMs: number };
    readonly result: readonly RecordRow[];
  };
}

export type OperationName = keyof Operations;

/** Where and when the event of a write went into the event log. */
export interface Written {
  readonly position: number;
  readonly at: number;
}

/** The result is null where the id, or the session and key, are there already. */
export interface InsertRequest {
  readonly id: string;
  readonly session: string;
  readonly key: string | null;
  readonly agentId: string | null;
  readonly asker: string | null;
  /** Each once. */
  readonly recipients: readonly string[];
  readonly createdAt: number;
  readonly deadline: number | null;
  readonly overdue: 0 | 1;
  /** The ask as text. */
  readonly json: string;
  /** What is written to other logs besides the event. */
  readonly entries: readonly EntryRow[];
}

/** The result is null where the guard did not hold, and undefined where there was no such ask. */
export interface ChangeRequest {
  readonly id: string;
  readonly change:
    | { readonly kind: "settle"; readonly settlementId: string; readonly ifDue: boolean }
    | Exclude<AskChange, { readonly kind: "settle" }>;
  readonly status: AskStatus;
  /** The outcome as text. */
  readonly json: string | null;
  /** The event: its type, and its data as text. */
  readonly type: string;
  readonly data: string | null;
  /** What is written to other logs besides the event. */
  readonly entries: readonly EntryRow[];
}

/** What the one who asked for a change cannot know of the row, and where and when its event was written. */
export interface ChangedRow {
  readonly position: number;
  readonly deadline: number | null;
  readonly overdue: number;
  readonly event: number;
  readonly at: number;
}

/** An ask as another store kept it. */
export interface RestoreRequest extends Omit<InsertRequest, "json"> {
  readonly status: AskStatus;
  readonly settledAt: number | null;
  /** The outcome as text. */
  readonly outcome: string | null;
  /** The ask as text, as if it had been inserted. */
  readonly content: string;
}

export interface PruneRequest {
  readonly settledBefore: number;
  readonly limit: number;
  readonly namespaces: readonly string[];
}

export interface Pruned {
  readonly asks: number;
  readonly records: number;
}

export interface PutRequest {
  readonly namespace: string;
  readonly key: string;
  readonly json: string;
  readonly expect?: number | null;
  readonly expiresAt: number | null;
  readonly availableAt: number | null;
  readonly entries: readonly EntryRow[];
}

export type PutResult =
  | Extract<Put, { readonly ok: true }>
  | { readonly ok: false; readonly current?: RecordRow };

export interface RecordRow {
  readonly key: string;
  readonly value: string;
  readonly version: number;
  readonly expires_at: number | null;
  readonly available_at: number | null;
}
