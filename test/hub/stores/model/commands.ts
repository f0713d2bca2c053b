import type { LogAppend, RecordPut } from "../../../../src/hub/index.ts";
import type { Json, Outcome } from "../../../../src/index.ts";

/**
 * One call of a store, as data. Times are relative to the start of the run, and names come from small pools,
 * so that calls meet each other.
 */
export type Command =
  | {
      readonly do: "insert";
      readonly id: number;
      readonly session: string;
      readonly key: string | undefined;
      readonly deadline: number | undefined;
      readonly agentId: string | undefined;
      readonly asker: string | undefined;
      readonly recipients: readonly string[];
      readonly text: string;
      readonly append: readonly LogAppend[];
    }
  | {
      readonly do: "settle";
      readonly id: number;
      readonly settlementId: string;
      readonly outcome: Outcome;
      readonly when: "due" | "anytime" | undefined;
      readonly append: readonly LogAppend[];
      readonly records: readonly RecordPut[];
    }
  | {
      readonly do: "extend";
      readonly id: number;
      readonly deadline: number;
      readonly append: readonly LogAppend[];
    }
  | { readonly do: "overdue"; readonly id: number; readonly append: readonly LogAppend[] }
  | { readonly do: "escalate"; readonly id: number; readonly to: readonly string[] }
  | { readonly do: "get"; readonly id: number }
  | { readonly do: "getMany"; readonly ids: readonly number[] }
  | {
      readonly do: "list";
      readonly filter: {
        readonly status: string | undefined;
        readonly session: string | undefined;
        readonly agentId: string | undefined;
        readonly asker: string | undefined;
        readonly person: string | undefined;
      };
      readonly after: number | undefined;
      readonly limit: number;
      readonly order: "oldest" | "newest" | undefined;
    }
  | { readonly do: "claimDue"; readonly limit: number; readonly leaseMs: number }
  | { readonly do: "nextDeadline" }
  | { readonly do: "pendingSummary" }
  | {
      readonly do: "prune";
      readonly settledBefore: number;
      readonly limit: number;
      readonly namespaces: readonly string[];
    }
  | { readonly do: "append"; readonly entries: readonly LogAppend[] }
  | {
      readonly do: "read";
      readonly log: string;
      readonly after: number;
      readonly limit: number;
      readonly subject: string | undefined;
    }
  | { readonly do: "bounds"; readonly log: string }
  | {
      readonly do: "logList";
      readonly prefix: string;
      readonly after: string | undefined;
      readonly limit: number;
    }
  /** At the head that it has now, where none is given: a look and a call, so not for calls at once. */
  | { readonly do: "logRemove"; readonly log: string; readonly head: number | undefined }
  | {
      readonly do: "logRestore";
      readonly log: string;
      readonly head: number | undefined;
      /** How many positions are left out, where the log is empty and no head is given. */
      readonly gap: number;
      readonly entries: readonly LogAppend[];
    }
  | { readonly do: "recordGet"; readonly namespace: string; readonly key: string }
  | {
      readonly do: "recordPut";
      readonly namespace: string;
      readonly key: string;
      readonly value: Json;
      readonly expect: number | null | undefined;
      readonly expiresAt: number | undefined;
      readonly availableAt: number | undefined;
      readonly append: readonly LogAppend[];
    }
  | {
      readonly do: "recordDelete";
      readonly namespace: string;
      readonly key: string;
      readonly expect: number | undefined;
    }
  | {
      readonly do: "recordList";
      readonly namespace: string;
      readonly prefix: string | undefined;
      readonly after: string | undefined;
      readonly limit: number;
    }
  | {
      readonly do: "recordClaim";
      readonly namespace: string;
      readonly limit: number;
      readonly leaseMs: number;
    };

/** What happens next: one call, several at once, or something to the world around the store. */
export type Step =
  | { readonly kind: "call"; readonly command: Command }
  | { readonly kind: "together"; readonly commands: readonly Command[] }
  | { readonly kind: "advance"; readonly milliseconds: number }
  | { readonly kind: "jumpWall"; readonly milliseconds: number }
  | { readonly kind: "reopen" };

export const IDS = 6;
export const LOGS: readonly string[] = ["events", "session/1", "é"];
export const NAMESPACES: readonly string[] = ["draft", "Draft"];

/** Ids of a look in which a pattern would find more than itself. */
export function askId(index: number): string {
  return `ask_${index}${"%x_"[index % 3] ?? ""}`;
}
