import type { AskContent, Outcome } from "../../core/index.js";
import { decided, plainDecision, toAnswers } from "./answer.js";
import { toActionRequests, toReviewConfigs } from "./request.js";
import type { HistoryDecision, HistoryRequestBlock, RequestView } from "./shapes.js";

/** A request in the history: the shape of the original if it was answered, otherwise one of our own. */
export function encodeHistoryBlock(ask: AskContent, view: RequestView): HistoryRequestBlock {
  const { outcome, approvalKey, timeoutSeconds, deadline } = view;
  const actionRequests = toActionRequests(ask);
  const type = "approval_request";
  if (outcome?.kind === "answered") {
    const answers = toAnswers(ask, outcome);
    const withAnswers = actionRequests.map((request) => ({ ...request, args: { ...request.args, answers } }));
    return {
      ...{ type, isResolved: true, actionRequests: withAnswers, submittedAnswers: answers },
      ...policyOf(outcome),
    };
  }
  if (outcome?.kind === "decided") {
    const submittedDecisions = decided(ask, outcome).map(([action, decision]): HistoryDecision => {
      if (decision.kind !== "edit") return plainDecision(decision);
      return { type: "edit", editedAction: { name: action.name, args: decision.args } };
    });
    return { type, isResolved: true, actionRequests, submittedDecisions, ...policyOf(outcome) };
  }
  const ended = outcome !== undefined && outcome.kind !== "replied" && outcome.kind !== "expired";
  if (outcome !== undefined) {
    return {
      ...{ type, isResolved: false, status: outcome.kind, actionRequests },
      ...(ended && outcome.reason !== undefined && { reason: outcome.reason }),
    };
  }
  return {
    ...{
      type,
      isResolved: false,
      status: "pending",
      approvalKey,
      actionRequests,
    },
    reviewConfigs: toReviewConfigs(ask).map(({ action_name, allowed_decisions }) => ({
      actionName: action_name,
      allowedDecisions: allowed_decisions,
    })),
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    ...(deadline !== undefined && { deadline }),
  };
}

function policyOf({ by }: Extract<Outcome, { kind: "answered" | "decided" }>): {
  readonly answeredByPolicy?: string;
} {
  return by.kind === "policy" ? { answeredByPolicy: by.name } : {};
}
