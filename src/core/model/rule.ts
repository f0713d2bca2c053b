import type { JsonObject } from "../kit/json.js";
import { LIMITS } from "../kit/limits.js";
import { AT, NAME } from "../read/common-fields.js";
import type { Model } from "../read/field.js";

/** What a person decided about an action, for the next time: for the same call, in the same place. */
export interface RememberedRule {
  readonly id: string;
  readonly effect: "allow" | "deny";
  /** Who made it. It ends with everything else of this person. */
  readonly person: string;
  /** The agent whose actions it decides: the name of its credential. */
  readonly agent: string;
  /** The full path of the folder, as the agent names it; nobody has verified it. Only a rule for a session has none. */
  readonly project?: string;
  /** Only in this session. */
  readonly session?: string;
  readonly tool: string;
  /** The arguments that must be equal: all of them, without `wording`. */
  readonly args: JsonObject;
  /** The arguments that are not compared, because they only describe the call. */
  readonly wording?: readonly string[];
  /** The digest of the context and the description, which must be equal too. */
  readonly shown?: string;
  /** The one argument that a rule of an earlier version compared. */
  readonly field?: string;
  /** The ask that it was made of. */
  readonly ask: string;
  readonly createdAt: number;
  /** It no longer decides, and why. */
  readonly ended?: RuleEnd;
}

/**
 * Why a rule of an earlier version no longer decides: it compared one argument, the name of a folder, or no folder; it
 * was for a session that has no name; or what was shown is no longer stored.
 */
export const RULE_ENDS = ["one_argument", "folder_name", "no_folder", "no_session", "ask_pruned"] as const;
export type RuleEnd = (typeof RULE_ENDS)[number];

export const RULE: Model<RememberedRule> = {
  name: "Rule",
  must: "a rule",
  fields: {
    id: NAME,
    effect: { kind: "choice", choices: ["allow", "deny"], required: true },
    person: { ...NAME, about: "Who made it." },
    agent: { ...NAME, about: "The name of the agent's credential." },
    tool: NAME,
    args: {
      kind: "json",
      max: LIMITS.argsLength,
      required: true,
      about: "The arguments that must be equal: all of them, without `wording`.",
    },
    ask: { ...NAME, about: "The ask that it was made of." },
    createdAt: AT,
    project: {
      kind: "text",
      max: LIMITS.metadataLength,
      about: "The full path of the folder, as the agent names it; nobody has verified it.",
    },
    session: { kind: "text", max: LIMITS.sessionLength, about: "Only in this session." },
    wording: { kind: "ids", max: LIMITS.actions, about: "The arguments that are not compared." },
    shown: {
      kind: "text",
      max: LIMITS.idLength,
      about: "The digest of the context and the description, which must be equal.",
    },
    field: {
      kind: "text",
      max: LIMITS.idLength,
      about: "The one argument that a rule of an earlier version compared.",
    },
    ended: { kind: "choice", choices: RULE_ENDS, about: "It no longer decides, and why." },
  },
};
