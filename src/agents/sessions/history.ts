// A session as a list of messages. Their order never changes; only the end of an open group and a pending request
// can still look different later.

import { defined } from "../../core/kit/tools.js";
import type { Ask } from "../../core/model/ask.js";
import { AsklineError } from "../../core/model/error.js";
import type { HistoryMessage, HistoryRequestBlock } from "../../core/model/history-message.js";
import { transcriptOf } from "../../hub/records/transcripts.js";
import type { Hub } from "../../hub/seam/port.js";
import { PAGE_SIZE } from "../../hub/seam/store.js";
import { approvalKeyOf } from "../shapes/stream/events.js";
import { stream } from "../shapes/stream.js";
import { entriesFrom, readerAt } from "./checkpoints.js";
import { type Group, type Placement, summaryOf } from "./fold.js";
import { timeoutSecondsOf } from "./options.js";
import { type ReadEntry, requireHead, withAsks } from "./read-transcript.js";
import { type SessionHead, type TranscriptEntry, writerOf } from "./transcript.js";

export interface HistoryPage {
  /** The `next` of the previous page: the messages after it, from the oldest on. */
  readonly after?: string;
  /** The `previous` of a page, or `end`: the last messages before it. Not with `after`. */
  readonly before?: string;
  /** At most this many messages; 500 by default. */
  readonly limit?: number;
  /** Called with about how many characters were read from the store, for a server that charges for it. */
  readonly onRead?: (characters: number) => void;
}

export interface History {
  /** Oldest first, in either direction. */
  readonly messages: readonly HistoryMessage[];
  /** Where the next page starts; absent on the last, and with `before`. */
  readonly next?: string;
  /** The `before` of the page before this one; absent on the first, and without `before`. */
  readonly previous?: string;
  /** Where the stream continues for a reader of the whole history. */
  readonly position: string;
}

const DEFAULT_PAGE = 500;
const LARGEST_PAGE = 1_000;

/**
 * A page of a session's history: from its beginning, or with `before` from its end. It reads the entries of the page,
 * those since the checkpoint before, and the rest of the group at its end.
 *
 * @example
 * const { messages, previous } = await readHistory(hub, "s1", { before: "end", limit: 100 });
 * console.log(messages.length, previous);
 */
export async function readHistory(
  hub: Hub,
  sessionId: string,
  { after, before, limit = DEFAULT_PAGE, onRead = () => undefined }: HistoryPage = {},
): Promise<History> {
  if (after !== undefined && before !== undefined) {
    throw new AsklineError("invalid_request", "use after or before, not both");
  }
  const head = await requireHead(hub, sessionId);
  const most = Math.max(1, Math.min(limit, LARGEST_PAGE));
  const last = (await hub.logs.bounds(transcriptOf(sessionId))).head;
  const range = { hub, head, most, onRead };
  const backwards = before !== undefined;
  const placed = backwards
    ? await placeBefore(range, before === "end" ? last + 1 : cursorOf(before, "previous"))
    : await placeAfter(range, after === undefined ? 0 : cursorOf(after, "next"));
  const { messages, positions } = await messagesOf(range, placed, backwards);
  const more = placed.more || messages.length < placed.items.length;
  const cursor = backwards ? positions[0] : positions.at(-1);
  return {
    messages,
    ...(more && cursor !== undefined && { [backwards ? "previous" : "next"]: String(cursor) }),
    position: String(Math.max(last, placed.last)),
  };
}

function cursorOf(text: string, name: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new AsklineError("invalid_request", `"${text}" is not a cursor; use the ${name} of a page`);
}

interface Range {
  readonly hub: Hub;
  readonly head: SessionHead;
  readonly most: number;
  readonly onRead: (characters: number) => void;
}

/** The entries of a page, each with its group as it stands after the page. */
interface Placed {
  readonly items: readonly ReadEntry[];
  readonly groups: Groups;
  /** Whether there are more entries in the direction of reading. */
  readonly more: boolean;
  /** The last position that was read. */
  readonly last: number;
}

/** By number: a group that spans a checkpoint is read as two objects, and the later one knows how it ended. */
type Groups = ReadonlyMap<number, Group>;

/** The messages of a page, as many as fit; the newest ones if the page is read backwards. */
async function messagesOf(
  { hub, head: { sessionId }, onRead }: Range,
  { items, groups }: Placed,
  backwards: boolean,
): Promise<{ readonly messages: readonly HistoryMessage[]; readonly positions: readonly number[] }> {
  const askIdOf = ({ entry }: ReadEntry): string | undefined => ("askId" in entry ? entry.askId : undefined);
  const messages: HistoryMessage[] = [];
  const positions: number[] = [];
  let size = 0;
  const ordered = backwards ? items.toReversed() : items;
  for await (const [{ entry, placement }, ask] of withAsks(hub, ordered, askIdOf)) {
    const content = messageOf(sessionId, entry, placement, ask);
    const { group } = placement;
    const message = displayed(content, group && (groups.get(group.number) ?? group), entry.position);
    size += JSON.stringify(message).length;
    if (size > PAGE_SIZE && messages.length > 0) break;
    messages.push(message);
    positions.push(entry.position);
  }
  onRead(size);
  if (backwards) {
    messages.reverse();
    positions.reverse();
  }
  return { messages, positions };
}

