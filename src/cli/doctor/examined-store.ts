import type { Finding } from "./finding.js";

/** What the checks behind that of the store need to know of it. */
export interface ExaminedStore {
  readonly findings: readonly Finding[];
  /** Undefined where the store is not there or cannot be read. */
  readonly contents?: StoreContents;
}

export interface StoreContents {
  readonly newestEventAt?: number;
  /** The store's own clock, where it has one, and this machine's time at the same moment. */
  readonly time?: { readonly there: number; readonly here: number };
  record(namespace: string, key: string): Promise<unknown>;
  close(): Promise<void> | void;
}
