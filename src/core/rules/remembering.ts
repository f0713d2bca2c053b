// Remembered rules: what a rule compares, and for how long one can be made of an ask.
//
//   the agent names a folder    in that folder: always, or in this session
//   a session and no folder     in this session
//   neither                     not at all

import type { JsonObject } from "../kit/json.js";
import type { Action, Decision } from "../model/approval.js";
import type { Ask } from "../model/ask.js";
import { projectOf } from "../model/folder.js";
import type { InputReader } from "../read/input-reader.js";

export type RuleDuration = "session" | "always";

/** Whether a decision asks for a rule of ours, and not for one of the agent's host. */
export function isRuleDuration(remember: unknown): remember is RuleDuration {
  return remember === "session" || remember === "always";
}

type Scoped = Partial<Pick<Ask, "session" | "metadata" | "agentId">>;

/**
 * Where a rule counts: in a folder, in one session there, or in a session of an agent that names no folder. Nothing here
 * stands for everywhere.
 */
export type RulePlace =
  | { readonly project: string; readonly session?: string }
  | { readonly project?: never; readonly session: string };

/** Undefined if the ask does not say enough for such a rule. */
export function placeOf(ask: Scoped, duration: RuleDuration): RulePlace | undefined {
  const project = projectOf(ask);
  const session = duration === "session" ? ask.session : undefined;
  if (duration === "session" && !session) return undefined;
  if (project !== undefined) return session === undefined ? { project } : { project, session };
  return session === undefined ? undefined : { session };
}

/** For how long a decision about this action can be remembered by a rule of ours. */
export function durationsOf(
  ask: Scoped,
  action: Pick<Action, "name" | "description" | "once">,
): readonly RuleDuration[] {
  if (action.once || isReasoned(ask, action)) return [];
  return (["session", "always"] as const).filter((duration) => placeOf(ask, duration) !== undefined);
}

/**
 * Arguments that only describe the call in words, by agent and tool: the agent writes them anew each time, and runs
 * nothing of them. The table is ours, because an agent that could name its own would name its command.
 */
const WORDING: Readonly<Record<string, readonly string[]>> = {
  "claude-code Bash": ["description"],
  "claude-agent-sdk Bash": ["description"],
  "copilot shell": ["description"],
};

/** The names of the arguments of this action that a rule does not compare; `description` may be the action's own. */
export function wordingOf(
  { agentId = "" }: Pick<Ask, "agentId">,
  { name, args, description }: Pick<Action, "name" | "args" | "description">,
): readonly string[] {
  const call = `${agentId} ${name}`;
  const names = Object.hasOwn(WORDING, call) ? WORDING[call] : undefined;
  return (names ?? []).filter((argument) => typeof { description, ...args }[argument] === "string");
}

/** Calls of Codex whose description is a reason. */
const REASONED: readonly string[] = ["Bash", "apply_patch", "network_access", "request_permissions"];

/**
 * Whether the call comes with a reason that must be compared, because Codex also says there that it leaves its sandbox, and
 * that the model writes anew each time: a rule would be of no use.
 */
function isReasoned(
  { agentId }: Scoped,
  { name, description }: Pick<Action, "name" | "description">,
): boolean {
  return agentId === "codex" && description !== undefined && REASONED.includes(name);
}

/** Everything that a person was shown about an action, without its wording: all of it must be equal. */
export interface ComparedCall {
  readonly tool: string;
  readonly args: JsonObject;
  readonly context: string;
  readonly description: string;
}

export function comparedCall(
  ask: Pick<Ask, "agentId" | "context">,
  action: Pick<Action, "name" | "args" | "description">,
): ComparedCall {
  const { name: tool, args, description = "" } = action;
  const wording = wordingOf(ask, action);
  return {
    tool,
    args: Object.fromEntries(Object.entries(args).filter(([argument]) => !wording.includes(argument))),
    context: ask.context ?? "",
    // Claude's description is an argument too, and shown twice; Copilot's is not.
    description: wording.some((argument) => (args[argument] ?? description) === description)
      ? ""
      : description,
  };
}

/** Refuses decisions that are to be remembered for longer, or with less, than a rule can have. */
export function refuseRemembering(
  ask: Pick<Ask, "approval"> & Scoped,
  decisions: readonly Decision[],
  reader: InputReader,
): void {
  // The decisions of invalid input have other places.
  if (reader.issues.length > 0) return;
  for (const [index, decision] of decisions.entries()) {
    const action = ask.approval?.actions.find(({ id }) => id === decision.action);
    if (decision.kind === "edit" || action === undefined) continue;
    const { remember, rememberField } = decision;
    const refuse = (field: string, message: string): void =>
      reader.add("invalid_value", ["decisions", index, field], message);
    if (rememberField !== undefined) {
      refuse("rememberField", "must be omitted: a rule compares the whole call that was shown");
      continue;
    }
    const durations = durationsOf(ask, action);
    if (!isRuleDuration(remember) || durations.includes(remember)) continue;
    const why = isReasoned(ask, action)
      ? "the agent words its reason anew each time, and a rule compares it"
      : remember === "session"
        ? "the ask has no session"
        : "the agent names no folder that it works in, as a full path in metadata.project";
    const [other] = durations;
    const next = other === undefined ? "omit remember to decide only this time" : `use "${other}"`;
    refuse("remember", `must not be "${remember}": ${why}; ${next}`);
  }
}
