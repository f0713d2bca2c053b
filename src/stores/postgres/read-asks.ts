import type { Ask } from "../../core/index.js";
import { type AskRow, askColumns, toAsks } from "./ask-rows.js";
import type { Context } from "./context.js";
import { statement } from "./database.js";

/** Reads asks by their ids, once: who calls decides about another try. */
export type ReadAsks = (ids: readonly string[]) => Promise<readonly Ask[]>;

export function createReadAsks({ database, schema, contents }: Context): ReadAsks {
  const columns = askColumns("asks", "asks.id = any($2::text[])");
  const read = statement(`select ${columns} from ${schema}.asks where id = any($1::text[])`);
  return async (ids) => {
    const held = contents.of(ids);
    const rows = await database.query<AskRow>(read, [ids, [...held.keys()]]);
    const { asks, unclear } = toAsks(rows, held, contents);
    if (unclear.length === 0) return asks;
    const whole = await database.query<AskRow>(read, [unclear, []]);
    return [...asks, ...toAsks(whole, new Map(), contents).asks];
  };
}
