// Where each entry of a transcript stands: in which group, as which block, as the how-manieth request. Everybody
// who reads the log from its beginning comes to the same, so that numbers need not be stored, and a stream that
// broke off goes on where it was.
//
//   no group --thinking, a tool, an approval--> group open
//   group open --text, a person's message, a question, a tool shown as content--> no group

import type { ToolRule } from "../core/index.js";
import type { TranscriptEntry } from "./transcript.js";

export interface Group {
  readonly number: number;
  summary?: string;
  /** Of its last tool: the summary where no other is given. */
  message?: string;
  closed: boolean;
}

export interface Placed {
  /** The group that this entry closed. */
  readonly closed?: Group;
  /** Whether this entry opened the group that it stands in. */
  readonly opened: boolean;
  /** The group that it stands in; outside of all where there is none. */
  readonly group?: Group;
  /** Of its block, where it has one. */
  readonly index?: number;
  /** Of the request that it is about, from 1. */
  readonly number?: number;
  /** Of the tool whose call or result it is. */
  readonly tool?: string;
}

export interface Fold {
  /** Takes the next entry; undefined where it shows nothing. */
  place(entry: TranscriptEntry): Placed | undefined;
}

type Where = "inside" | "outside" | "anywhere";

/** `before` is how many blocks, and how many requests, there may have been before. */
export function createFold(before: number): Fold {
  const tools = new Map<string, { readonly name: string; readonly rule: ToolRule }>();
  const numbers = new Map<string, number>();
  let nextIndex = before;
  let groups = 0;
  let open: Group | undefined;

  const enter = (where: Where): Pick<Placed, "closed" | "opened" | "group"> => {
    if (where === "anywhere") return { opened: false };
    const before = open;
    if (where === "outside") {
      open = undefined;
      if (before === undefined) return { opened: false };
      before.closed = true;
      return { opened: false, closed: before };
    }
    groups += before === undefined ? 1 : 0;
    open ??= { number: groups, closed: false };
    return { opened: before === undefined, group: open };
  };
  const block = (where: Where): Placed => {
    const placed = { ...enter(where), index: nextIndex };
    nextIndex += 1;
    return placed;
  };

  const placeTool = (
    entry: TranscriptEntry & { readonly type: "tool_use" | "tool_result" },
  ): Placed | undefined => {
    if (entry.type === "tool_use") tools.set(entry.id, { name: entry.name, rule: entry.rule });
    const { name, rule } = tools.get(entry.id) ?? { name: "tool", rule: {} };
    const { streamToolUse = true, streamToolResult = true, displayAsContent = false } = rule;
    const where = displayAsContent ? "outside" : "inside";
    if (!(entry.type === "tool_use" ? streamToolUse : streamToolResult)) {
      // Nothing to show; but what stands outside of groups ends them all the same.
      const { closed } = displayAsContent ? enter("outside") : {};
      return closed && { opened: false, closed };
    }
    const placed = block(where);
    if (entry.type === "tool_use" && entry.message !== undefined && placed.group !== undefined) {
      placed.group.message = entry.message;
    }
    return { ...placed, tool: name };
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
          // Written once more by who could not see whether it was: it stands where it stood first.
          if (numbers.has(entry.askId)) return undefined;
          const number = before + numbers.size + 1;
          numbers.set(entry.askId, number);
          return { ...block(entry.asks === "questions" ? "outside" : "inside"), number };
        }
        case "ended": {
          const number = numbers.get(entry.askId) ?? 0;
          if (entry.outcome === "expired") return { ...block("anywhere"), number };
          // A reply is a message of the person, and stands where such a message would.
          return { ...enter(entry.outcome === "replied" ? "outside" : "anywhere"), number };
        }
      }
    },
  };
}

export function summaryOf({ summary, message }: Group): string | undefined {
  return summary ?? message;
}
