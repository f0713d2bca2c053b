// Computes the group, block index and request number of each transcript entry. Every reader that starts at the
// beginning, or with the state that such a reader had, gets the same result, so an interrupted stream can resume.
//
//   no group --thinking, a tool, an approval--> group open
//   group open --text, a person's message, a question, a tool shown as content--> no group

import type { ToolRule } from "../../core/model/session-writer.js";
import type { TranscriptEntry } from "./transcript.js";

export interface Group {
  readonly number: number;
  /** The position of its first entry. */
  readonly first: number;
  /** The position of its last entry so far. */
  last: number;
  summary?: string;
  /** The message of its last tool: used as the summary if none was written. */
  message?: string;
  closed: boolean;
}

export interface Placement {
  /** The group that this entry closed. */
  readonly closed?: Group;
  /** Whether this entry opened its group. */
  readonly opened: boolean;
  /** The entry's group; absent if it is outside groups. */
  readonly group?: Group;
  /** The index of its block, if it has one. */
  readonly index?: number;
  /** The number of its request, from 1. */
  readonly number?: number;
  /** The name of the tool, for a call or a result. */
  readonly tool?: string;
}

export interface Fold {
  /** The group that is open now. */
  readonly open: Group | undefined;
  /** Places the next entry; undefined if readers see nothing of it. */
  place(entry: TranscriptEntry): Placement | undefined;
  /** What another fold needs to place the following entries in the same way. */
  state(): FoldState;
}

/** JSON-safe, and bounded: of what is finished, only the latest is in it. */
export interface FoldState {
  readonly nextIndex: number;
  readonly requests: number;
  readonly groups: number;
  readonly open?: Omit<Group, "closed">;
  readonly tools: readonly (readonly [id: string, name: string, rule: ToolRule])[];
  readonly numbers: readonly (readonly [askId: string, number: number])[];
}

const MOST_OPEN_TOOLS = 1_000;
const MOST_OPEN_REQUESTS = 10_000;
/** A call or a request may be repeated shortly after its end. */
const MOST_FINISHED = 64;

interface Request {
  readonly number: number;
  readonly finished?: boolean;
}

interface Tool {
  readonly name: string;
  readonly rule: ToolRule;
  readonly finished?: boolean;
}

type Side = "inside" | "outside" | "anywhere";

/** `before` is an upper bound of the block and request numbers that were given before this transcript. */
export function createFold(before: number, state?: FoldState): Fold {
  const tools = new Map<string, Tool>(state?.tools.map(([id, name, rule]) => [id, { name, rule }]));
  const numbers = new Map<string, Request>(state?.numbers.map(([askId, number]) => [askId, { number }]));
  let nextIndex = state?.nextIndex ?? before;
  let requests = state?.requests ?? before;
  let groups = state?.groups ?? 0;
  let open: Group | undefined = state?.open && { ...state.open, closed: false };

  const enter = (side: Side, position: number): Pick<Placement, "closed" | "opened" | "group"> => {
    if (side === "anywhere") return { opened: false };
    const previous = open;
    if (side === "outside") {
      open = undefined;
      if (previous === undefined) return { opened: false };
      previous.closed = true;
      return { opened: false, closed: previous };
    }
    groups += previous === undefined ? 1 : 0;
    open ??= { number: groups, first: position, last: position, closed: false };
    open.last = position;
    return { opened: previous === undefined, group: open };
  };
  const block = (side: Side, { position }: TranscriptEntry): Placement => {
    const placement = { ...enter(side, position), index: nextIndex };
    nextIndex += 1;
    return placement;
  };

  const placeTool = (
    entry: TranscriptEntry & { readonly type: "tool_use" | "tool_result" },
  ): Placement | undefined => {
    if (entry.type === "tool_use") tools.set(entry.id, { name: entry.name, rule: entry.rule });
    const { name, rule } = tools.get(entry.id) ?? { name: "tool", rule: {} };
    if (entry.type === "tool_result" && tools.delete(entry.id)) {
      tools.set(entry.id, { name, rule, finished: true });
    }
    const { streamToolUse = true, streamToolResult = true, displayAsContent = false } = rule;
    if (!(entry.type === "tool_use" ? streamToolUse : streamToolResult)) {
      // A hidden entry that belongs outside groups still closes the open group.
      const { closed } = displayAsContent ? enter("outside", entry.position) : {};
      return closed && { opened: false, closed };
    }
    const placement = block(displayAsContent ? "outside" : "inside", entry);
    if (entry.type === "tool_use" && entry.message !== undefined && placement.group !== undefined) {
      placement.group.message = entry.message;
    }
    return { ...placement, tool: name };
  };

  return {
    get open() {
      return open;
    },
    state() {
      return {
        ...{ nextIndex, requests, groups },
        ...(open !== undefined && { open: withoutClosed(open) }),
        tools: latest(tools, MOST_OPEN_TOOLS).map(([id, { name, rule }]) => [id, name, rule]),
        numbers: latest(numbers, MOST_OPEN_REQUESTS).map(([askId, { number }]) => [askId, number]),
      };
    },
    place(entry) {
      switch (entry.type) {
        case "user":
          return enter("outside", entry.position);
        case "text":
          return block("outside", entry);
        case "thinking":
          return block("inside", entry);
        case "summary":
          if (open !== undefined) open.summary = entry.text;
          return undefined;
        case "tool_use":
        case "tool_result":
          return placeTool(entry);
        case "asked": {
          // A writer that could not see its first write has repeated it: the first one counts.
          if (numbers.has(entry.askId)) return undefined;
          requests += 1;
          const number = requests;
          numbers.set(entry.askId, { number });
          return { ...block(entry.asks === "questions" ? "outside" : "inside", entry), number };
        }
        case "ended": {
          const { number } = numbers.get(entry.askId) ?? { number: 0 };
          if (numbers.delete(entry.askId)) numbers.set(entry.askId, { number, finished: true });
          if (entry.outcome === "expired") return { ...block("anywhere", entry), number };
          // A reply is a message from the person, and is placed like one.
          return { ...enter(entry.outcome === "replied" ? "outside" : "anywhere", entry.position), number };
        }
      }
    },
  };
}

/** The latest that are finished, and the latest of the others. */
function latest<Item extends { readonly finished?: boolean }>(
  items: ReadonlyMap<string, Item>,
  most: number,
): readonly (readonly [string, Item])[] {
  const all = [...items];
  return [
    ...all.filter(([, { finished }]) => finished).slice(-MOST_FINISHED),
    ...all.filter(([, { finished }]) => !finished).slice(-most),
  ];
}

function withoutClosed({ closed: _, ...group }: Group): Omit<Group, "closed"> {
  return group;
}

export function summaryOf({ summary, message }: Group): string | undefined {
  return summary ?? message;
}
