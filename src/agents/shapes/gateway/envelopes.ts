// The messages of the gateway on the wire: those of the original protocol, and our additions to it.

import type { Issue } from "../../../core/kit/issue.js";
import type { JsonObject } from "../../../core/kit/json.js";
import type { OutcomeKind } from "../../../core/model/kinds.js";
import type { Answerer } from "../../../core/model/outcome.js";

/** The frame of the protocol. An agent's host sends `event`, and `hook.…` comes back. */
export interface GatewayEnvelope<Type extends string = string, Payload = unknown> {
  readonly type: Type;
  readonly payload?: Payload;
}

export type GatewayEvent<Name extends string, Payload> = GatewayEnvelope<
  "event",
  { readonly event: Name; readonly payload: Payload }
>;

export interface GatewayOption {
  readonly label: string;
  readonly description: string;
  /** Its preview. */
  readonly markdown?: string;
  /** An addition of Askline, as are the next two: omitted if the protocol's own fields are enough. */
  readonly id?: string;
  readonly recommended?: true;
  readonly input?: true;
}

export interface GatewayQuestion {
  readonly question: string;
  readonly header: string;
  readonly options: readonly GatewayOption[];
  readonly multiSelect: boolean;
  /** An addition of Askline, as are the next three. */
  readonly id?: string;
  readonly freeText?: false;
  readonly minPicks?: number;
  readonly maxPicks?: number;
}

/** Where an ask belongs, and fields that the original protocol does not have. */
export interface GatewayAddress {
  readonly sessionKey: string;
  readonly agentId: string;
  readonly context?: string;
  /** Milliseconds until the ask expires; 0 for never. Sent by a host. */
  readonly timeoutMs?: number;
  /** When the ask expires, in milliseconds since the epoch. Sent to a device. */
  readonly deadline?: number;
  /** The id of the ask on the server, unique everywhere. Sent to a device. */
  readonly askId?: string;
}

export interface GatewayQuestions extends GatewayAddress {
  readonly questionId: string;
  readonly questions: readonly GatewayQuestion[];
  readonly allowPartial?: true;
}

export interface GatewayApproval extends GatewayAddress {
  readonly executionId: string;
  readonly action: string;
  readonly args?: JsonObject;
  readonly summary?: string;
}

/** The id of an ask: `questionId` for questions, `executionId` for approvals; on devices also our own, `askId`. */
export type GatewayId = ({ readonly questionId: string } | { readonly executionId: string }) & {
  readonly askId?: string;
};

/** Question text to label, labels joined with `", "`, or typed text. */
export type GatewayAnswers = Readonly<Record<string, string>>;

export interface GatewayEnding {
  readonly status: OutcomeKind;
  readonly by?: Answerer;
}

export interface GatewayProblem {
  /** One of the error codes of Askline. */
  readonly code: string;
  readonly message: string;
  readonly issues?: readonly Issue[];
  /** Milliseconds to wait before sending it again, for `rate_limited`. */
  readonly retryAfterMs?: number;
}

export type GatewayAnswerHook = GatewayEnvelope<
  "hook.ask_user_answer",
  { readonly questionId: string; readonly answers: GatewayAnswers }
>;

export type GatewayApprovalHook = GatewayEnvelope<
  "hook.approval",
  { readonly executionId: string; readonly approved: boolean; readonly reason?: string }
>;

export type GatewayQuestionEvent = GatewayEvent<"ask_user_question", GatewayQuestions>;
export type GatewayApprovalEvent = GatewayEvent<"exec.approval.requested", GatewayApproval>;

export type GatewayRejection = GatewayEnvelope<
  "rejection",
  Partial<GatewayId> & GatewayProblem & Partial<GatewayEnding>
>;
export type GatewayError = GatewayEnvelope<"error", Partial<GatewayId> & GatewayProblem>;
