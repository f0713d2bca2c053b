import { requireSessionEvent } from "../../agents/sessions/session-event.js";
import { formatIssues, type Issue } from "../../core/kit/issue.js";
import { isRecord, type Json } from "../../core/kit/json.js";
import { LIMITS } from "../../core/kit/limits.js";
import { ASK, ASK_ID, type Ask, type AskContent } from "../../core/model/ask.js";
import { endingOf, toOutcome } from "../../core/model/ending.js";
import { AsklineError } from "../../core/model/error.js";
import { ASK_EVENT_TYPES } from "../../core/model/event.js";
import { OUTCOME_KINDS } from "../../core/model/kinds.js";
import { OUTCOME, type Outcome } from "../../core/model/outcome.js";
import { entriesOf, isAlways } from "../../core/read/field.js";
import { guarded } from "../../core/read/input-reader.js";
import { plansOf } from "../../core/read/read-fields.js";
import { isName, isStored } from "../../core/read/stored.js";
import { parseAnswerer, parsePerson } from "../../core/rules/parse-answerer.js";
import { parseAsk } from "../../core/rules/parse-ask.js";
import { validateEnding } from "../../core/rules/validate-ending.js";
import type { Showing } from "../../hub/seam/port.js";
import type { RestoredEntry, RestoredEvent } from "../../hub/seam/store.js";
import { type ArchiveLine, FORMAT, FORMAT_VERSION } from "./format.js";

type Fields = Readonly<Record<string, unknown>>;

export type ParsedLine =
  | { readonly ok: true; readonly line: ArchiveLine }
  | { readonly ok: false; readonly fault: string };

/** Parses one line of an archive. The file may come from anywhere, so everything is validated. */
export function parseLine(text: string): ParsedLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, fault: "is not JSON" };
  }
  if (!isRecord(value)) return { ok: false, fault: "is not an object" };
  switch (value.kind) {
    case "header":
      return parseHeader(value);
    case "ask":
      return parseAskLine(value);
    case "transcript":
      return parseTranscriptLine(value);
    case "end": {
      const { asks, events, transcripts, entries } = value;
      if (!isCount(asks) || !isCount(events) || !isCount(transcripts) || !isCount(entries))
        return { ok: false, fault: "has no counts" };
      return { ok: true, line: { kind: "end", asks, events, transcripts, entries } };
    }
    default:
      return {
        ok: false,
        fault: 'has an unknown kind; it must be "header", "transcript", "ask" or "end"',
      };
  }
}

