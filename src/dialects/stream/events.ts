// The events of a stream, and the messages of its history.

import type { JsonObject, OutcomeKind } from "../../core/index.js";
import type { AnswersMap } from "../shared.js";
import type { ApprovalRequest, HistoryRequestBlock, StreamDecision } from "./shapes.js";

export type StreamEvent =
  | { readonly type: "group_start"; readonly summary?: string }
  | { readonly type: "group_end"; readonly summary?: string }
  | { readonly type: "content_block_start"; readonly index: number; readonly content_block: StreamBlock }
  | { readonly type: "content_block_delta"; readonly index: number; readonly delta: StreamDelta }
  | { readonly type: "content_block_stop"; readonly index: number }
  /** An addition of Askline: what was said to the agent, for the other clients of the session, and who wrote it. */
  | { readonly type: "user_message"; readonly text: string; readonly by?: MessageWriter }
  /** An addition of Askline: a request was settled before its deadline, so that every open card can close. */
  | {
      readonly type: "approval_resolved";
      readonly approval_key: string;
      readonly status: Exclude<OutcomeKind, "expired"> | "removed";
      readonly answers?: AnswersMap;
      readonly decisions?: readonly StreamDecision[];
    };

/** Who wrote a message, as the server checked it: a person, or an agent that says what it was told. */
export type MessageWriter =
  | { readonly kind: "person"; readonly id: string; readonly surface: string; readonly via?: string }
  | { readonly kind: "agent"; readonly name: string };

export type StreamBlock =
  | { readonly type: "text"; readonly is_final?: true }
  | { readonly type: "thinking" }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string }
  | { readonly type: "tool_result"; readonly tool_call_id: string; readonly name: string }
  | { readonly type: "approval_request"; readonly approval_key: string }
  | { readonly type: "approval_timeout"; readonly approval_key: string };

export type StreamDelta =
  | { readonly text: string }
  | { readonly thinking: string }
  | { readonly tool_content_message: string }
  | { readonly status: ToolStatus }
  | ApprovalRequest
  | JsonObject;

export type ToolStatus = "success" | "error";

export type DisplayType = "content" | "group_start" | "group_item" | "group_end";

export type HistoryBlock =
  | { readonly type: "text"; readonly text: string; readonly is_final?: true }
  | { readonly type: "thinking"; readonly thinking: string }
  | HistoryRequestBlock;

interface Displayed {
  readonly display_type: DisplayType;
  /** The summary of the group that the message begins or ends. */
  readonly summary?: string;
}

export type HistoryMessage =
  /** `by` is an addition of Askline. It is absent for what the hub's own process wrote, and for older messages. */
  (
    | { readonly role: "user"; readonly content: readonly HistoryBlock[]; readonly by?: MessageWriter }
    | {
        readonly role: "assistant";
        readonly message_type?: "step";
        readonly content: readonly HistoryBlock[];
        readonly tool_calls?: readonly {
          readonly id: string;
          readonly name: string;
          readonly tool_content_message?: string;
        }[];
      }
    | {
        readonly role: "tool";
        readonly tool_call_id: string;
        readonly name: string;
        readonly status: ToolStatus;
      }
  ) &
    Displayed;

/** The events of one block: its start, its delta if there is one, and its stop. */
export function blockEvents(
  index: number,
  content_block: StreamBlock,
  delta?: StreamDelta,
): readonly StreamEvent[] {
  return [
    { type: "content_block_start", index, content_block },
    ...(delta === undefined ? [] : [{ type: "content_block_delta" as const, index, delta }]),
    { type: "content_block_stop", index },
  ];
}

/** The `n`th request of a session, from 1. */
export function approvalKeyOf(sessionId: string, n: number): string {
  return `${sessionId}_${n}`;
}

/** The number in an approval key; undefined if the key does not belong to this session. */
export function approvalNumberOf(sessionId: string, approvalKey: string): number | undefined {
  const digits = approvalKey.startsWith(`${sessionId}_`) ? approvalKey.slice(sessionId.length + 1) : "";
  return /^[1-9]\d{0,8}$/.test(digits) ? Number(digits) : undefined;
}
