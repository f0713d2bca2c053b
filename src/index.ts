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
  type AnswerHandler,
  type HandlerAnswers,
  type HandlerToolOptions,
  InvalidAnswersError,
} from "./agents/tool/handler-tool.js";
export { type Clock, systemClock } from "./core/kit/clock.js";
export { formatIssues, ISSUE_CODES, type Issue, type IssueCode } from "./core/kit/issue.js";
export type { Json, JsonObject } from "./core/kit/json.js";
export { LIMITS } from "./core/kit/limits.js";
export type { LogFields, Logger } from "./core/kit/logger.js";
export { type Profile, profiles } from "./core/kit/profiles.js";
export type { Span, Tracing } from "./core/kit/tracing.js";
export type { Action, ActionInput, Approval, ApprovalInput, Decision } from "./core/model/approval.js";
export type { Ask, AskInput, AskRequest, DeliveredAsk } from "./core/model/ask.js";
export type { Draft } from "./core/model/draft.js";
export {
  type Ending,
  endingOf,
  type SubmittedAnswer,
  type SubmittedDecision,
  toOutcome,
  type ValidEnding,
} from "./core/model/ending.js";
export { AsklineError, type ErrorCode } from "./core/model/error.js";
export type { AskEvent } from "./core/model/event.js";
export type { Option, OptionInput, Preview } from "./core/model/option.js";
export type { Answer, Answerer, Choice, DeliveredOutcome, Outcome, Person } from "./core/model/outcome.js";
export type {
  AskFilter,
  AskOptions,
  AskPage,
  By,
  Inbox,
  Resolver,
  ResumeLease,
  SettleOptions,
} from "./core/model/ports.js";
export type { Question, QuestionInput } from "./core/model/question.js";
export type { RememberedRule } from "./core/model/rule.js";
export type { SessionWriter } from "./core/model/session-writer.js";
export { type ParsedAsk, type ParseOptions, parseAsk, requireAsk } from "./core/rules/parse-ask.js";
export {
  type Resolution,
  type ResolverOptions,
  resolverOf,
  staticResolver,
  withTimeout,
} from "./core/rules/resolvers.js";
export { validateAnswers } from "./core/rules/validate-answers.js";
export { validateEnding } from "./core/rules/validate-ending.js";
export { formatAnswers } from "./core/text/canonical.js";
export { describeOutcome } from "./core/text/describe-outcome.js";
export { displayHeader, displayLine, displayText } from "./core/text/display.js";
