import type { JsonObject } from "../../core/kit/json.js";
import { messageOf } from "../../core/kit/tools.js";
import type { ActionInput } from "../../core/model/approval.js";
import type { AskInput } from "../../core/model/ask.js";
import { AsklineError } from "../../core/model/error.js";
import type { Outcome } from "../../core/model/outcome.js";
import type { Resolver } from "../../core/model/ports.js";
import { abortReason } from "../../core/rules/abort.js";
import { requireAsk } from "../../core/rules/parse-ask.js";
import { describeOutcome } from "../../core/text/describe-outcome.js";
import type { ToolCall } from "./ask-tool.js";

/** The call was not approved, and nothing ran. The message is the text for the model. */
export class NotApprovedError extends Error {
  override readonly name: string = "NotApprovedError";
  readonly outcome: Outcome;

  constructor(message: string, outcome: Outcome) {
    super(message);
    this.outcome = outcome;
  }
}

export interface ApprovalOptions {
  /** Fields that the host adds to each ask, such as its session and its deadline. */
  readonly ask?: Omit<AskInput, "questions" | "approval" | "key"> | undefined;
}

export interface ApprovedCall {
  /** What to run with, as JSON. */
  readonly args: JsonObject;
  /** Whether the person changed the arguments. */
  readonly edited: boolean;
}

/**
 * Asks a person to approve one call. Resolves to the arguments to run with: those proposed, or those that the person
 * edited. Rejects with {@link NotApprovedError} for every other ending, and with the signal's reason if it aborts.
 * Arguments that JSON cannot show, such as a Map, are refused.
 *
 * @example
 * const { args } = await approveCall(resolver, { name: "delete_file", args: { path: "a.txt" } });
 */
export async function approveCall(
  resolver: Resolver,
  action: ActionInput,
  { ask, signal, toolCallId }: ApprovalOptions & ToolCall = {},
): Promise<ApprovedCall> {
  const proposed = asJson(action.name, action.args ?? {});
  const request = requireAsk({
    ...ask,
    approval: { actions: [{ ...action, args: proposed }] },
    key: toolCallId,
  });
  const outcome = await resolver.ask(request, { signal });
  if (outcome.kind === "withdrawn" && signal?.aborted) throw abortReason(signal);
  const decision = outcome.kind === "decided" ? outcome.decisions[0] : undefined;
  if (decision?.kind === "edit") return { args: decision.args, edited: true };
  if (decision?.kind === "approve") return { args: proposed, edited: false };
  throw new NotApprovedError(describeOutcome(request, outcome), outcome);
}

/** The arguments as the person sees them: a Date as its text. Nothing may be hidden, so a Map or a function is refused. */
function asJson(name: string, args: Readonly<Record<string, unknown>>): JsonObject {
  const refuse = (why: string): AsklineError =>
    new AsklineError(
      "invalid_request",
      `the arguments of ${name} cannot be shown to a person as JSON: ${why}`,
    );
  const check = (_key: string, value: unknown): unknown => {
    if (typeof value === "function" || typeof value === "symbol") throw refuse(`a ${typeof value}`);
    if (typeof value === "number" && !Number.isFinite(value)) throw refuse(String(value));
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== null && prototype !== Object.prototype) throw refuse(`a ${value.constructor?.name}`);
    return value;
  };
  try {
    return JSON.parse(JSON.stringify(args, check));
  } catch (error) {
    throw error instanceof AsklineError ? error : refuse(messageOf(error));
  }
}
