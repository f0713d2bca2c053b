import type { JsonObject } from "../kit/json.js";

/** What a person decided about an action, for the next time. */
export interface RememberedRule {
  readonly id: string;
  readonly effect: "allow" | "deny";
  /** Who made it. It ends with everything else of this person. */
  readonly person: string;
  /** The agent whose actions it decides: the name of its credential. */
  readonly agent: string;
  /** The project, as the agent names it in `metadata.project`; nobody has verified it. */
  readonly project?: string;
  /** Only in this session. */
  readonly session?: string;
  readonly tool: string;
  /** The arguments that must be equal. */
  readonly args: JsonObject;
  /** Only this argument must be equal, and `args` has no other. */
  readonly field?: string;
  /** The ask that it was made of. */
  readonly ask: string;
  readonly createdAt: number;
}
