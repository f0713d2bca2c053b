import type { Ask } from "../../core/index.js";
import type { AskStore } from "../../hub/store.js";
import { type AskRow, toAsk } from "../shared/rows.js";
import { askColumns } from "./ask-rows.js";
import type { Context } from "./context.js";
import { statement } from "./database.js";

/**
 * Claims and looks up what is due. A claim whose result is lost is as if the claimer had died: the asks are
 * free again when its lease ends.
 */
export function createDue(context: Context): Pick<AskStore, "claimDue" | "nextDeadline"> {
  const { database, schema } = context;
  const waiting = "status = 'pending' and not overdue and deadline is not null";
  const claim = statement(`
with due as materialized (
  select position from ${schema}.asks
  where ${waiting} and deadline <= $1::bigint and leased_until <= $1::bigint
  order by deadline, position limit $2 for update skip locked
)
update ${schema}.asks set leased_until = $1::bigint + $3::bigint from due
where asks.position = due.position
returning ${askColumns("asks")}`);
  const next = statement(`select min(deadline) as deadline from ${schema}.asks where ${waiting}`);
  return {
    async claimDue(limit, leaseMs): Promise<readonly Ask[]> {
      const rows = await database.retry(() => database.query<AskRow>(claim, [context.now(), limit, leaseMs]));
      return [...rows]
        .sort((one, other) => (one.deadline ?? 0) - (other.deadline ?? 0) || one.position - other.position)
        .map(toAsk);
    },
    async nextDeadline() {
      const [row] = await database.retry(() =>
        database.query<{ readonly deadline: number | null }>(next, []),
      );
      return row?.deadline ?? undefined;
    },
  };
}
