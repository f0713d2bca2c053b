// The transcript of a session is one log in the store. It holds the written events and, for each ask, when it was
// created and how it ended; questions and answers are read from the ask itself.

import { isRecord, type Json } from "../../core/kit/json.js";
import { OUTCOME_KINDS, type OutcomeKind } from "../../core/model/kinds.js";
import type { Answerer } from "../../core/model/outcome.js";
import type { OpenEvent, WrittenEvent } from "../../core/model/session-event.js";
import type { ToolRule } from "../../core/model/session-writer.js";
import type { MessageWriter } from "../../core/model/stream-event.js";
import type { Asker } from "../../core/model/visibility.js";
import type { LogAppend, LogEntry } from "../../hub/seam/store.js";

export type TranscriptEntry = { readonly position: number; readonly by?: MessageWriter } & (
  | Exclude<WrittenEvent, { type: "tool_use" }>
  | (Extract<WrittenEvent, { type: "tool_use" }> & { readonly rule: ToolRule })
  | { readonly type: "asked"; readonly askId: string; readonly asks: "questions" | "approval" }
  | { readonly type: "ended"; readonly askId: string; readonly outcome: OutcomeKind }
);

/** The settings of a session, from its first entry. */
export interface SessionHead extends Omit<OpenEvent, "type"> {
  readonly sessionId: string;
  /** Where its transcript begins. */
  readonly position: number;
  /** The agent that opened it, as checked by a server. */
  readonly asker?: string;
  /** The person that the agent works for. */
  readonly owner?: string;
}

export function openEntry(log: string, event: OpenEvent, asker: Asker): LogAppend {
  const { type: _, ...fields } = event;
  return { log, type: "opened", data: { ...fields, ...asker } };
}

/** `by` is who writes it; undefined for the hub's own process. */
export function writtenEntry(
  log: string,
  { type, ...fields }: WrittenEvent,
  by: MessageWriter | undefined,
): LogAppend {
  return { log, type, data: { ...fields, ...(by !== undefined && { by }) } as unknown as Json };
}

/** The person who ended an ask, as the writer of a message. */
export function writerOf(by: Answerer): MessageWriter | undefined {
  return by.kind === "person" ? by : undefined;
}

/** Undefined if this entry is not a head. */
export function readHead(sessionId: string, entry: LogEntry | undefined): SessionHead | undefined {
  if (entry?.type !== "opened" || !isRecord(entry.data)) return undefined;
  // Only `openEntry` writes it.
  const fields = entry.data as unknown as Omit<SessionHead, "sessionId" | "position">;
  return { ...fields, sessionId, position: entry.position };
}

/** Undefined for entries that are not shown: the head, and types written by a later version. */
export function readEntry({ position, type, subject, data }: LogEntry): TranscriptEntry | undefined {
  switch (type) {
    case "user":
    case "thinking":
    case "summary":
    case "text":
    case "tool_use":
    case "tool_result":
      // Only `writtenEntry` writes them, from validated events.
      return { position, type, ...(data as object) } as TranscriptEntry;
    case "ask.created": {
      const asks = isRecord(data) && data.asks === "approval" ? "approval" : "questions";
      return { position, type: "asked", askId: subject ?? "", asks };
    }
    default: {
      const outcome = OUTCOME_KINDS.find((kind) => type === `ask.${kind}`);
      return outcome && { position, type: "ended", askId: subject ?? "", outcome };
    }
  }
}
