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
  /** The ask as it was inserted. */
  contentOf(database: Database, row: Pick<AskRow, "id" | "position">): Ask | undefined;
  /** Keeps the content of an ask that was just committed: it is likely to be answered soon. */
  remember(position: number, content: Ask, size: number): void;
}

export function createAskRows(): AskRows {
  const cache = createContentCache();
  const contentOf: AskRows["contentOf"] = (database, { id, position }) => {
    const cached = cache.get(id, position);
    if (cached !== undefined) return cached;
    const row = database
      .sql("SELECT content FROM asks WHERE position = ?")
      .get<{ readonly content: string }>(position);
    if (row === undefined) return undefined;
    const content: Ask = deepFreeze(JSON.parse(row.content));
    cache.set(position, content, row.content.length);
    return content;
  };
  return {
    contentOf,
    remember: (position, content, size) => cache.set(position, content, size),
    toAsk(database, row, outcome) {
      const content = contentOf(database, row);
      return content && withState(content, row, outcome);
    },
  };
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
  return Object.freeze({
    ...content,
    status: row.status,
    ...(row.deadline !== null && { deadline: row.deadline }),
    ...(row.overdue === 1 && { overdue: true as const }),
    ...(row.settled_at !== null && { settledAt: row.settled_at }),
    ...(outcome !== undefined && { outcome }),
  });
}

function parseOutcome(text: string | null): Outcome | undefined {
  return text === null ? undefined : deepFreeze(JSON.parse(text));
}
