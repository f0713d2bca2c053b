import type { Ask } from "../../core/index.js";
import type { ShortAskRow } from "../shared/contents.js";
import { askColumns } from "./ask-rows.js";
import type { Context } from "./context.js";
import { statement } from "./database.js";

/** Reads asks by their ids, each once. */
export type ReadAsks = (ids: readonly string[]) => Promise<readonly Ask[]>;

export function createReadAsks({ database, schema, contents }: Context): ReadAsks {
  const read = statement(`
select ${askColumns("asks", "wanted.kept")} from unnest($1::text[], $2::bigint[]) as wanted (id, kept)
join ${schema}.asks on asks.id = wanted.id`);
  return async (ids) => {
    const held = new Map(ids.map((id) => [id, contents.of(id)]));
    const positions = ids.map((id) => held.get(id)?.position ?? null);
    const rows = await database.query<ShortAskRow>(read, [ids, positions]);
    return rows.map((row) => contents.toAsk(row, held.get(row.id)));
  };
}
