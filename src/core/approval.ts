import type { JsonObject } from "./json.js";

export const DECISION_KINDS = ["approve", "edit", "reject"] as const;
export type DecisionKind = (typeof DECISION_KINDS)[number];

/** One thing that an agent wants to do and a person may allow. */
export interface Action {
  readonly id: string;
  readonly name: string;
  readonly args: JsonObject;
  readonly description?: string;
  readonly allow: readonly DecisionKind[];
}

/** One or more actions, decided together. */
export interface Approval {
  readonly actions: readonly Action[];
}

/** What a person decided about one action; `action` is its id. */
export type Decision =
  | { readonly action: string; readonly kind: "approve" }
  | { readonly action: string; readonly kind: "edit"; readonly args: JsonObject }
  | { readonly action: string; readonly kind: "reject"; readonly message?: string };

export interface ActionInput {
  readonly id?: string;
  readonly name: string;
  readonly args?: JsonObject;
  readonly description?: string;
  readonly allow?: readonly DecisionKind[];
}

export interface ApprovalInput {
  readonly actions: readonly ActionInput[];
}
