import type { Ask } from "../../core/index.js";
import { deepFreeze } from "../../core/json.js";

/** The columns of an ask that {@link toAsk} reads. */
export interface AskRow {
  readonly position: number;
  readonly id: string;
  readonly status: Ask["status"];
  readonly deadline: number | null;
  readonly overdue: boolean;
  readonly settled_at: number | null;
  readonly content: string;
  readonly outcome: string | null;
}

export function askColumns(table: string): string {
  return ["position", "id", "status", "deadline", "overdue", "settled_at", "content", "outcome"]
    .map((column) => `${table}.${column}`)
    .join(", ");
}

/** What of an ask never changes, as JSON. The rest has columns of its own. */
export function contentOf(ask: Ask): string {
  const { id, status, deadline, overdue, settledAt, outcome, ...content } = ask;
  return JSON.stringify(content);
}

export function toAsk(row: AskRow): Ask {
  return deepFreeze<Ask>({
    ...(JSON.parse(row.content) as Omit<Ask, "id" | "status">),
    id: row.id,
    status: row.status,
    ...(row.deadline !== null && { deadline: row.deadline }),
    ...(row.overdue && { overdue: true }),
    ...(row.settled_at !== null && { settledAt: row.settled_at }),
    ...(row.outcome !== null && { outcome: JSON.parse(row.outcome) as NonNullable<Ask["outcome"]> }),
  });
}
