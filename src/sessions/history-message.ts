import type { Ask } from "../core/index.js";
import {
  approvalKeyOf,
  type HistoryMessage,
  type HistoryRequestBlock,
  stream,
} from "../dialects/stream/index.js";
import type { Placed } from "./fold.js";
import { timeoutSecondsOf } from "./timeouts.js";
import type { TranscriptEntry } from "./transcript.js";

type Undisplayed<Message> = Message extends unknown ? Omit<Message, "display_type" | "summary"> : never;

/** A message without its place among the others. */
export type MessageContent = Undisplayed<HistoryMessage>;

/** `ask` is the one that the entry is about, where it is still kept. */
export function messageOf(
  sessionId: string,
  entry: TranscriptEntry,
  { number = 0, tool }: Placed,
  ask: Ask | undefined,
): MessageContent {
  switch (entry.type) {
    case "user":
    case "summary":
      return { role: "user", content: [{ type: "text", text: entry.text }] };
    case "ended":
      return {
        role: "user",
        content: ask?.outcome?.kind === "replied" ? [{ type: "text", text: ask.outcome.text }] : [],
      };
    case "thinking":
      return { role: "assistant", content: [{ type: "thinking", thinking: entry.text }] };
    case "text": {
      const { text, final } = entry;
      return { role: "assistant", content: [{ type: "text", text, ...(final && { is_final: true }) }] };
    }
    case "tool_use": {
      const { id, name, message } = entry;
      const call = { id, name, ...(message !== undefined && { tool_content_message: message }) };
      return { role: "assistant", content: [], tool_calls: [call] };
    }
    case "tool_result":
      return { role: "tool", tool_call_id: entry.id, name: tool ?? "tool", status: entry.status };
    case "asked": {
      const block = requestBlock(approvalKeyOf(sessionId, number), ask);
      return { role: "assistant", message_type: "step", content: [block] };
    }
  }
}

function requestBlock(approvalKey: string, ask: Ask | undefined): HistoryRequestBlock {
  if (ask === undefined) {
    return { type: "approval_request", isResolved: false, status: "removed", actionRequests: [] };
  }
  const { outcome, deadline } = ask;
  const timeoutSeconds = timeoutSecondsOf(ask);
  return stream.encodeHistoryBlock(ask, {
    approvalKey,
    ...(outcome !== undefined && { outcome }),
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    ...(deadline !== undefined && { deadline }),
  });
}
