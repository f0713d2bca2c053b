export { type Clock, systemClock } from "./kit/clock.js";
export { isBlank } from "./kit/fold.js";
export { formatIssues, ISSUE_CODES, type Issue, type IssueCode } from "./kit/issue.js";
export { canonicalJson, isRecord, type Json, type JsonObject } from "./kit/json.js";
export { LIMITS } from "./kit/limits.js";
export type { LogFields, Logger } from "./kit/logger.js";
export { type Profile, profiles, type Range } from "./kit/profiles.js";
export type { Span, SpanFacts, SpanOptions, Tracing } from "./kit/tracing.js";
export type {
  Action,
  ActionInput,
  Approval,
  ApprovalInput,
  Decision,
  Remembered,
} from "./model/approval.js";
export type {
  Ask,
  AskContent,
  AskInput,
  AskRequest,
  AskStatus,
  DeadlinePolicy,
  DeliveredAsk,
} from "./model/ask.js";
export type { Callback } from "./model/callback.js";
export { deliverAsk, deliverOutcome } from "./model/delivery.js";
export { type Draft, parseDraft } from "./model/draft.js";
export type { DraftHint } from "./model/draft-hint.js";
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
} from "./model/ending.js";
export { AsklineError, ERROR_CODES, type ErrorCode } from "./model/error.js";
export { ASK_EVENT_TYPES, type AskEvent, type AskEventType } from "./model/event.js";
export { DECISION_KINDS, type DecisionKind, OUTCOME_KINDS, type OutcomeKind } from "./model/kinds.js";
export type { NotifyStep } from "./model/notify.js";
export type { Option, OptionInput, Preview } from "./model/option.js";
export { CATCH_ALL_LABELS } from "./model/option.js";
export type { Answer, Answerer, Choice, DeliveredOutcome, Outcome, Person } from "./model/outcome.js";
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
} from "./model/ports.js";
export type { Question, QuestionInput } from "./model/question.js";
export type { RememberedRule } from "./model/rule.js";
export type {
  SessionAskOptions,
  SessionEnding,
  SessionRequest,
  SessionToolResult,
  SessionToolUse,
  SessionWriter,
  ToolRule,
} from "./model/session-writer.js";
export {
  type AskState,
  type LifecycleEvent,
  type Refusal,
  sameOutcome,
  type Transition,
  transition,
} from "./rules/lifecycle.js";
export { type ParsedAsk, type ParseOptions, parseAsk, requireAsk } from "./rules/parse-ask.js";
export {
  type ValidatedAnswers,
  type ValidateOptions,
  validateAnswers,
} from "./rules/validate-answers.js";
export { type ValidatedDecisions, validateDecisions } from "./rules/validate-decisions.js";
export { type ValidatedEnding, type ValidateEndingOptions, validateEnding } from "./rules/validate-ending.js";
export {
  type AnsweredQuestion,
  CANONICAL_CODES,
  canonicalError,
  formatAnswers,
  formatPairs,
} from "./text/canonical.js";
export { describeOutcome } from "./text/describe-outcome.js";
export {
  displayAnswerer,
  displayAsker,
  displayHeader,
  displayJson,
  displayLabel,
  displayLine,
  displayText,
} from "./text/display.js";
export { answerParts, decodeTextAnswer, encodeTextAnswer } from "./text/text-answer.js";
export { abortReason, onAbort, untilAborted } from "./tool/abort.js";
export {
  type ApprovalOptions,
  type ApprovedCall,
  approveCall,
  NotApprovedError,
} from "./tool/approve-call.js";
export {
  type AskTool,
  createAskTool,
  type ResolverToolOptions,
  type ToolCall,
  type ToolResult,
} from "./tool/ask-tool.js";
export {
  ASK_TOOL_DESCRIPTION,
  type AskToolSchema,
  askToolSchema,
  SDK_TOOL_NAME,
  type ToolSchema,
} from "./tool/ask-tool-definition.js";
export {
  type AnswerHandler,
  type HandlerAnswers,
  type HandlerToolOptions,
  InvalidAnswersError,
} from "./tool/handler-tool.js";
export {
  type Resolution,
  type ResolverOptions,
  resolverOf,
  staticResolver,
  withTimeout,
} from "./tool/resolvers.js";