function parseHeader({ format, version, exportedAt, store }: Fields): ParsedLine {
  if (format !== FORMAT || !isCount(version))
    return { ok: false, fault: "is not the header of an askline export" };
  if (version !== FORMAT_VERSION) {
    const advice =
      version > FORMAT_VERSION
        ? "update it with npm install askline@latest"
        : "import it with an older askline, and export it again";
    return {
      ok: false,
      fault: `has version ${version}, but this askline reads version ${FORMAT_VERSION}; ${advice}`,
    };
  }
  if (!isCount(exportedAt) || typeof store !== "string")
    return { ok: false, fault: "is an incomplete header" };
  return { ok: true, line: { kind: "header", format: FORMAT, version, exportedAt, store } };
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

/** Far more than the events of any ask, or the entries on any line. */
const MOST_ITEMS = 10_000;

/** Thrown for an invalid line. */
class Fault extends Error {}

/** Returns the line, or why it is invalid. */
function parsedOr(read: () => ArchiveLine): ParsedLine {
  try {
    return { ok: true, line: read() };
  } catch (error) {
    if (error instanceof Fault) return { ok: false, fault: error.message };
    throw error;
  }
}

function readList(value: unknown, name: string): readonly unknown[] {
  if (Array.isArray(value) && value.length <= MOST_ITEMS) return value;
  throw new Fault(`has no list of ${name}, or too long a list`);
}

function readTime(value: unknown): number {
  if (isStored({ kind: "time" }, value)) return value as number;
  throw new Fault("has an invalid time");
}

function readName(value: unknown, name: string, most: number): string {
  if (isName(value, most)) return value;
  throw new Fault(`has an invalid ${name}`);
}

const MOST_EVENT_LENGTH = 4_096;

/** An ask as another store had it, with its events. */
function parseAskLine({ ask, events, shown }: Fields): ParsedLine {
  return parsedOr(() => {
    const parsed = readAsk(ask);
    const happened = readEvents(events, parsed);
    const showings = shown === undefined ? [] : readList(shown, "shown").map(readShowing);
    return { kind: "ask", ask: parsed, events: happened, ...(showings.length > 0 && { shown: showings }) };
  });
}

function readAsk(value: unknown): Ask {
  if (!isRecord(value)) throw new Fault("has no ask");
  const stored = readStored(value);
  // A timeout counts from when the ask is stored, so the deadline may be later than `latest`.
  const { deadline, latest, outcome } = value;
  const isBeyond = typeof deadline === "number" && typeof latest === "number" && latest < deadline;
  const request = parseAsk(isBeyond ? { ...value, deadline: latest } : value);
  if (!request.ok) throw new Fault(`has an invalid ask: ${oneLine(formatIssues(request.issues))}`);
  const { timeoutMs, ...content } = request.ask;
  if (timeoutMs !== undefined) throw new Fault("has an ask with timeoutMs, which a stored ask never has");
  const ended = parseOutcome(outcome, content);
  if (!ended.ok) throw new Fault(`has an invalid outcome: ${ended.fault}`);
  if ((ended.outcome?.kind ?? "pending") !== stored.status)
    throw new Fault("has an outcome that does not match its status");
  if ((stored.status === "pending") !== (stored.settledAt === undefined))
    throw new Fault("has a settledAt that does not match its status");
  return Object.freeze<Ask>({
    ...content,
    ...(isBeyond && { deadline: readTime(deadline) }),
    ...stored,
    ...(ended.outcome !== undefined && { outcome: ended.outcome }),
  });
}

/** The fields that only a hub writes, except the outcome, which is validated against the ask. */
type Stored = Pick<
  Ask,
  "id" | "status" | "createdAt" | "asker" | "owner" | "transcript" | "overdue" | "settledAt"
>;

const STORED = entriesOf(ASK.fields).filter(([, { kind, stored }]) => stored && kind !== "object");

function readStored(ask: Fields): Stored {
  const fields: Record<string, unknown> = {};
  for (const [name, field] of STORED) {
    const value = ask[name];
    if (isStored(field, value)) fields[name] = value;
    else if (isAlways(field) || (value !== undefined && field.kind !== "mark"))
      throw new Fault(`has an ask without a valid ${name}`);
  }
  return fields as unknown as Stored;
}

function readEvents(value: unknown, { status }: Ask): readonly RestoredEvent[] {
  const events = readList(value, "events").map(readEvent);
  if (events[0]?.type !== "ask.created") throw new Fault("has events that do not begin with ask.created");
  const ends = events.filter(({ type }) => OUTCOME_KINDS.some((kind) => type === `ask.${kind}`));
  if (ends.map(({ type }) => type).join() !== (status === "pending" ? "" : `ask.${status}`)) {
    throw new Fault("has events that do not match the outcome");
  }
  return events;
}

function readEvent(value: unknown): RestoredEvent {
  if (!isRecord(value)) throw new Fault("has an event that is not an object");
  const type = ASK_EVENT_TYPES.find((known) => known === value.type);
  if (type === undefined) throw new Fault("has an event of an unknown type");
  const { data } = value;
  if (data !== undefined && JSON.stringify(data).length > MOST_EVENT_LENGTH) {
    throw new Fault("has an event that is too large");
  }
  return { at: readTime(value.at), type, ...(data !== undefined && { data: data as Json }) };
}

function readShowing(value: unknown): Showing {
  const by = isRecord(value) ? parsePerson(value.by) : undefined;
  if (!isRecord(value) || by === undefined) throw new Fault("has a showing without a person");
  return { at: readTime(value.at), by };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, "; ");
}

type ParsedOutcome =
  | { readonly ok: true; readonly outcome?: Outcome }
  | { readonly ok: false; readonly fault: string };

