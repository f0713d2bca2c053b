// A session as a list of messages. Their order never changes; only the end of an open group and a pending request
// can still look different later.

import { type Ask, AsklineError } from "../core/index.js";
import { defined } from "../core/kit/tools.js";
import {
  approvalKeyOf,
  type HistoryMessage,
  type HistoryRequestBlock,
  stream,
} from "../dialects/stream/index.js";
import { type Hub, transcriptOf } from "../hub/index.js";
import { valueSize } from "../hub/seam/ask-size.js";
import { PAGE_SIZE } from "../hub/seam/store.js";
import { type Group, type Placement, summaryOf } from "./fold.js";
import { timeoutSecondsOf } from "./options.js";
import { createTranscriptReader, pagesOf, type ReadEntry, requireHead, withAsks } from "./read-transcript.js";
import type { TranscriptEntry } from "./transcript.js";

export interface HistoryPage {
  /** The `next` of the previous page. */
  readonly after?: string;
  /** At most this many messages; 500 by default. */
  readonly limit?: number;
  /** Called with about how many characters were read from the store, for a server that charges for it. */
  readonly onRead?: (characters: number) => void;
}

export interface History {
  readonly messages: readonly HistoryMessage[];
  /** Where the next page starts; absent on the last. */
  readonly next?: string;
  /** Where the stream continues for a reader of the whole history. */
  readonly position: string;
}

const DEFAULT_PAGE = 500;
const LARGEST_PAGE = 1_000;

/**
 * A page of a session's history, oldest first.
 *
 * @example
 * const { messages, next } = await readHistory(hub, "s1", { limit: 100 });
 * console.log(messages.length, next);
 */
export async function readHistory(
  hub: Hub,
  sessionId: string,
  { after = "0", limit = DEFAULT_PAGE, onRead }: HistoryPage = {},
): Promise<History> {
  if (!/^\d{1,15}$/.test(after)) {
    throw new AsklineError(
      "invalid_request",
      `"${after}" is not a cursor; use the next of the previous page`,
    );
  }
  await requireHead(hub, sessionId);
  const most = Math.max(1, Math.min(limit, LARGEST_PAGE));
  const { items, groups, head, more } = await place(hub, sessionId, { after: Number(after), most, onRead });
  const askIdOf = ({ entry }: ReadEntry): string | undefined => ("askId" in entry ? entry.askId : undefined);
  const messages: HistoryMessage[] = [];
  let size = 0;
  for await (const [{ entry, placement }, ask] of withAsks(hub, items, askIdOf)) {
    const content = messageOf(sessionId, entry, placement, ask);
    const message = displayed(content, placement.group, entry.position, groups);
    size += JSON.stringify(message).length;
    if (size > PAGE_SIZE && messages.length > 0) break;
    messages.push(message);
  }
  onRead?.(size);
  const last = items[messages.length - 1]?.entry.position;
  return {
    messages,
    ...((more || items.length > messages.length) && last !== undefined && { next: String(last) }),
    position: String(head),
  };
}

interface Ends {
  first: number;
  last: number;
}

interface PlaceOptions {
  readonly after: number;
  readonly most: number;
  readonly onRead: HistoryPage["onRead"];
}

/** The entries of a page, the first and last position of each group on it, and whether there are more entries. */
async function place(
  hub: Hub,
  sessionId: string,
  { after, most, onRead }: PlaceOptions,
): Promise<{
  readonly items: readonly ReadEntry[];
  readonly groups: ReadonlyMap<Group, Ends>;
  readonly head: number;
  readonly more: boolean;
}> {
  const log = transcriptOf(sessionId);
  const reader = createTranscriptReader();
  const items: ReadEntry[] = [];
  const groups = new Map<Group, Ends>();
  let { head } = await hub.logs.bounds(log);
  let size = 0;
  let more = false;
  // A placement depends on all earlier entries, so the log is read from its beginning; only the page is kept.
  for await (const page of pagesOf(hub, log)) {
    onRead?.(page.size);
    for (const logged of page.entries) {
      const { position } = logged;
      head = Math.max(head, position);
      const read = reader.take(logged);
      if (read === undefined || !isMessage(read.entry, read.placement)) continue;
      const { group } = read.placement;
      const ends = group && groups.get(group);
      if (ends !== undefined) ends.last = position;
      if (position > after) {
        const ended = items.length === most || (size > PAGE_SIZE && items.length > 0);
        // Beyond the page, only the end of its last group is still of interest.
        if (ended && !items.some(isInOpenGroup)) return { items, groups, head, more: true };
        if (ended) {
          more = true;
          continue;
        }
        items.push(read);
        size += logged.data === undefined ? 0 : valueSize(logged.data);
      }
      if (group !== undefined && ends === undefined) groups.set(group, { first: position, last: position });
    }
  }
  return { items, groups, head, more };
}

function isInOpenGroup({ placement: { group } }: ReadEntry): boolean {
  return group !== undefined && !group.closed;
}

/** The end of a request is shown in the request itself; only a reply is a message of its own. */
function isMessage(entry: TranscriptEntry, placement: Placement): boolean {
  if (entry.type === "ended") return entry.outcome === "replied";
  return entry.type === "user" || placement.index !== undefined;
}

function displayed(
  content: MessageContent,
  group: Group | undefined,
  position: number,
  groups: ReadonlyMap<Group, Ends>,
): HistoryMessage {
  const ends = group && groups.get(group);
  // A group of one message has nothing to collapse, and one message cannot be both group_start and group_end.
  if (group === undefined || ends === undefined || (group.closed && ends.first === ends.last)) {
    return { ...content, display_type: "content" };
  }
  const summary = summaryOf(group);
  const begins = position === ends.first;
  const endsHere = group.closed && position === ends.last;
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
    ...defined({ outcome, timeoutSeconds, deadline }),
  });
}
