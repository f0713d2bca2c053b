import type { Ask, AskStatus, Outcome } from "../../core/index.js";
import { deepFreeze } from "../../core/json.js";
import { type AskContent, createContentCache } from "./content-cache.js";
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
  toAsk(database: Database, row: AskRow): Ask | undefined;
  contentOf(database: Database, row: Pick<AskRow, "id" | "position">): AskContent | undefined;
  /** Keeps the content of an ask that was just committed: it is likely to be answered soon. */
  remember(position: number, content: AskContent, size: number): void;
}

export function createAskRows(): AskRows {
  const cache = createContentCache();
  const contentOf: AskRows["contentOf"] = (database, { id, position }) => {
    const cached = cache.get(id, position);
    if (cached !== undefined) return cached;
    const row = database
      .sql("SELECT content, created_at FROM asks WHERE position = ?")
      .get<{ readonly content: string; readonly created_at: number }>(position);
    if (row === undefined) return undefined;
    const content: AskContent = deepFreeze({ ...JSON.parse(row.content), id, createdAt: row.created_at });
    cache.set(position, content, row.content.length);
    return content;
  };
  return {
    contentOf,
    remember: (position, content, size) => cache.set(position, content, size),
    toAsk(database, row) {
      const content = contentOf(database, row);
      return content && withState(content, row);
    },
  };
}

/** An ask as it is now, whatever its owner does to it later, with its content apart and as text. */
export function snapshotOf(given: Ask): {
  readonly ask: Ask;
  readonly content: AskContent;
  /** Without id and time of creation, which have columns of their own. */
  readonly json: string;
} {
  const { id, createdAt, status, deadline, overdue, settledAt, outcome, ...rest } = given;
  const json = JSON.stringify(rest);
  // Frozen data is taken to be frozen through and through, as parsers and hubs make it.
  if (Object.isFrozen(given)) return { ask: given, content: Object.freeze({ ...rest, id, createdAt }), json };
  const content: AskContent = deepFreeze({ ...JSON.parse(json), id, createdAt });
  const ask = Object.freeze({
    ...content,
    status,
    ...(deadline !== undefined && { deadline }),
    ...(overdue && { overdue }),
  });
  return { ask, content, json };
}

function withState(content: AskContent, row: AskRow): Ask {
  return Object.freeze({
    ...content,
    status: row.status,
    ...(row.deadline !== null && { deadline: row.deadline }),
    ...(row.overdue === 1 && { overdue: true as const }),
    ...(row.settled_at !== null && { settledAt: row.settled_at }),
    ...(row.outcome !== null && { outcome: parseOutcome(row.outcome) }),
  });
}

function parseOutcome(text: string): Outcome {
  return deepFreeze(JSON.parse(text));
}
