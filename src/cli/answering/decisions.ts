import {
  type Action,
  type Ask,
  type DecisionSubmission,
  displayLine,
  type SubmittedDecision,
} from "../../core/index.js";
import { CommandError } from "../command-error.js";

export interface DecisionFlags {
  /** Actions by id, number or name; all of them where none is given. */
  readonly action?: readonly string[];
  /** What becomes of the actions that are not named. */
  readonly rest?: "approve" | "reject";
  /** Arguments to run the named action with instead, as JSON. */
  readonly args?: string;
  readonly reason?: string;
  readonly note?: string;
}

/**
 * The decisions that `askline approve` and `askline reject` stand for. All actions of an ask are decided
 * together, so where only some are named, what becomes of the others must be said.
 */
export function readDecisions(
  ask: Ask,
  verdict: "approve" | "reject",
  flags: DecisionFlags,
): DecisionSubmission {
  const actions = ask.approval?.actions ?? [];
  const named = new Set(flags.action?.map((text) => requireAction(actions, text)) ?? actions);
  const others = actions.filter((action) => !named.has(action));
  if (others.length > 0 && flags.rest === undefined) {
    const names = others.map(({ id, name }) => `${id} ${displayLine(name)}`).join(", ");
    throw new CommandError(
      `all actions are decided together: say what becomes of ${names}, with --approve-rest or --reject-rest`,
    );
  }
  const args = flags.args === undefined ? undefined : readArguments(flags.args);
  if (args !== undefined && named.size !== 1) {
    throw new CommandError("--args is for one action; name it with --action");
  }
  return {
    decisions: actions.map((action) =>
      decisionOf(action, named.has(action) ? verdict : (flags.rest ?? verdict), {
        ...(named.has(action) && args !== undefined && { args }),
        ...(flags.reason !== undefined && { reason: flags.reason }),
      }),
    ),
    ...(flags.note !== undefined && { note: flags.note }),
  };
}

function decisionOf(
  { id }: Action,
  verdict: "approve" | "reject",
  { args, reason }: { readonly args?: unknown; readonly reason?: string },
): SubmittedDecision {
  if (verdict === "reject") {
    return { action: id, kind: "reject", ...(reason !== undefined && { message: reason }) };
  }
  return args === undefined ? { action: id, kind: "approve" } : { action: id, kind: "edit", args };
}

function requireAction(actions: readonly Action[], text: string): Action {
  const name = text.trim();
  const exact = actions.find(({ id }) => id === name);
  const named = actions.filter((action) => action.name === name);
  const numbered = /^\d{1,3}$/.test(name) ? actions[Number(name) - 1] : undefined;
  const action = exact ?? (named.length === 1 ? named[0] : undefined) ?? numbered;
  if (action !== undefined) return action;
  const list = actions.map((one) => `${one.id} ${displayLine(one.name)}`).join(", ");
  throw new CommandError(`there is no action "${displayLine(text)}"; this ask has ${list}`);
}

function readArguments(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? displayLine(error.message) : "not JSON";
    throw new CommandError(`--args is not JSON (${reason}); write it like '{"to":"staging"}'`, undefined, {
      cause: error,
    });
  }
}
