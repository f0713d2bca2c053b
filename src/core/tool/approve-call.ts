import type { JsonObject } from "../kit/json.js";
import type { ActionInput } from "../model/approval.js";
import type { AskInput } from "../model/ask.js";
import type { Outcome } from "../model/outcome.js";
import type { Resolver } from "../model/ports.js";
import { requireAsk } from "../rules/parse-ask.js";
import { describeOutcome } from "../text/describe-outcome.js";
import { abortReason } from "./abort.js";
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
  readonly ask?: Omit<AskInput, "questions" | "approval" | "key">;
}

/**
 * Asks a person to approve one call. Resolves to the arguments to run with: those proposed, or those that the person
 * edited. Rejects with {@link NotApprovedError} for every other ending, and with the signal's reason if it aborts.
 *
 * @example
 * const args = await approveCall(resolver, { name: "delete_file", args: { path: "a.txt" } });
 */
export async function approveCall(
  resolver: Resolver,
  action: ActionInput,
  { ask, signal, toolCallId }: ApprovalOptions & ToolCall = {},
): Promise<JsonObject> {
  const request = requireAsk({
    ...ask,
    approval: { actions: [action] },
    ...(toolCallId !== undefined && { key: toolCallId }),
  });
  const outcome = await resolver.ask(request, signal === undefined ? {} : { signal });
  if (outcome.kind === "withdrawn" && signal?.aborted) throw abortReason(signal);
  const decision = outcome.kind === "decided" ? outcome.decisions[0] : undefined;
  if (decision?.kind === "edit") return decision.args;
  const proposed = request.approval?.actions[0]?.args;
  if (decision?.kind === "approve" && proposed !== undefined) return proposed;
  throw new NotApprovedError(describeOutcome(request, outcome), outcome);
}
