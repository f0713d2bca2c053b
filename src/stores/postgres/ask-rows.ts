import type { Ask } from "../../core/index.js";
import { deepFreeze } from "../../core/json.js";
import type { Content, Contents, KeptContent } from "./contents.js";

/** The columns of an ask that {@link toAsk} reads. */
export interface AskRow {
  readonly position: number;
  readonly id: string;
  readonly status: Ask["status"];
  readonly deadline: number | null;
  readonly overdue: boolean;
  readonly settled_at: number | null;
  /** Null where the reader said that it has the content. */
  readonly content: string | null;
  readonly outcome: string | null;
}

/** Without the content where `kept`, a condition, holds. */
export function askColumns(table: string, kept?: string): string {
  const columns = ["position", "id", "status", "deadline", "overdue", "settled_at", "outcome"];
  const content =
    kept === undefined ? `${table}.content` : `case when not ${kept} then ${table}.content end as content`;
  return [...columns.map((column) => `${table}.${column}`), content].join(", ");
}

/** What of an ask never changes. The rest has columns of its own. */
export function contentOf({ status, deadline, overdue, settledAt, outcome, ...content }: Ask): Content {
  return content;
}

export function toAsk(row: AskRow): Ask {
  return askOf(deepFreeze(JSON.parse(row.content ?? "{}") as Content), row);
}

/**
 * The asks of rows that were read without the contents in `held`, and the ids of those few whose content was
 * of an ask that is gone.
 */
export function toAsks(
  rows: readonly AskRow[],
  held: ReadonlyMap<string, KeptContent>,
  contents: Contents,
): { readonly asks: readonly Ask[]; readonly unclear: readonly string[] } {
  const asks: Ask[] = [];
  const unclear: string[] = [];
  for (const row of rows) {
    const kept = held.get(row.id);
    if (row.content !== null) {
      const ask = toAsk(row);
      contents.keep({ position: row.position, content: contentOf(ask), size: row.content.length });
      asks.push(ask);
    } else if (kept?.position === row.position) asks.push(askOf(kept.content, row));
    else unclear.push(row.id);
  }
  return { asks, unclear };
}

function askOf(content: Content, row: AskRow): Ask {
  return Object.freeze({
    ...content,
    status: row.status,
    ...(row.deadline !== null && { deadline: row.deadline }),
    ...(row.overdue && { overdue: true as const }),
    ...(row.settled_at !== null && { settledAt: row.settled_at }),
    ...(row.outcome !== null && {
      outcome: deepFreeze(JSON.parse(row.outcome) as NonNullable<Ask["outcome"]>),
    }),
  });
}
