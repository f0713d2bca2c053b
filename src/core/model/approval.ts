import { foldName } from "../kit/fold.js";
import type { JsonObject } from "../kit/json.js";
import { LIMITS } from "../kit/limits.js";
import { type IdField, type InputOf, is, type JsonField, type Model, type Variants } from "../read/field.js";
import { ACTION_IDS } from "../read/give-ids.js";
import { at } from "../read/input-reader.js";
import { DECISION_KINDS, type DecisionKind } from "./kinds.js";

/** One thing that an agent wants to do, for a person to allow. */
export interface Action {
  /** Unique in the approval; a1, a2, … by default. */
  readonly id: string;
  /** The name of the action. */
  readonly name: string;
  /** The arguments. Whole numbers beyond 9007199254740991 are refused; send them as strings. */
  readonly args: JsonObject;
  /** What the action does, for the person. */
  readonly description?: string;
  /** The decisions that a person may make; all of them by default. */
  readonly allow: readonly DecisionKind[];
  /** Rules of the agent's host, in its words; an approval may choose one. */
  readonly rules?: readonly string[];
  /** A decision about it cannot be remembered. */
  readonly once?: true;
}

/** One or more actions, decided together. */
export interface Approval {
  /** The actions, each decided on its own. */
  readonly actions: readonly Action[];
}

/** What a person decided about one action; `action` is its id. */
export type Decision =
  | ({ readonly action: string; readonly kind: "approve" } & Remembered)
  | { readonly action: string; readonly kind: "edit"; readonly args: JsonObject }
  | ({ readonly action: string; readonly kind: "reject"; readonly message?: string } & Remembered);

/** Whether the same action is decided the same way from now on. */
export interface Remembered {
  /** `session`, `always`, or one of the action's `rules`; only this once if omitted. */
  readonly remember?: string;
  /** In decisions of earlier versions only; refused now: a rule compares the whole call. */
  readonly rememberField?: string;
}

/** What a caller may write for an action; `parseAsk` turns it into an {@link Action}. */
export type ActionInput = InputOf<
  Action,
  "name",
  {
    /** The arguments, as JSON. Whole numbers beyond 9007199254740991 are refused; send them as strings. */
    readonly args?: Readonly<Record<string, unknown>>;
  }
>;

export interface ApprovalInput {
  /** The actions, each decided on its own. */
  readonly actions: readonly ActionInput[];
}

const ARGS = {
  kind: "json",
  max: LIMITS.argsLength,
  exact: true,
  about: `The arguments. Whole numbers beyond ${Number.MAX_SAFE_INTEGER} are refused; send them as strings.`,
} as const satisfies JsonField;

export const ACTION: Model<Action> = {
  name: "Action",
  must: "an object with name and args",
  fields: {
    id: {
      kind: "id",
      max: LIMITS.idLength,
      known: true,
      about: "Unique in the approval; a1, a2, … by default.",
    },
    name: {
      kind: "text",
      max: LIMITS.actionNameLength,
      blank: ["blank_name", "each action must have a non-empty name"],
      about: "The name of the action.",
    },
    args: { ...ARGS, default: {} },
    description: {
      kind: "text",
      max: LIMITS.descriptionLength,
      about: "What the action does, for the person.",
    },
    allow: {
      kind: "choices",
      choices: DECISION_KINDS,
      default: DECISION_KINDS,
      about: "The decisions that a person may make; all of them by default.",
    },
    rules: {
      kind: "ids",
      max: LIMITS.hostRules,
      unique: true,
      about: "Rules of the agent's host, in its words; an approval may choose one.",
    },
    once: { kind: "mark", about: "A decision about it cannot be remembered." },
  },
  list: {
    ids: ACTION_IDS,
    range: () => ({ min: 1, max: LIMITS.actions }),
    wrongCount: (count, { max }) =>
      count === 0
        ? ["no_actions", "actions must be a non-empty array"]
        : ["too_many_actions", `maximum ${max} actions allowed`],
  },
  check: ({ rules = [] }, _given, path, reader) => {
    const own = rules.findIndex((rule) => OWN_DURATIONS.includes(foldName(rule)));
    if (own === -1) return;
    reader.add("conflict", at(at(path, "rules"), own), "must not be a rule of Askline");
  },
};

/** A rule of the host with one of these names could not be told from one of ours. */
const OWN_DURATIONS: readonly string[] = ["once", "session", "always"];

export const APPROVAL: Model<Approval> = {
  name: "Approval",
  must: "an object with actions",
  fields: { actions: { kind: "list", of: ACTION, required: true, about: "Each is decided on its own." } },
};

const ACTION_ID = {
  kind: "id",
  max: LIMITS.idLength,
  known: true,
  about: "The action's id.",
} as const satisfies IdField;

const REMEMBER = {
  remember: {
    kind: "id",
    max: LIMITS.idLength,
    about: "`session`, `always`, or one of the action's `rules`; once if omitted.",
  },
  rememberField: { kind: "id", max: LIMITS.idLength, about: "Refused." },
} as const satisfies Readonly<Record<keyof Remembered, IdField>>;

export const DECISION: Variants<Decision> = {
  name: "Decision",
  variants: {
    approve: { action: ACTION_ID, kind: is("approve"), ...REMEMBER },
    edit: { action: ACTION_ID, kind: is("edit"), args: { ...ARGS, required: true } },
    reject: {
      action: ACTION_ID,
      kind: is("reject"),
      message: { kind: "text", max: LIMITS.reasonLength, about: "Why, for the agent." },
      ...REMEMBER,
    },
  },
};
