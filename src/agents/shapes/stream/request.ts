// Requests: `action_requests` with their `review_configs`, in the stream and in the history.

import { isRecord } from "../../../core/kit/json.js";
import { type Profile, profiles } from "../../../core/kit/profiles.js";
import type { AskContent } from "../../../core/model/ask.js";
import type { HistoryDecision, HistoryRequestBlock } from "../../../core/model/history-message.js";
import type { Outcome } from "../../../core/model/outcome.js";
import type { Question } from "../../../core/model/question.js";
import type {
  ActionRequest,
  ApprovalRequest,
  ReviewConfig,
  StreamQuestion,
} from "../../../core/model/stream-event.js";
import { typeName } from "../../../core/read/input-reader.js";
import { type ParsedAsk, parseAsk } from "../../../core/rules/parse-ask.js";
import type { EncodedAsk } from "../dialect.js";
import { neverThrowing, pickQuestions, refused } from "../shared.js";
import { decided, plainDecision, toAnswers } from "./answer.js";
import { QUESTION_TOOL, type RequestView } from "./shapes.js";

/** One option more than `chat`: the server adds the option that opens the text field. */
export const PROFILE: Profile = { ...profiles.chat, options: { min: 1, max: profiles.chat.options.max + 1 } };

export function decodeAsk(input: unknown): ParsedAsk {
  return neverThrowing((): ParsedAsk => {
    const requests = isRecord(input) ? input.action_requests : undefined;
    if (!isRecord(input) || !Array.isArray(requests)) {
      return refused("invalid_value", ["action_requests"], `must be an array, not ${typeName(requests)}`);
    }
    const named: readonly unknown[] = requests.filter(
      (request) => isRecord(request) && request.name === QUESTION_TOOL,
    );
    const [asked] = named;
    if (asked === undefined) {
      return parseAsk({ approval: { actions: pickActions(requests, input.review_configs) } });
    }
    if (requests.length > 1) {
      const message = `${QUESTION_TOOL} must be the only action; send the others in a separate request`;
      return refused("invalid_value", ["action_requests"], message);
    }
    const args = isRecord(asked) && isRecord(asked.args) ? asked.args : {};
    const questions = pickQuestions(args.questions, ({ label, description, input: isInput }) => ({
      label,
      description,
      input: isInput,
    }));
    return parseAsk({ questions, allowPartial: true }, { profile: PROFILE });
  });
}

export function encodeAsk(
  ask: AskContent,
  { timeoutSeconds }: { readonly timeoutSeconds?: number } = {},
): EncodedAsk<ApprovalRequest> {
  const input: ApprovalRequest = {
    action_requests: toActionRequests(ask),
    review_configs: toReviewConfigs(ask),
    ...(timeoutSeconds !== undefined && { timeout_seconds: timeoutSeconds }),
  };
  // Also refuses an action with the name of the question tool: no client could tell it from a question.
  const decoded = decodeAsk(input);
  return decoded.ok ? { ok: true, input } : decoded;
}

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
      ...answererOf(outcome),
    };
  }
  if (outcome?.kind === "decided") {
    const submittedDecisions = decided(ask, outcome).map(([action, decision]): HistoryDecision => {
      if (decision.kind !== "edit") return plainDecision(decision);
      return { type: "edit", editedAction: { name: action.name, args: decision.args } };
    });
    return { type, isResolved: true, actionRequests, submittedDecisions, ...answererOf(outcome) };
  }
  const ended = outcome !== undefined && outcome.kind !== "replied" && outcome.kind !== "expired";
  if (outcome !== undefined) {
    return {
      ...{ type, isResolved: false, status: outcome.kind, actionRequests },
      ...(ended && outcome.reason !== undefined && { reason: outcome.reason }),
    };
  }
  return {
    ...{ type, isResolved: false, status: "pending", approvalKey, actionRequests },
    reviewConfigs: toReviewConfigs(ask).map(({ action_name, allowed_decisions }) => ({
      actionName: action_name,
      allowedDecisions: allowed_decisions,
    })),
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    ...(deadline !== undefined && { deadline }),
  };
}

function answererOf({
  by,
}: Extract<Outcome, { kind: "answered" | "decided" }>): Pick<
  HistoryRequestBlock,
  "answeredByPolicy" | "reportedBy"
> {
  if (by.kind === "policy") return { answeredByPolicy: by.name };
  return by.via === undefined ? {} : { reportedBy: by.via };
}

function toActionRequests({ questions, approval }: AskContent): readonly ActionRequest[] {
  if (approval === undefined)
    return [{ name: QUESTION_TOOL, args: { questions: questions.map(toQuestion) } }];
  return approval.actions.map(({ name, args, description }) => ({
    name,
    args,
    ...(description !== undefined && { description }),
  }));
}

/** A question allows every decision: its answer counts as an approval, its refusal as a rejection. */
function toReviewConfigs({ approval }: AskContent): readonly ReviewConfig[] {
  if (approval === undefined) {
    return [{ action_name: QUESTION_TOOL, allowed_decisions: ["approve", "edit", "reject"] }];
  }
  return approval.actions.map(({ name, allow }) => ({ action_name: name, allowed_decisions: allow }));
}

function toQuestion({ question, header, multiSelect, options }: Question): StreamQuestion {
  return {
    question,
    ...(header !== undefined && { header }),
    multiSelect,
    options: options.map(({ label, description, input }) => ({
      label,
      ...(description !== undefined && { description }),
      ...(input && { input }),
    })),
  };
}

function pickActions(requests: readonly unknown[], configs: unknown): readonly unknown[] {
  const known = Array.isArray(configs) ? configs.filter(isRecord) : [];
  return requests.map((request, index) => {
    if (!isRecord(request)) return request;
    const { name, args, description } = request;
    const sameIndex = known[index]?.action_name === name ? known[index] : undefined;
    const config = sameIndex ?? known.find(({ action_name }) => action_name === name);
    return { name, args, description, allow: config?.allowed_decisions };
  });
}
