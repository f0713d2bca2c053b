import type { AskEvent } from "../../core/model/event.js";
import { displayLine } from "../../core/text/display.js";
import { askerName, shortId, statusLine } from "./ask-summary.js";

/** One short line for a new ask or its end: ids, names and kinds, and no text of a question or an answer. */
export function askLogLine({ type, at, ask }: AskEvent): string | undefined {
  if (ask === undefined) return undefined;
  const isEnd = ask.outcome !== undefined && type === `ask.${ask.outcome.kind}`;
  if (type !== "ask.created" && !isEnd) return undefined;
  const time = new Date(at).toTimeString().slice(0, 8);
  const kind = ask.approval === undefined ? "question" : "approval";
  const by = ask.outcome !== undefined && "by" in ask.outcome ? ask.outcome.by : undefined;
  const where = by?.kind === "person" ? ` (${displayLine(by.surface)})` : "";
  const what = isEnd ? `${statusLine(ask)}${where}` : `${kind} from ${askerName(ask)}`;
  return `${time}  ${shortId(ask)}  ${what}`;
}
