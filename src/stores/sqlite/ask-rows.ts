import type { Ask, AskStatus, Outcome } from "../../core/index.js";
import { deepFreeze } from "../../core/json.js";
import { createContentCache } from "./content-cache.js";
import type { Database } from "./driver.js";

/** What changes about an ask, and what it takes to find the rest. */
export interface AskRow {
  readonly position: number;
  readonly id: string;
  readonly status: AskStatus;
  readonly deadline: number | null;
  readonly overdue: number;
  readonly settled_at: number | null;
  readonly outcome: string | null;
}

/** The columns of an {@link AskRow}. */
export const ASK_COLUMNS = "position, id, status, deadline, overdue, settled_at, outcome";

/** Between rows and asks. */
export interface AskRows {
  /** Undefined where the ask has been removed since its row was read. */
  toAsk(database: Database, row: AskRow, outcome?: Outcome): Ask | undefined;
  /** Keeps the content of an ask that was just committed: it is likely to be answered soon. */
  remember(position: number, content: Ask, size: number): void;
  /** The ask has ended: its content need not be kept for long. */
  ended(id: string): void;
}

export function createAskRows(): AskRows {
  const cache = createContentCache();
  const contentOf = (database: Database, { id, position }: AskRow): Ask | undefined => {
    const cached = cache.get(id, position);
    if (cached !== undefined) return cached;
    const text = contentAt(database, position);
    if (text === undefined) return undefined;
    const content: Ask = deepFreeze(JSON.parse(text));
    cache.set(position, content, text.length);
    return content;
  };
  return {
    remember: (position, content, size) => cache.set(position, content, size),
    ended: (id) => cache.ended(id),
    toAsk(database, row, outcome) {
      const content = contentOf(database, row);
      return content && withState(content, row, outcome);
    },
  };
}

function contentAt(database: Database, position: number): string | undefined {
  return database
    .sql("SELECT content FROM ask_contents WHERE position = ?")
    .get<{ readonly content: string }>(position)?.content;
}

/** Who an ask is addressed to, each once; read from the file, where there are no parsed asks at hand. */
export function recipientsAt(database: Database, position: number): ReadonlySet<string> {
  const text = contentAt(database, position);
  return new Set(text === undefined ? [] : (JSON.parse(text) as Ask).recipients);
}

/**
 * Data as it is now, whatever its owner does to it later, of which `json` is the text. Frozen data is taken
 * to be frozen through and through, as parsers and hubs make it.
 */
export function snapshot<T>(given: T, json: string): T {
  return Object.isFrozen(given) ? given : deepFreeze(JSON.parse(json));
}

// An ask is inserted pending, and what it has then it only gains to: its state covers all of the content
// that can change.
function withState(content: Ask, row: AskRow, outcome = parseOutcome(row.outcome)): Ask {
  const ask: { -readonly [Field in keyof Ask]: Ask[Field] } = { ...content, status: row.status };
  if (row.deadline !== null) ask.deadline = row.deadline;
  if (row.overdue === 1) ask.overdue = true;
  if (row.settled_at !== null) ask.settledAt = row.settled_at;
  if (outcome !== undefined) ask.outcome = outcome;
  return Object.freeze(ask);
}

function parseOutcome(text: string | null): Outcome | undefined {
  return text === null ? undefined : deepFreeze(JSON.parse(text));
}
