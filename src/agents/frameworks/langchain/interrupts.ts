// The interrupts of LangGraph that ask a person, as asks, and outcomes as the values to resume with. Three shapes:
//
//   { askline: { ask } }                      our own tool; it reads the outcome from the hub itself
//   { actionRequests, reviewConfigs }         LangChain's humanInTheLoopMiddleware
//   { action_request, config, description }   LangGraph's Agent Inbox, alone or in a list of one

import { isRecord } from "../../../core/kit/json.js";
import type { ActionInput, Decision } from "../../../core/model/approval.js";
import type { AskInput } from "../../../core/model/ask.js";
import { AsklineError } from "../../../core/model/error.js";
import { DECISION_KINDS, type DecisionKind } from "../../../core/model/kinds.js";
import type { Outcome } from "../../../core/model/outcome.js";
import { requireAsk } from "../../../core/rules/parse-ask.js";
import { describeOutcome } from "../../../core/text/describe-outcome.js";

/** An interrupt of LangGraph, as far as it is used. */
export interface InterruptLike {
  readonly id?: string | undefined;
  readonly value?: unknown;
}

/** The id of the ask behind an interrupt of our own tool. */
export function askIdOf({ value }: InterruptLike): string | undefined {
  const own = isRecord(value) ? value.askline : undefined;
  return isRecord(own) && typeof own.ask === "string" ? own.ask : undefined;
}

/** The approval that an interrupt asks for. Throws `unsupported` if its shape is not known. */
export function approvalOf({ value }: InterruptLike): AskInput {
  if (isRecord(value) && Array.isArray(value.actionRequests)) {
    const configs = Array.isArray(value.reviewConfigs) ? value.reviewConfigs.filter(isRecord) : [];
    return {
      approval: {
        actions: value.actionRequests.filter(isRecord).map((action) => {
          const config = configs.find(({ actionName }) => actionName === action.name);
          return actionOf(action.name, action.args, action.description, kindsIn(config?.allowedDecisions));
        }),
      },
    };
  }
  const inbox = inboxRequest(value);
  if (inbox !== undefined) {
    const { config, description } = inbox;
    const request = inbox.action_request as Readonly<Record<string, unknown>>;
    const allow = [
      ...(allows(config, "accept") ? ["approve" as const] : []),
      ...(allows(config, "edit") ? ["edit" as const] : []),
      ...(allows(config, "ignore") ? ["reject" as const] : []),
    ];
    const action = actionOf(request.action, request.args, undefined, allow.length > 0 ? allow : ["reject"]);
    return {
      approval: { actions: [action] },
      ...(typeof description === "string" && description !== "" && { context: description }),
    };
  }
  throw new AsklineError(
    "unsupported",
    "this interrupt is neither of humanInTheLoopMiddleware nor of the Agent Inbox, and cannot be shown to a person",
  );
}

/** The value that the interrupted code expects for an outcome. */
export function resumeValue(interrupt: InterruptLike, outcome: Outcome): unknown {
  const ask = askIdOf(interrupt);
  if (ask !== undefined) return { ask };
  const request = requireAsk(approvalOf(interrupt));
  const actions = request.approval?.actions ?? [];
  const decisions = outcome.kind === "decided" ? outcome.decisions : [];
  // One text for the model, if the ask did not end with decisions.
  const refused = outcome.kind === "decided" ? undefined : describeOutcome(request, outcome);
  const inbox = inboxRequest(interrupt.value);
  if (inbox === undefined) {
    return {
      decisions: actions.map(({ id, name }) => {
        const decision = decisions.find(({ action }) => action === id);
        if (decision?.kind === "approve") return { type: "approve" };
        if (decision?.kind === "edit") return { type: "edit", editedAction: { name, args: decision.args } };
        const message = decision?.kind === "reject" ? decision.message : refused;
        return { type: "reject", ...(message !== undefined && { message }) };
      }),
    };
  }
  return [inboxResponse(inbox, decisions[0], outcome)];
}

function inboxResponse(
  { action_request, config }: Readonly<Record<string, unknown>>,
  decision: Decision | undefined,
  outcome: Outcome,
): { readonly type: string; readonly args: unknown } {
  const { action } = action_request as Readonly<Record<string, unknown>>;
  if (decision?.kind === "approve") return { type: "accept", args: null };
  if (decision?.kind === "edit") return { type: "edit", args: { action, args: decision.args } };
  const words =
    outcome.kind === "replied"
      ? outcome.text
      : decision?.kind === "reject"
        ? decision.message
        : outcome.kind === "declined"
          ? outcome.reason
          : undefined;
  return words !== undefined && allows(config, "respond")
    ? { type: "response", args: words }
    : { type: "ignore", args: null };
}

function inboxRequest(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const request: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return isRecord(request) && isRecord(request.action_request) ? request : undefined;
}

function allows(config: unknown, what: string): boolean {
  return isRecord(config) && config[`allow_${what}`] === true;
}

function kindsIn(allowed: unknown): readonly DecisionKind[] {
  const kinds = DECISION_KINDS.filter((kind) => Array.isArray(allowed) && allowed.includes(kind));
  return kinds.length > 0 ? kinds : DECISION_KINDS;
}

function actionOf(
  name: unknown,
  args: unknown,
  description: unknown,
  allow: readonly DecisionKind[],
): ActionInput {
  return {
    name: String(name),
    args: isRecord(args) ? args : args === undefined || args === null ? {} : { input: args },
    ...(typeof description === "string" && description !== "" && { description }),
    // What is not an object could not be returned as one.
    allow: isRecord(args) ? allow : allow.filter((kind) => kind !== "edit"),
  };
}
