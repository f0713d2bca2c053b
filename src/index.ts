export {
  type ApprovalOptions,
  type ApprovedCall,
  approveCall,
  NotApprovedError,
} from "./agents/tool/approve-call.js";
export {
  type AskTool,
  createAskTool,
  type ResolverToolOptions,
  type ToolCall,
  type ToolResult,
} from "./agents/tool/ask-tool.js";
export {
  ASK_TOOL_DESCRIPTION,
  type AskToolSchema,
  askToolSchema,
  SDK_TOOL_NAME,
  type ToolSchema,
} from "./agents/tool/ask-tool-definition.js";
export {
  type AnswerHandler,
  type HandlerAnswers,
  type HandlerToolOptions,
  InvalidAnswersError,
} from "./agents/tool/handler-tool.js";
export { type Clock, systemClock } from "./core/kit/clock.js";
export { isBlank } from "./core/kit/fold.js";
export { formatIssues, ISSUE_CODES, type Issue, type IssueCode } from "./core/kit/issue.js";
export { canonicalJson, isRecord, type Json, type JsonObject } from "./core/kit/json.js";
export { LIMITS } from "./core/kit/limits.js";
export type { LogFields, Logger } from "./core/kit/logger.js";
export { type Profile, profiles, type Range } from "./core/kit/profiles.js";
export type { Span, SpanFacts, SpanOptions, Tracing } from "./core/kit/tracing.js";
export type {
  Action,
  ActionInput,
  Approval,
  ApprovalInput,
  Decision,
  Remembered,
} from "./core/model/approval.js";
export type {
  Ask,
  AskContent,
  AskInput,
  AskRequest,
  AskStatus,
  DeadlinePolicy,
  DeliveredAsk,
} from "./core/model/ask.js";
export type { Callback } from "./core/model/callback.js";
export { deliverAsk, deliverOutcome } from "./core/model/delivery.js";
export { type Draft, parseDraft } from "./core/model/draft.js";
export type { DraftHint } from "./core/model/draft-hint.js";
export {
  type DecisionSubmission,
  type Ending,
  type EndingMethods,
  endingOf,
  type Submission,
  type SubmittedAnswer,
  type SubmittedDecision,
  toOutcome,
  type ValidEnding,
} from "./core/model/ending.js";
export { AsklineError, ERROR_CODES, type ErrorCode } from "./core/model/error.js";
export { ASK_EVENT_TYPES, type AskEvent, type AskEventType } from "./core/model/event.js";
export { DECISION_KINDS, type DecisionKind, OUTCOME_KINDS, type OutcomeKind } from "./core/model/kinds.js";
export type { NotifyStep } from "./core/model/notify.js";
export type { Option, OptionInput, Preview } from "./core/model/option.js";
export { CATCH_ALL_LABELS } from "./core/model/option.js";
export type { Answer, Answerer, Choice, DeliveredOutcome, Outcome, Person } from "./core/model/outcome.js";
export type {
  AskFilter,
  AskOptions,
  AskPage,
  By,
  Inbox,
  Page,
  Resolver,
  ResumeLease,
  ResumeOptions,
  SettleOptions,
} from "./core/model/ports.js";
export type { Question, QuestionInput } from "./core/model/question.js";
export type { RememberedRule } from "./core/model/rule.js";
export type {
  SessionAskOptions,
  SessionEnding,
  SessionRequest,
  SessionToolResult,
  SessionToolUse,
  SessionWriter,
  ToolRule,
} from "./core/model/session-writer.js";
export { abortReason, onAbort, untilAborted } from "./core/rules/abort.js";
export {
  type AskState,
  type LifecycleEvent,
  type Refusal,
  sameOutcome,
  type Transition,
  transition,
} from "./core/rules/lifecycle.js";
export { type ParsedAsk, type ParseOptions, parseAsk, requireAsk } from "./core/rules/parse-ask.js";
export {
  type Resolution,
  type ResolverOptions,
  resolverOf,
  staticResolver,
  withTimeout,
} from "./core/rules/resolvers.js";
export {
  type ValidatedAnswers,
  type ValidateOptions,
  validateAnswers,
} from "./core/rules/validate-answers.js";
export { type ValidatedDecisions, validateDecisions } from "./core/rules/validate-decisions.js";
export {
  type ValidatedEnding,
  type ValidateEndingOptions,
  validateEnding,
} from "./core/rules/validate-ending.js";
export {
  type AnsweredQuestion,
  CANONICAL_CODES,
  canonicalError,
  formatAnswers,
  formatPairs,
} from "./core/text/canonical.js";
export { describeOutcome } from "./core/text/describe-outcome.js";
export {
  displayAnswerer,
  displayAsker,
  displayHeader,
  displayJson,
  displayLabel,
  displayLine,
  displayText,
} from "./core/text/display.js";
export { answerParts, decodeTextAnswer, encodeTextAnswer } from "./core/text/text-answer.js";
