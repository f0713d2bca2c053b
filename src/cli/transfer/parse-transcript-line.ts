import { AsklineError, isRecord, type Json, LIMITS, OUTCOME_KINDS } from "../../core/index.js";
import type { RestoredEntry } from "../../hub/index.js";
import { requireSessionEvent } from "../../sessions/index.js";
import { ASK_ID, Fault, parsedOr, readList, readName, readTime } from "./line-fields.js";
import type { ParsedLine } from "./parse-line.js";

type Fields = Readonly<Record<string, unknown>>;

const WRITTEN: readonly unknown[] = ["user", "thinking", "summary", "text", "tool_use", "tool_result"];
const ENDS: readonly unknown[] = OUTCOME_KINDS.map((kind) => `ask.${kind}`);

/** A part of a transcript as another store kept it: each entry is held to what an agent may write. */
export function parseTranscriptLine({ session, first, entries }: Fields): ParsedLine {
  return parsedOr(() => {
    if (typeof first !== "number" || !Number.isSafeInteger(first) || first < 1 || first > LAST_POSITION)
      throw new Fault("has no position");
    const read = readList(entries, "entries").map(readEntry);
    if (read.length === 0) throw new Fault("has no entries");
    return {
      kind: "transcript",
      session: readName(session, "session", LIMITS.sessionLength),
      first,
      entries: read,
    };
  });
}

/** What the id of an event can say. */
const LAST_POSITION = 1e14;

function readEntry(value: unknown): RestoredEntry {
  if (!isRecord(value)) throw new Fault("has an entry that is no object");
  const { at, type, subject } = value;
  const data = isRecord(value.data) ? value.data : {};
  const time = readTime(at);
  if (type === "opened") return { at: time, type, data: readOpened(data) };
  if (WRITTEN.includes(type)) {
    const { type: kind, ...fields } = requireEvent({ ...data, type });
    return { at: time, type: kind, data: fields as unknown as Json };
  }
  const isEnd = ENDS.includes(type);
  if (!isEnd && type !== "ask.created") throw new Fault("has an entry of no known type");
  if (typeof subject !== "string" || !ASK_ID.test(subject)) throw new Fault("has an entry about no ask");
  if (isEnd) return { at: time, type: String(type), subject };
  if (data.asks !== "questions" && data.asks !== "approval") throw new Fault("has an ask that asks nothing");
  return { at: time, type: "ask.created", subject, data: { asks: data.asks } };
}

function readOpened({ asker, ...fields }: Fields): Json {
  const { type: _, ...opened } = requireEvent({ ...fields, type: "open" });
  return {
    ...(opened as unknown as Readonly<Record<string, Json>>),
    ...(asker !== undefined && { asker: readName(asker, "asker", LIMITS.idLength) }),
  };
}

function requireEvent(event: Fields): ReturnType<typeof requireSessionEvent> {
  try {
    return requireSessionEvent(event);
  } catch (error) {
    if (!(error instanceof AsklineError)) throw error;
    throw new Fault(`has an entry that none may be: ${error.message.replaceAll(/\s*\n\s*/g, "; ")}`);
  }
}
