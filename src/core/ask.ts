import type { Approval, ApprovalInput } from "./approval.js";
import type { JsonObject } from "./json.js";
import type { Outcome, OutcomeKind } from "./outcome.js";
import type { Question, QuestionInput } from "./question.js";

/** What happens when the deadline passes. */
export const DEADLINE_POLICIES = ["expire", "recommended", "wait"] as const;
export type DeadlinePolicy = (typeof DEADLINE_POLICIES)[number];

/**
 * A parsed ask, before anyone has stored it. Holds either questions or an approval:
 * where `approval` is set, `questions` is empty. Times are milliseconds since the epoch.
 */
export interface AskRequest {
  readonly questions: readonly Question[];
  readonly approval?: Approval;
  /** Markdown for the person who decides; no part of any answer. */
  readonly context?: string;
  /** One conversation of an agent; `""` where there is none. */
  readonly session: string;
  /** Makes asking idempotent within the session: the framework's tool-call id. */
  readonly key?: string;
  readonly agentId?: string;
  /** The chain of agents above a subagent, outermost first. */
  readonly agentPath?: readonly string[];
  /** Ids of the persons who may answer; empty means every person. */
  readonly recipients: readonly string[];
  readonly metadata?: JsonObject;
  readonly deadline?: number;
  /** A deadline counted from the moment the ask is stored. */
  readonly timeoutMs?: number;
  readonly onDeadline: DeadlinePolicy;
  /** A person's activity moves the deadline to at least now plus this many milliseconds. */
  readonly extendOnActivity?: number;
  /** The deadline never moves beyond this. */
  readonly latest?: number;
  /** Questions may be left blank; they are then `skipped`. */
  readonly allowPartial: boolean;
  /** End as `unavailable` at once when nobody who may answer can be reached. */
  readonly requireSurface: boolean;
}

export type AskStatus = "pending" | OutcomeKind;

/** A stored ask. `outcome` and `settledAt` are there exactly when `status` is not `pending`. */
export interface Ask extends Omit<AskRequest, "timeoutMs"> {
  readonly id: string;
  readonly status: AskStatus;
  readonly createdAt: number;
  /** Who asked, as the server's credentials name them; never taken from the request. */
  readonly asker?: string;
  /** A log that its beginning and its end are written to as well: that of its session, where it has one. */
  readonly transcript?: string;
  /** Its deadline passed while `onDeadline` said to wait. */
  readonly overdue?: true;
  readonly settledAt?: number;
  readonly outcome?: Outcome;
}

/** What a caller may write for an ask; `parseAsk` makes an {@link AskRequest} of it. */
export interface AskInput {
  readonly questions?: readonly QuestionInput[];
  readonly approval?: ApprovalInput;
  readonly context?: string;
  readonly session?: string;
  readonly key?: string;
  readonly agentId?: string;
  readonly agentPath?: readonly string[];
  readonly recipients?: readonly string[];
  readonly metadata?: JsonObject;
  /** Milliseconds since the epoch, or an ISO 8601 date with a time zone. */
  readonly deadline?: number | string;
  readonly timeoutMs?: number;
  readonly onDeadline?: DeadlinePolicy;
  readonly extendOnActivity?: number;
  readonly latest?: number | string;
  readonly allowPartial?: boolean;
  readonly requireSurface?: boolean;
}

/** The part of an ask that a person answers: what surfaces, dialects and formatters need. */
export type AskContent = Pick<AskRequest, "questions" | "approval" | "context">;
