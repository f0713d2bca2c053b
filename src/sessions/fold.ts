// Computes the group, block index and request number of each transcript entry. Every reader that starts at the
// beginning gets the same result, so numbers are not stored, and an interrupted stream can resume.
//
//   no group --thinking, a tool, an approval--> group open
//   group open --text, a person's message, a question, a tool shown as content--> no group

import type { ToolRule } from "../core/index.js";
import type { TranscriptEntry } from "./transcript.js";

export interface Group {
  readonly number: number;
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
  /** Places the next entry; undefined if readers see nothing of it. */
  place(entry: TranscriptEntry): Placement | undefined;
}

type Side = "inside" | "outside" | "anywhere";

/** `before` is an upper bound of the block and request numbers that were given before this transcript. */
export function createFold(before: number): Fold {
  const tools = new Map<string, { readonly name: string; readonly rule: ToolRule }>();
  const numbers = new Map<string, number>();
  let nextIndex = before;
  let groups = 0;
  let open: Group | undefined;

  const enter = (side: Side): Pick<Placement, "closed" | "opened" | "group"> => {
    if (side === "anywhere") return { opened: false };
    const previous = open;
    if (side === "outside") {
      open = undefined;
      if (previous === undefined) return { opened: false };
      previous.closed = true;
      return { opened: false, closed: previous };
    }
    groups += previous === undefined ? 1 : 0;
    open ??= { number: groups, closed: false };
    return { opened: previous === undefined, group: open };
  };
  const block = (side: Side): Placement => {
    const placement = { ...enter(side), index: nextIndex };
    nextIndex += 1;
    return placement;
  };

  const placeTool = (
    entry: TranscriptEntry & { readonly type: "tool_use" | "tool_result" },
  ): Placement | undefined => {
    if (entry.type === "tool_use") tools.set(entry.id, { name: entry.name, rule: entry.rule });
    const { name, rule } = tools.get(entry.id) ?? { name: "tool", rule: {} };
    const { streamToolUse = true, streamToolResult = true, displayAsContent = false } = rule;
    if (!(entry.type === "tool_use" ? streamToolUse : streamToolResult)) {
      // A hidden entry that belongs outside groups still closes the open group.
      const { closed } = displayAsContent ? enter("outside") : {};
      return closed && { opened: false, closed };
    }
    const placement = block(displayAsContent ? "outside" : "inside");
    if (entry.type === "tool_use" && entry.message !== undefined && placement.group !== undefined) {
      placement.group.message = entry.message;
    }
    return { ...placement, tool: name };
  };

  return {
    place(entry) {
      switch (entry.type) {
        case "user":
          return enter("outside");
        case "text":
          return block("outside");
        case "thinking":
          return block("inside");
        case "summary":
          if (open !== undefined) open.summary = entry.text;
          return undefined;
        case "tool_use":
        case "tool_result":
          return placeTool(entry);
        case "asked": {
          // A writer that could not see its first write has repeated it: the first one counts.
          if (numbers.has(entry.askId)) return undefined;
          const number = before + numbers.size + 1;
          numbers.set(entry.askId, number);
          return { ...block(entry.asks === "questions" ? "outside" : "inside"), number };
        }
        case "ended": {
          const number = numbers.get(entry.askId) ?? 0;
          if (entry.outcome === "expired") return { ...block("anywhere"), number };
          // A reply is a message from the person, and is placed like one.
          return { ...enter(entry.outcome === "replied" ? "outside" : "anywhere"), number };
        }
      }
    },
  };
}

export function summaryOf({ summary, message }: Group): string | undefined {
  return summary ?? message;
}
