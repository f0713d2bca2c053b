import { type Command, Option } from "commander";
import { defined } from "../../core/kit/tools.js";
import type { Action } from "../../core/model/approval.js";
import type { Ask } from "../../core/model/ask.js";
import type { DecisionSubmission, SubmittedDecision } from "../../core/model/ending.js";
import { displayLine } from "../../core/text/display.js";
import { findPending } from "../connect/find-ask.js";
import { type RemoteFlags, withClient } from "../connect/open-client.js";
import { ASK_ID, type Context, collect, type Define, examples, withRemote } from "../input/command.js";
import { printEnding } from "../output/ask-summary.js";
import { CommandError } from "../world/exit.js";
import type { World } from "../world/world.js";

export const defineApprove: Define = (command, context) => {
  withDecision(command, "reject", context)
    .option("--args <json>", "run the action with these arguments instead")
    .addHelpText(
      "after",
      examples(
        "askline approve 3f9a12bc",
        'askline approve 3f9a12bc --args \'{"to":"staging"}\'',
        "askline approve 3f9a12bc --action a1 --reject-rest",
      ),
    );
};

export const defineReject: Define = (command, context) => {
  withDecision(command, "approve", context).addHelpText(
    "after",
    examples(
      'askline reject 3f9a12bc --reason "not on a Friday"',
      "askline reject 3f9a12bc --action deploy --approve-rest",
    ),
  );
};

function withDecision(command: Command, other: Verdict, { world, end }: Context): Command {
  const verdict = other === "approve" ? "reject" : "approve";
  return withRemote(command)
    .argument("<id>", ASK_ID)
    .option("--action <action>", "only this action, by id, number or name; repeatable", collect)
    .option(`--${other}-rest`, `${other} the actions that are not named`)
    .option("--note <text>", "a note on the whole decision")
    .option("--reason <text>", "why an action is rejected")
    .option("--remember <how>", "decide the same way from now on: session, always, or a rule of the action's")
    .addOption(new Option("--remember-field <argument>", "refused, with the reason").hideHelp())
    .action(async (id: string) =>
      end(await runDecide(verdict, id, command.optsWithGlobals() as DecideCommandFlags, world)),
    );
}

type Verdict = "approve" | "reject";

export interface DecideCommandFlags extends RemoteFlags, Omit<DecisionFlags, "rest"> {
  readonly approveRest?: boolean;
  readonly rejectRest?: boolean;
}

/** `askline approve ID` and `askline reject ID`: decide about the actions of an approval. */
async function runDecide(
  verdict: "approve" | "reject",
  id: string,
  flags: DecideCommandFlags,
  world: World,
): Promise<number> {
  return withClient(flags, "person", world, async ({ client, hint }) => {
    const ask = await findPending(client, id, hint);
    if (ask.approval === undefined) {
      throw new CommandError(`${ask.id} asks questions; use "askline answer" or "askline decline"`);
    }
    const rest = flags.approveRest ? "approve" : flags.rejectRest ? "reject" : undefined;
    const decisions = readDecisions(ask, verdict, { ...flags, rest });
    await printEnding(await client.decide(ask.id, decisions), flags, world);
    return 0;
  });
}

export interface DecisionFlags {
  /** Actions by id, number or name; all of them if omitted. */
  readonly action?: readonly string[];
  /** The verdict for the actions that are not named. */
  readonly rest?: "approve" | "reject" | undefined;
  /** JSON: arguments that replace those of the named action. */
  readonly args?: string;
  readonly reason?: string;
  readonly note?: string;
  readonly remember?: string;
  readonly rememberField?: string;
}

/**
 * The decisions of `askline approve` and `askline reject`. All actions of an ask are decided together, so naming only
 * some of them requires a verdict for the rest.
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
      `all actions are decided together; add --approve-rest or --reject-rest for ${names}`,
    );
  }
  const args = flags.args === undefined ? undefined : readArguments(flags.args);
  if (args !== undefined && named.size !== 1) {
    throw new CommandError("--args applies to one action; name it with --action");
  }
  if (
    flags.reason !== undefined &&
    verdict === "approve" &&
    (others.length === 0 || flags.rest !== "reject")
  ) {
    throw new CommandError("--reason belongs to a rejection, and nothing is rejected; use --note for a note");
  }
  return {
    decisions: actions.map((action) => ({
      ...decisionOf(action, named.has(action) ? verdict : (flags.rest ?? verdict), {
        ...(named.has(action) && args !== undefined && { args }),
        ...(flags.reason !== undefined && { reason: flags.reason }),
      }),
      ...(named.has(action) && defined({ remember: flags.remember, rememberField: flags.rememberField })),
    })),
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
  const number = /^\d{1,3}$/.test(name) ? Number(name) : undefined;
  const meant = actions.filter(
    (action, index) => action.id === name || action.name === name || index + 1 === number,
  );
  const [action] = meant;
  if (action !== undefined && meant.length === 1) return action;
  const named = (known: Action): string => `${displayLine(known.id)} ${displayLine(known.name)}`;
  if (action === undefined) {
    throw new CommandError(
      `unknown action "${displayLine(text)}"; this ask has ${actions.map(named).join(", ")}`,
    );
  }
  const both = meant.map((known) => `action ${actions.indexOf(known) + 1} (${named(known)})`);
  throw new CommandError(
    `"${displayLine(text)}" could be ${both.join(" or ")}; name it by an id, number or name that only it has`,
  );
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
