// An ask as the event that shows it. Every ask is written once for each device, so optional fields are assigned one by
// one: conditional spreads cost most of the time here.

import type { Approval } from "../../../core/model/approval.js";
import type { Ask, AskContent, AskRequest } from "../../../core/model/ask.js";
import type { Option } from "../../../core/model/option.js";
import type { Question } from "../../../core/model/question.js";
import type { Unfinished } from "../../../core/read/field.js";
import { numberedId, OPTION_IDS, QUESTION_IDS } from "../../../core/read/give-ids.js";
import type { EncodedAsk } from "../dialect.js";
import { repeatedTexts } from "../shared.js";
import type {
  GatewayAddress,
  GatewayApproval,
  GatewayApprovalEvent,
  GatewayOption,
  GatewayQuestion,
  GatewayQuestionEvent,
  GatewayQuestions,
} from "./envelopes.js";

export type EncodableAsk = AskContent &
  Partial<Pick<AskRequest, "session" | "agentId" | "allowPartial" | "timeoutMs">> &
  Partial<Pick<Ask, "id" | "deadline">>;

export interface EncodeAskOptions {
  /** The questionId or executionId, which the answer repeats. */
  readonly id: string;
  /** For an ask without a session. */
  readonly sessionKey?: string;
  /** For an ask without an agent id. */
  readonly agentId?: string;
}

export type EncodedGatewayAsk = EncodedAsk<GatewayQuestionEvent | GatewayApprovalEvent>;

export function encodeAsk(ask: EncodableAsk, options: EncodeAskOptions): EncodedGatewayAsk {
  if (ask.approval !== undefined) {
    const payload = encodeApproval(ask, ask.approval, options);
    return {
      ok: true,
      input: { type: "event", payload: { event: "exec.approval.requested", payload } },
    };
  }
  const issues = repeatedTexts(ask);
  if (issues.length > 0) return { ok: false, issues };
  const payload = encodeQuestions(ask, options);
  return { ok: true, input: { type: "event", payload: { event: "ask_user_question", payload } } };
}

function encodeQuestions(ask: EncodableAsk, options: EncodeAskOptions): GatewayQuestions {
  const payload: Unfinished<GatewayQuestions> = {
    sessionKey: sessionKeyOf(ask, options),
    agentId: agentIdOf(ask, options),
    questionId: options.id,
    questions: ask.questions.map(encodeQuestion),
  };
  if (ask.allowPartial === true) payload.allowPartial = true;
  addAddress(payload, ask);
  return payload;
}

function encodeApproval(
  ask: EncodableAsk,
  { actions }: Approval,
  options: EncodeAskOptions,
): GatewayApproval {
  const address: Unfinished<GatewayAddress> = {
    sessionKey: sessionKeyOf(ask, options),
    agentId: agentIdOf(ask, options),
  };
  addAddress(address, ask);
  const [only, ...more] = actions;
  return {
    ...address,
    executionId: options.id,
    action: actions.map(({ name }) => name).join(", "),
    // Shows the arguments of every action: the person must see what they approve.
    args:
      more.length === 0 ? (only?.args ?? {}) : Object.fromEntries(actions.map(({ id, args }) => [id, args])),
    ...(only?.description !== undefined && more.length === 0 && { summary: only.description }),
  };
}

function sessionKeyOf({ session }: EncodableAsk, { sessionKey }: EncodeAskOptions): string {
  return session || (sessionKey ?? "");
}

function agentIdOf(ask: EncodableAsk, { agentId }: EncodeAskOptions): string {
  return ask.agentId ?? agentId ?? "";
}

/** Fields that the original protocol does not have. */
function addAddress(address: Unfinished<GatewayAddress>, ask: EncodableAsk): void {
  if (ask.context !== undefined) address.context = ask.context;
  if (ask.timeoutMs !== undefined) address.timeoutMs = ask.timeoutMs;
  if (ask.deadline !== undefined) address.deadline = ask.deadline;
  if (ask.id !== undefined) address.askId = ask.id;
}

function encodeQuestion(question: Question, index: number): GatewayQuestion {
  const { id, minPicks, maxPicks } = question;
  const encoded: Unfinished<GatewayQuestion> = {
    question: question.question,
    header: question.header ?? "",
    options: question.options.map(encodeOption),
    multiSelect: question.multiSelect,
  };
  if (id !== numberedId(QUESTION_IDS, index)) encoded.id = id;
  if (!question.freeText) encoded.freeText = false;
  if (minPicks !== undefined) encoded.minPicks = minPicks;
  if (maxPicks !== undefined) encoded.maxPicks = maxPicks;
  return encoded;
}

function encodeOption(option: Option, index: number): GatewayOption {
  const { id, preview } = option;
  const encoded: Unfinished<GatewayOption> = {
    label: option.label,
    description: option.description ?? "",
  };
  if (preview !== undefined) encoded.markdown = preview.content;
  if (id !== numberedId(OPTION_IDS, index)) encoded.id = id;
  if (option.recommended) encoded.recommended = true;
  if (option.input) encoded.input = true;
  return encoded;
}
