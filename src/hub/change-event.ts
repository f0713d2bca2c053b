import type { AskChange, LogAppend } from "./store.js";

/** The event that a store writes with a change, in the same transaction. */
export function changeEvent(change: AskChange): Pick<LogAppend, "type" | "data"> {
  switch (change.kind) {
    case "settle": {
      const { outcome } = change;
      return { type: `ask.${outcome.kind}`, ...("by" in outcome && { data: { by: outcome.by } }) };
    }
    case "extend":
      return { type: "ask.extended", data: { deadline: change.deadline } };
    case "overdue":
      return { type: "ask.overdue" };
  }
}
