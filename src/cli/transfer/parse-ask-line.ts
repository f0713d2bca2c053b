import {
  ASK_EVENT_TYPES,
  type Ask,
  formatIssues,
  isRecord,
  type Json,
  OUTCOME_KINDS,
  parseAsk,
} from "../../core/index.js";
import { ASK } from "../../core/model/ask.js";
import { entriesOf, isAlways } from "../../core/model/field.js";
import { parsePerson } from "../../core/parse-answerer.js";
import { isStored } from "../../core/read/stored.js";
import type { RestoredEvent, Showing } from "../../hub/index.js";
import { Fault, parsedOr, readList, readTime } from "./line-fields.js";
import type { ParsedLine } from "./parse-line.js";
import { parseOutcome } from "./parse-outcome.js";

type Fields = Readonly<Record<string, unknown>>;

const MOST_EVENT_LENGTH = 4_096;

/** An ask as another store kept it, with its events. */
export function parseAskLine({ ask, events, shown }: Fields): ParsedLine {
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
  // A timeout is counted from when an ask is stored, and may then have ended beyond its own latest.
  const { deadline, latest, outcome } = value;
  const isBeyond = typeof deadline === "number" && typeof latest === "number" && latest < deadline;
  const request = parseAsk(isBeyond ? { ...value, deadline: latest } : value);
  if (!request.ok) throw new Fault(`has an ask that none may be: ${oneLine(formatIssues(request.issues))}`);
  const { timeoutMs, ...content } = request.ask;
  if (timeoutMs !== undefined) throw new Fault("has an ask that was never stored: it has a timeoutMs");
  const ended = parseOutcome(outcome, content);
  if (!ended.ok) throw new Fault(`has an outcome that cannot be: ${ended.fault}`);
  if ((ended.outcome?.kind ?? "pending") !== stored.status)
    throw new Fault("has an outcome that is not its status");
  if ((stored.status === "pending") !== (stored.settledAt === undefined))
    throw new Fault("has no time of its end, or one too many");
  return Object.freeze<Ask>({
    ...content,
    ...(isBeyond && { deadline: readTime(deadline) }),
    ...stored,
    ...(ended.outcome !== undefined && { outcome: ended.outcome }),
  });
}

/** What only a hub writes. How the ask ended is left out: that is held against what was asked. */
type Stored = Pick<Ask, "id" | "status" | "createdAt" | "asker" | "transcript" | "overdue" | "settledAt">;

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
    throw new Fault("has events that do not end as the ask did");
  }
  return events;
}

function readEvent(value: unknown): RestoredEvent {
  if (!isRecord(value)) throw new Fault("has an event that is no object");
  const type = ASK_EVENT_TYPES.find((one) => one === value.type);
  if (type === undefined) throw new Fault("has an event of no known type");
  const { data } = value;
  if (data !== undefined && JSON.stringify(data).length > MOST_EVENT_LENGTH) {
    throw new Fault("has an event that is too large");
  }
  return { at: readTime(value.at), type, ...(data !== undefined && { data: data as Json }) };
}

function readShowing(value: unknown): Showing {
  const by = isRecord(value) ? parsePerson(value.by) : undefined;
  if (!isRecord(value) || by === undefined) throw new Fault("was shown to nobody that can be read");
  return { at: readTime(value.at), by };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, "; ");
}
