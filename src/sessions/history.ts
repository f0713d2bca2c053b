// A session as the messages of its history. Which message is which never changes, nor their order; what can still
// change is the end of a group that is open, and a request that is pending.

import { type Ask, AsklineError } from "../core/index.js";
import { defined } from "../core/kit.js";
import {
  approvalKeyOf,
  type HistoryMessage,
  type HistoryRequestBlock,
  stream,
} from "../dialects/stream/index.js";
import { type Hub, transcriptOf } from "../hub/index.js";
import { type Group, type Placed, summaryOf } from "./fold.js";
import { timeoutSecondsOf } from "./options.js";
import { asksOf, createReading, pagesOf, type ReadEntry, requireHead } from "./read-transcript.js";
import type { TranscriptEntry } from "./transcript.js";

export interface HistoryPage {
  /** The `next` of the page before. */
  readonly after?: string;
  /** Messages at most; 500 where it is not given. */
  readonly limit?: number;
}

export interface History {
  readonly messages: readonly HistoryMessage[];
  /** Where the next page starts; absent on the last. */
  readonly next?: string;
  /** What the stream goes on from, for whoever has read all of the history. */
  readonly position: string;
}

const USUAL_PAGE = 500;
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
  { after = "0", limit = USUAL_PAGE }: HistoryPage = {},
): Promise<History> {
  if (!/^\d{1,15}$/.test(after)) {
    throw new AsklineError("invalid_request", `"${after}" is not a cursor; use the next of the page before`);
  }
  await requireHead(hub, sessionId);
  const { items, groups, head } = await placeAll(hub, sessionId);
  const rest = items.filter(({ entry }) => entry.position > Number(after));
  const page = rest.slice(0, Math.max(1, Math.min(limit, LARGEST_PAGE)));
  const asks = await asksOf(
    hub,
    page.flatMap(({ entry }) => ("askId" in entry ? [entry.askId] : [])),
  );
  const messages = page.map(({ entry, placed }) => {
    const content = messageOf(sessionId, entry, placed, asks.get("askId" in entry ? entry.askId : ""));
    return displayed(content, placed.group, entry.position, groups);
  });
  const last = page.at(-1);
  return {
    messages,
    ...(rest.length > page.length && last !== undefined && { next: String(last.entry.position) }),
    position: String(head),
  };
}

interface Ends {
  first: number;
  last: number;
}

/** Every entry that is a message, with the first and the last of each group. */
async function placeAll(
  hub: Hub,
  sessionId: string,
): Promise<{
  readonly items: readonly ReadEntry[];
  readonly groups: ReadonlyMap<Group, Ends>;
  readonly head: number;
}> {
  const reading = createReading();
  const items: ReadEntry[] = [];
  const groups = new Map<Group, Ends>();
  let head = 0;
  for await (const entries of pagesOf(hub, transcriptOf(sessionId))) {
    for (const logged of entries) {
      head = logged.position;
      const read = reading.take(logged);
      if (read === undefined || !isMessage(read.entry, read.placed)) continue;
      const { placed } = read;
      items.push(read);
      if (placed.group === undefined) continue;
      const ends = groups.get(placed.group);
      if (ends === undefined) groups.set(placed.group, { first: head, last: head });
      else ends.last = head;
    }
  }
  return { items, groups, head };
}

/** How a request ended shows in the request itself; only a reply is a message of its own. */
function isMessage(entry: TranscriptEntry, placed: Placed): boolean {
  if (entry.type === "ended") return entry.outcome === "replied";
  return entry.type === "user" || placed.index !== undefined;
}

function displayed(
  content: MessageContent,
  group: Group | undefined,
  position: number,
  groups: ReadonlyMap<Group, Ends>,
): HistoryMessage {
  const ends = group && groups.get(group);
  // A group of one message has nothing to fold away, and could not both begin and end.
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

type Undisplayed<Message> = Message extends unknown ? Omit<Message, "display_type" | "summary"> : never;

/** A message without its place among the others. */
export type MessageContent = Undisplayed<HistoryMessage>;

/** `ask` is the one that the entry is about, where it is still kept. */
function messageOf(
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
    ...defined({ outcome, timeoutSeconds, deadline }),
  });
}
