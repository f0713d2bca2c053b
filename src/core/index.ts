export { abortReason, onAbort, untilAborted } from "./abort.js";
export {
  type AskTool,
  createAskTool,
  type ResolverToolOptions,
  type ToolCall,
  type ToolResult,
} from "./ask-tool.js";
export { ASK_TOOL_DESCRIPTION, askToolSchema, SDK_TOOL_NAME } from "./ask-tool-definition.js";
export { CANONICAL_CODES, canonicalError } from "./canonical-error.js";
export { type Clock, systemClock } from "./clock.js";
export { describeOutcome } from "./describe-outcome.js";
export { displayAsker, displayHeader, displayJson, displayLine, displayText } from "./display.js";
export { type Draft, type DraftHint, parseDraft } from "./draft.js";
export { AsklineError, ERROR_CODES, type ErrorCode } from "./error.js";
export { type AnsweredQuestion, formatAnswers, formatPairs } from "./format-answers.js";
export { type AnswerHandler, type HandlerToolOptions, InvalidAnswersError } from "./handler-tool.js";
export { formatIssues, ISSUE_CODES, type Issue, type IssueCode } from "./issue.js";
export { canonicalJson, isRecord, type Json, type JsonObject } from "./json.js";
export {
  type AskState,
  type LifecycleEvent,
  type Refusal,
  sameOutcome,
  type Transition,
  transition,
} from "./lifecycle.js";
export { LIMITS, type Profile, profiles, type Range } from "./limits.js";
export type { LogFields, Logger } from "./logger.js";
export type {
  Action,
  ActionInput,
  Approval,
  ApprovalInput,
  Decision,
  DecisionKind,
} from "./model/approval.js";
export { DECISION_KINDS } from "./model/approval.js";
export type { Ask, AskContent, AskInput, AskRequest, AskStatus, DeadlinePolicy } from "./model/ask.js";
export { ASK_EVENT_TYPES, type AskEvent, type AskEventType } from "./model/event.js";
export { OUTCOME_KINDS, type OutcomeKind } from "./model/kinds.js";
export type { Option, OptionInput, Preview } from "./model/option.js";
export { CATCH_ALL_LABELS } from "./model/option.js";
export type { Answer, Answerer, Outcome, Person } from "./model/outcome.js";
export type { Question, QuestionInput } from "./model/question.js";
export { type ParsedAsk, type ParseOptions, parseAsk, requireAsk } from "./parse-ask.js";
export type {
  AskFilter,
  AskOptions,
  AskPage,
  By,
  DecisionSubmission,
  Inbox,
  Page,
  Resolver,
  SettleOptions,
  Submission,
  SubmittedAnswer,
  SubmittedDecision,
} from "./ports.js";
export {
  type Resolution,
  type ResolverOptions,
  resolverOf,
  staticResolver,
  withTimeout,
} from "./resolvers.js";
export type {
  SessionAskOptions,
  SessionEnding,
  SessionRequest,
  SessionToolResult,
  SessionToolUse,
  SessionWriter,
  ToolRule,
} from "./session-writer.js";
export { answerParts, decodeTextAnswer, encodeTextAnswer } from "./text-answer.js";
export type { Span, SpanFacts, SpanOptions, Tracing } from "./tracing.js";
export {
  type ValidatedAnswers,
  type ValidatedSubmission,
  type ValidateOptions,
  validateAnswers,
  validateReason,
  validateReply,
  validateSubmission,
} from "./validate-answers.js";
export { type ValidatedDecisions, validateDecisions } from "./validate-decisions.js";
