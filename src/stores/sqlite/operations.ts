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
  readonly removeLog: { readonly request: RemoveLogRequest; readonly result: RemovedLog };
  /** Whether it was stored. */
  readonly restoreLog: { readonly request: RestoreLogRequest; readonly result: boolean };
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

// The writes of every ask are lists and not objects: to copy one from thread to thread takes a third of the time,
// for there are no names to copy.

/** Where and when the event of a write went into the event log. */
export type Written = readonly [position: number, at: number];

/** The result is null where the id, or the session and key, are there already. */
export type InsertRequest = readonly [
  id: string,
  session: string,
  key: string | null,
  agentId: string | null,
  asker: string | null,
  createdAt: number,
  deadline: number | null,
  overdue: 0 | 1,
  /** The ask as text. */
  json: string,
  /** Each once. */
  recipients: readonly string[],
  /** What is written to other logs besides the event. */
  entries: readonly EntryRow[],
];

/** The result is null where the guard did not hold, and undefined where there was no such ask. */
export type ChangeRequest = readonly [
  id: string,
  kind: AskChange["kind"],
  /** Of a settle: its id, and whether the ask must be due. */
  settlementId: string | null,
  ifDue: boolean,
  /** Of an extend. */
  deadline: number | null,
  status: AskStatus,
  /** The outcome as text. */
  json: string | null,
  /** The event: its type, and its data as text. */
  type: string,
  data: string | null,
  /** What is written to other logs besides the event. */
  entries: readonly EntryRow[],
];

/** What the one who asked for a change cannot know of the row, and where and when its event was written. */
export type ChangedRow = readonly [
  position: number,
  deadline: number | null,
  overdue: number,
  event: number,
  at: number,
];

/** An ask as another store kept it. */
export interface RestoreRequest {
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
  readonly status: AskStatus;
  readonly settledAt: number | null;
  /** The outcome as text. */
  readonly outcome: string | null;
  /** The ask as text, as if it had been inserted. */
  readonly content: string;
  readonly entries: readonly EntryRow[];
}

export interface PruneRequest {
  readonly settledBefore: number;
  readonly limit: number;
  readonly namespaces: readonly string[];
}

export interface Pruned {
  readonly asks: number;
  readonly records: number;
  /** Contents that were left of asks. */
  readonly contents: number;
}

export interface RemoveLogRequest {
  readonly log: string;
  readonly head: number;
  /** Whether a part of it has been removed: what was written since does not keep the rest. */
  readonly begun: boolean;
}

/** Whether the log had that head; and whether there is more of it. */
export type RemovedLog = "other" | "part" | "whole";

export interface RestoreLogRequest {
  readonly log: string;
  readonly head: number;
  readonly first: number;
  readonly entries: readonly EntryRow[];
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