async function placeAfter({ hub, head, most, onRead }: Range, after: number): Promise<Placed> {
  const start = await readerAt(hub, head, after);
  const items: ReadEntry[] = [];
  const groups = new Map<number, Group>();
  let size = 0;
  let last = 0;
  let more = false;
  for await (const { position, read, size: entrySize } of entriesFrom(hub, head, start, onRead)) {
    last = position;
    if (position <= after || read === undefined || !isMessage(read)) continue;
    if (items.length === most || (size > PAGE_SIZE && items.length > 0)) {
      more = true;
      // Beyond the page, only the end of its last group is still of interest.
      if (!items.some(isInOpenGroup)) break;
      continue;
    }
    items.push(read);
    size += entrySize;
  }
  return { items, groups, more, last };
}

/** Reads backwards from checkpoint to checkpoint, and forwards from each, until the page is full. */
async function placeBefore({ hub, head, most, onRead }: Range, before: number): Promise<Placed> {
  const groups = new Map<number, Group>();
  const addGroup = (group: Group | undefined): void => {
    if (group !== undefined && !groups.has(group.number)) groups.set(group.number, group);
  };
  let items: readonly ReadEntry[] = [];
  let size = 0;
  let last = 0;
  let more = false;
  for (let end = before - 1; end >= head.position && !more; ) {
    const start = await readerAt(hub, head, end - 1);
    addGroup(start.reader.fold?.open);
    const part: { readonly read: ReadEntry; readonly size: number }[] = [];
    let openAtEnd: Group | undefined;
    for await (const { position, read, size: entrySize } of entriesFrom(hub, head, start, onRead)) {
      last = Math.max(last, position);
      addGroup(read?.placement.group);
      if (position <= end && read !== undefined && isMessage(read)) {
        part.push({ read, size: entrySize });
        size += entrySize;
        while (part.length > 1 && (items.length + part.length > most || size > PAGE_SIZE)) {
          size -= part.shift()?.size ?? 0;
          more = true;
        }
      }
      if (position === end) openAtEnd = start.reader.fold?.open;
      // Beyond the page, only the end of its last group is still of interest.
      if (position >= end && (items.length > 0 || openAtEnd === undefined || openAtEnd.closed)) break;
    }
    items = [...part.map(({ read }) => read), ...items];
    end = start.position;
    if (items.length >= most || size > PAGE_SIZE) more ||= end > head.position;
  }
  // The part before the last one may have been full already.
  const kept = items.slice(-most);
  return { items: kept, groups, more: more || kept.length < items.length, last };
}

function isInOpenGroup({ placement: { group } }: ReadEntry): boolean {
  return group !== undefined && !group.closed;
}

/** The end of a request is shown in the request itself; only a reply is a message of its own. */
function isMessage({ entry, placement }: ReadEntry): boolean {
  if (entry.type === "ended") return entry.outcome === "replied";
  return entry.type === "user" || placement.index !== undefined;
}

function displayed(content: MessageContent, group: Group | undefined, position: number): HistoryMessage {
  // A group of one message has nothing to collapse, and one message cannot be both group_start and group_end.
  if (group === undefined || (group.closed && group.first === group.last)) {
    return { ...content, display_type: "content" };
  }
  const summary = summaryOf(group);
  const begins = position === group.first;
  const endsHere = group.closed && position === group.last;
  if (!begins && !endsHere) return { ...content, display_type: "group_item" };
  return {
    ...content,
    display_type: begins ? "group_start" : "group_end",
    ...(summary !== undefined && { summary }),
  };
}

type WithoutDisplay<Message> = Message extends unknown ? Omit<Message, "display_type" | "summary"> : never;

/** A message before its place in a group is known. */
export type MessageContent = WithoutDisplay<HistoryMessage>;

/** `ask` is the entry's ask, if it is still stored. */
function messageOf(
  sessionId: string,
  entry: TranscriptEntry,
  { number = 0, tool }: Placement,
  ask: Ask | undefined,
): MessageContent {
  switch (entry.type) {
    case "user":
    case "summary":
      return {
        ...{ role: "user", content: [{ type: "text", text: entry.text }] },
        ...defined({ by: entry.by }),
      };
    case "ended": {
      const reply = ask?.outcome?.kind === "replied" ? ask.outcome : undefined;
      return {
        role: "user",
        content: reply === undefined ? [] : [{ type: "text", text: reply.text }],
        ...defined({ by: reply && writerOf(reply.by) }),
      };
    }
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
    ...defined({ outcome, timeoutSeconds, deadline }),
  });
}
