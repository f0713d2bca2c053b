import type { Ask } from "../../core/index.js";

/** An ask as the memory store keeps it. */
export interface AskEntry {
  ask: Ask;
  readonly position: number;
  settlementId?: string;
  leasedUntil: number;
}

/** Where asks are found. */
export interface AskMaps {
  readonly byId: Map<string, AskEntry>;
  readonly byKey: Map<string, AskEntry>;
  readonly pending: Map<string, AskEntry>;
  keyOf(ask: Ask): string | undefined;
}
