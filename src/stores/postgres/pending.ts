import type { AskStore } from "../../hub/store.js";
import type { Context } from "./context.js";
import { statement } from "./database.js";

interface PendingRow {
  readonly count: number;
  readonly oldest: number | null;
}

/** How much is pending, counted through the index of what is. */
export function createPendingSummary({ database, schema }: Context): AskStore["pendingSummary"] {
  const summary = statement(pendingSql(schema));
  return async () => {
    const [row] = await database.retry(() => database.query<PendingRow>(summary, []));
    const { count, oldest } = row ?? { count: 0, oldest: null };
    return { count, ...(oldest !== null && { oldestCreatedAt: oldest }) };
  };
}

export function pendingSql(schema: string): string {
  return `
select count(*) as count,
  (select created_at from ${schema}.asks where status = 'pending' order by position limit 1) as oldest
from ${schema}.asks where status = 'pending'`;
}
