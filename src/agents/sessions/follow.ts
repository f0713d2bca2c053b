// A session as a stream of events, from any position (even in the middle of a block), then live.

import { defined } from "../../core/kit/tools.js";
import type { Ask } from "../../core/model/ask.js";
import { AsklineError } from "../../core/model/error.js";
import type { StreamEvent } from "../../core/model/stream-event.js";
import { untilAborted } from "../../core/rules/abort.js";
import { transcriptOf } from "../../hub/records/transcripts.js";
import type { Hub } from "../../hub/seam/port.js";
import type { LogEntry } from "../../hub/seam/store.js";
import { approvalKeyOf, blockEvents } from "../shapes/stream/events.js";
import { stream } from "../shapes/stream.js";
import { readerAt } from "./checkpoints.js";
import { type Placement, summaryOf } from "./fold.js";
import { timeoutSecondsOf } from "./options.js";
import {
  createTranscriptReader,
  readPage,
  requireHead,
  sessionNotFound,
  type TranscriptReader,
  wasTrimmed,
  withAsks,
} from "./read-transcript.js";
import { readHead, type SessionHead, type TranscriptEntry, writerOf } from "./transcript.js";

export interface FollowOptions {
  /** The id of the last event that was read; `"0"` for all events. By default the stream starts now. */
  readonly after?: string;
  readonly signal?: AbortSignal;
  /**
   * Whether the reader may read a session with this head; by default every reader may. Called again when the session
   * was removed and reopened, perhaps by another agent for other people. False ends the stream with `not_found`.
   */
  readonly mayRead?: (head: SessionHead) => boolean;
}

export interface FollowedEvent {
  /** Where to resume: the position of the transcript entry, and the index of the event within that entry. */
  readonly id: string;
  readonly event: StreamEvent;
}

const ID = /^(\d{1,15})(?:\.(\d{1,4}))?$/;

/**
 * The events of a session: none missed, none twice. Ends when the signal aborts. Throws `not_found` for an unknown
 * session, `position_trimmed` for a position that was removed or is from another store, and `closed` when the hub
 * closes.
 *
 * @example
 * for await (const { id, event } of followSession(hub, "s1", { after: "0" })) console.log(id, event.type);
 */
export async function* followSession(
  hub: Hub,
  sessionId: string,
  { after, signal, mayRead = () => true }: FollowOptions = {},
): AsyncGenerator<FollowedEvent, void, void> {
  const log = transcriptOf(sessionId);
  const head = await requireHead(hub, sessionId);
  const from = await startOf(hub, sessionId, after);
  // A placement depends on all earlier entries, so the log is read from the checkpoint before; events start at `after`.
  const start = await readerAt(hub, head, from.position - 1);
  let reader = start.reader;
  let position = reader.first === undefined ? 0 : start.position;
  if (reader.first !== undefined && !mayRead(head)) throw sessionNotFound(sessionId);
  let replaying = true;
  while (!signal?.aborted) {
    // Subscribe before reading: a commit after the read resolves it.
    const more = hub.logs.next(log);
    const { entries, isFull } = await readPage(hub, log, position);
    // The transcript may have been removed. A reader that had read all of it misses nothing and continues.
    const [next] = entries;
    if (position === 0) {
      if (next === undefined) await requireHead(hub, sessionId);
      else if (from.position > 0 && from.position < next.position) throw trimmed(String(from.position));
    } else if ((replaying || next !== undefined) && (await wasTrimmed(hub, log, position, next))) {
      throw trimmed(String(position));
    }
    replaying = isFull;
    const askIdOf = (entry: LogEntry): string | undefined =>
      entry.position >= from.position ? entry.subject : undefined;
    for await (const [logged, ask] of withAsks(hub, entries, askIdOf)) {
      position = logged.position;
      if (logged.type === "opened") {
        if (await wasReplaced(hub, log, reader)) reader = createTranscriptReader();
        const head = reader.first === undefined ? readHead(sessionId, logged) : undefined;
        if (head !== undefined && !mayRead(head)) throw sessionNotFound(sessionId);
      }
      const read = reader.take(logged);
      if (read === undefined || position < from.position) continue;
      const seen = position === from.position ? from.part : 0;
      const events = streamEventsOf(sessionId, read.entry, read.placement, ask);
      for (const [index, event] of events.entries()) {
        if (signal?.aborted) return;
        if (index + 1 > seen) yield { id: `${position}.${index + 1}`, event };
      }
    }
    if (!isFull) await untilAborted(signal, more).catch(() => undefined);
  }
}

/** Whether the transcript that was being read was removed, and this one is a new one of the same session. */
async function wasReplaced(hub: Hub, log: string, { first }: TranscriptReader): Promise<boolean> {
  return first !== undefined && (await hub.logs.bounds(log)).first > first;
}

export interface StreamStart {
  readonly position: number;
  /** How many events of the entry at this position have been read. */
  readonly part: number;
}

/** Where a reader starts; throws for a position that is malformed, was removed or is from another store. */
export async function startOf(hub: Hub, sessionId: string, after: string | undefined): Promise<StreamStart> {
  const { first, head } = await hub.logs.bounds(transcriptOf(sessionId));
  const start = after === undefined ? { position: head, part: Number.POSITIVE_INFINITY } : parseId(after);
  if (start.position === 0 || (start.position >= first && start.position <= head)) return start;
  throw trimmed(after ?? "");
}

function trimmed(position: string): AsklineError {
  return new AsklineError(
    "position_trimmed",
    `this session has no position ${position}; read its history and resume from the position given there`,
  );
}

/** An id without a part means the whole entry. */
function parseId(id: string): StreamStart {
  const [, position, part] = ID.exec(id) ?? [];
  if (position === undefined) {
    throw new AsklineError("invalid_request", `"${id}" is not a position; use the id of an event`);
  }
  return { position: Number(position), part: part === undefined ? Number.POSITIVE_INFINITY : Number(part) };
}

/** The events of one entry. `ask` is the entry's ask, if it is still stored. */
function streamEventsOf(
  sessionId: string,
  entry: TranscriptEntry,
  placement: Placement,
  ask: Ask | undefined,
): readonly StreamEvent[] {
  const { closed, opened, group } = placement;
  const ended = closed && summaryOf(closed);
  const begun = group && summaryOf(group);
  return [
    ...(closed === undefined ? [] : [{ type: "group_end" as const, ...(ended && { summary: ended }) }]),
    ...(opened ? [{ type: "group_start" as const, ...(begun && { summary: begun }) }] : []),
    ...contentOf(sessionId, entry, placement, ask),
  ];
}

function contentOf(
  sessionId: string,
  entry: TranscriptEntry,
  { index, number = 0, tool }: Placement,
  ask: Ask | undefined,
): readonly StreamEvent[] {
  const approval_key = approvalKeyOf(sessionId, number);
  if (entry.type === "user")
    return [{ type: "user_message", text: entry.text, ...defined({ by: entry.by }) }];
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
    ...(outcome?.kind === "replied"
      ? [{ type: "user_message" as const, text: outcome.text, ...defined({ by: writerOf(outcome.by) }) }]
      : []),
  ];
}