/** The outcome, validated against the ask; none for a pending ask. */
function parseOutcome(value: unknown, ask: AskContent): ParsedOutcome {
  if (value === undefined) return { ok: true };
  const kind = isRecord(value) ? OUTCOME_KINDS.find((known) => known === value.kind) : undefined;
  if (!isRecord(value) || kind === undefined) return { ok: false, fault: "its kind is unknown" };
  const by = parseAnswerer(value.by);
  const needsBy = "by" in OUTCOME.variants[kind];
  if (needsBy && by === undefined) return { ok: false, fault: "it has no answerer" };
  if ((kind === "decided" || kind === "answered") && (kind === "decided") !== (ask.approval !== undefined)) {
    return { ok: false, fault: "it is for another kind of ask" };
  }
  if (by === undefined || !needsBy) {
    const closed = guarded((reader) => ({ ok: true, outcome: read[kind]({ kind }, value, [], reader) }));
    return closed.ok ? { ok: true, outcome: Object.freeze(closed.outcome) } : invalid(closed.issues);
  }
  const options = { partial: true, anyRemember: true };
  const checked = validateEnding(ask, endingOf(value as unknown as Outcome), options);
  return checked.ok ? { ok: true, outcome: toOutcome(checked.ending, by) } : invalid(checked.issues);
}

function invalid(issues: readonly Issue[]): ParsedOutcome {
  return { ok: false, fault: oneLine(formatIssues(issues)) };
}

const read = plansOf(OUTCOME);

const WRITTEN: readonly unknown[] = ["user", "thinking", "summary", "text", "tool_use", "tool_result"];
const ENDS: readonly unknown[] = OUTCOME_KINDS.map((kind) => `ask.${kind}`);

/** A part of a transcript. Each entry must be one that an agent may write. */
function parseTranscriptLine({ session, first, entries }: Fields): ParsedLine {
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

/** The largest position that fits into the id of an event. */
const LAST_POSITION = 1e14;

function readEntry(value: unknown): RestoredEntry {
  if (!isRecord(value)) throw new Fault("has an entry that is not an object");
  const { at, type, subject } = value;
  const data = isRecord(value.data) ? value.data : {};
  const time = readTime(at);
  if (type === "opened") return { at: time, type, data: readOpened(data) };
  if (WRITTEN.includes(type)) {
    const { by, ...written } = data;
    const { type: kind, ...fields } = requireEvent({ ...written, type });
    const writer = by === undefined ? {} : { by: readWriter(by) };
    return { at: time, type: kind, data: { ...fields, ...writer } as unknown as Json };
  }
  const isEnd = ENDS.includes(type);
  if (!isEnd && type !== "ask.created") throw new Fault("has an entry of an unknown type");
  if (typeof subject !== "string" || !ASK_ID.test(subject)) throw new Fault("has an entry without an ask");
  if (isEnd) return { at: time, type: String(type), subject };
  if (data.asks !== "questions" && data.asks !== "approval")
    throw new Fault("has an ask without questions or approval");
  return { at: time, type: "ask.created", subject, data: { asks: data.asks } };
}

function readWriter(by: unknown): Json {
  const { kind, name, id, surface } = isRecord(by) ? by : {};
  if (kind === "agent") return { kind, name: readName(name, "writer", LIMITS.idLength) };
  if (kind !== "person") throw new Fault("has an entry by nobody");
  const person = readName(id, "writer", LIMITS.idLength);
  return { kind, id: person, surface: readName(surface, "surface", LIMITS.idLength) };
}

function readOpened({ asker, owner, ...fields }: Fields): Json {
  const { type: _, ...opened } = requireEvent({ ...fields, type: "open" });
  return {
    ...(opened as unknown as Readonly<Record<string, Json>>),
    ...(asker !== undefined && { asker: readName(asker, "asker", LIMITS.idLength) }),
    ...(owner !== undefined && { owner: readName(owner, "owner", LIMITS.idLength) }),
  };
}

function requireEvent(event: Fields): ReturnType<typeof requireSessionEvent> {
  try {
    return requireSessionEvent(event);
  } catch (error) {
    if (!(error instanceof AsklineError)) throw error;
    throw new Fault(`has an invalid entry: ${error.message.replaceAll(/\s*\n\s*/g, "; ")}`);
  }
}
