import type { Ask } from "../core/index.js";
import { approvalKeyOf, blockEvents, type StreamEvent, stream } from "../dialects/stream/index.js";
import { type Placed, summaryOf } from "./fold.js";
import { timeoutSecondsOf } from "./timeouts.js";
import type { TranscriptEntry } from "./transcript.js";

/** One entry as the events that tell of it. `ask` is the one it is about, where that is still kept. */
export function streamEventsOf(
  sessionId: string,
  entry: TranscriptEntry,
  placed: Placed,
  ask: Ask | undefined,
): readonly StreamEvent[] {
  const { closed, opened, group } = placed;
  const ended = closed && summaryOf(closed);
  const begun = group && summaryOf(group);
  return [
    ...(closed === undefined ? [] : [{ type: "group_end" as const, ...(ended && { summary: ended }) }]),
    ...(opened ? [{ type: "group_start" as const, ...(begun && { summary: begun }) }] : []),
    ...contentOf(sessionId, entry, placed, ask),
  ];
}

function contentOf(
  sessionId: string,
  entry: TranscriptEntry,
  { index, number = 0, tool }: Placed,
  ask: Ask | undefined,
): readonly StreamEvent[] {
  const approval_key = approvalKeyOf(sessionId, number);
  if (entry.type === "user") return [{ type: "user_message", text: entry.text }];
  if (entry.type === "ended" && entry.outcome !== "expired")
    return resolvedEvents(entry.outcome, approval_key, ask);
  if (index === undefined) return [];
  switch (entry.type) {
    case "text":
      return blockEvents(
        index,
        { type: "text", ...(entry.final && { is_final: true }) },
        { text: entry.text },
      );
    case "thinking":
      return blockEvents(index, { type: "thinking" }, { thinking: entry.text });
    case "tool_use": {
      const { id, name, message } = entry;
      const delta = message === undefined ? undefined : { tool_content_message: message };
      return blockEvents(index, { type: "tool_use", id, name }, delta);
    }
    case "tool_result": {
      const { id, status } = entry;
      return blockEvents(index, { type: "tool_result", tool_call_id: id, name: tool ?? "tool" }, { status });
    }
    case "asked": {
      const timeoutSeconds = ask && timeoutSecondsOf(ask);
      const encoded = ask && stream.encodeAsk(ask, timeoutSeconds === undefined ? {} : { timeoutSeconds });
      const block = { type: "approval_request" as const, approval_key };
      return blockEvents(index, block, encoded?.ok ? encoded.input : undefined);
    }
    case "ended":
      return blockEvents(index, { type: "approval_timeout", approval_key });
    case "summary":
      return [];
  }
}

function resolvedEvents(
  status: Extract<StreamEvent, { type: "approval_resolved" }>["status"],
  approval_key: string,
  ask: Ask | undefined,
): readonly StreamEvent[] {
  const outcome = ask?.outcome;
  const answer = ask && outcome && stream.encodeOutcome(ask, outcome);
  return [
    { type: "approval_resolved", approval_key, status, ...(answer?.ok && answer.output) },
    ...(outcome?.kind === "replied" ? [{ type: "user_message" as const, text: outcome.text }] : []),
  ];
}
