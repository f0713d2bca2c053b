import type { AskChange, LogAppend } from "./store.js";

/** The event that a store writes with a change, in the same transaction. */
export function changeEvent(change: AskChange): Pick<LogAppend, "type" | "data"> {
  switch (change.kind) {
    case "settle": {
      const { outcome } = change;
      const type = `ask.${outcome.kind}`;
      return "by" in outcome ? { type, data: { by: outcome.by } } : { type };
    }
    case "extend":
      return { type: "ask.extended", data: { deadline: change.deadline } };
    case "overdue":
      return { type: "ask.overdue" };
  }
}
