import type { Ask } from "../../../../core/model/ask.js";
import { askerIdentities, askerIdentity } from "../../../../core/model/visibility.js";
import { type AskerUsage, type AskStore, IDS_LOOKED_AT, type KeyUse } from "../../../seam/store.js";
import type { ShortAskRow } from "../../shared/contents.js";
import { type AskRow, toAsk } from "../../shared/rows.js";
import type { Context, Part } from "../database/context.js";
import { askColumns, statement } from "../database/database.js";
import { isStorable, requireStorable } from "../database/storable.js";
import { createBatcher } from "../write/batcher.js";
import { createChanger, toChange } from "../write/change-asks.js";
import { createInserter, toInsert, toRestore } from "../write/insert-asks.js";
import { createPrune } from "../write/prune.js";
import { createLister } from "./list-asks.js";

export function createAsks(context: Context): Part<AskStore> {
  const { database } = context;
  const inserter = createInserter(context, 2);
  const changer = createChanger(context);
  const restorer = createInserter(context, 1);
  const countSettled = statement(
    `select count(*) as count from ${context.schema}.asks where settled_at < $1::bigint`,
  );
  const byKey = statement(
    `select ${askColumns("asks")} from ${context.schema}.asks
     where coalesce(asker, '') = $1 and session = $2 and key = $3`,
  );
  // A lateral join reads the index once for each key, up to the limit.
  const keyUses = statement(
    `select id, session, key from unnest($2::text[]) as wanted (wanted_key) cross join lateral (
       select id, session, key from ${context.schema}.asks
       where coalesce(asker, '') = any($1::text[]) and key = wanted_key and ($3::text is null or session = $3) limit $4
     ) as uses`,
  );
  const idsWith = statement(
    `select string_agg(id, ',' order by id) filter (where strpos(id, $1) > 0) as ids,
       case when count(*) = ${IDS_LOOKED_AT} then max(id) end as next
     from (select id from ${context.schema}.asks where id > $2 order by id limit ${IDS_LOOKED_AT}) as looked_at`,
  );
  const release = statement(
    `update ${context.schema}.asks set key = null where id = $1 and (status <> 'pending') is true`,
  );
  const usage = statement(`select pending, bytes from ${context.schema}.askers where asker = $1`);
  const readAsks = createReadAsks(context);
  const readMany: ReadAsks = (ids, maxSize) => database.retry(() => readAsks(ids, maxSize));
  const lister = createLister(context);
  const getter = createBatcher<string, Ask | undefined>({
    limit: 256,
    inFlight: 4,
    async run(ids) {
      const found = new Map((await readMany([...new Set(ids)])).map((ask) => [ask.id, ask]));
      return ids.map((id) => found.get(id));
    },
  });
  return {
    drained: () => Promise.all([inserter, changer, restorer, getter].map((batcher) => batcher.drained())),
    port: {
      async insert(created, append = []) {
        const { stored, ask } = await inserter.add(toInsert(created.ask, append));
        return { kind: stored || ask.id === created.ask.id ? "created" : "known", ask };
      },
      async change(id, change, append = [], records = []) {
        if (!isStorable(id)) return undefined;
        if (change.kind === "settle") requireStorable(change.settlementId);
        return changer.add(toChange(id, change, append, records));
      },
      async get(id) {
        return isStorable(id) ? getter.add(id) : undefined;
      },
      async releaseKey(id) {
        if (isStorable(id)) await database.retry(() => database.query(release, [id]));
      },
      async getByKey({ session, key, ...by }) {
        const asker = askerIdentity(by) ?? "";
        if (![asker, session, key].every(isStorable)) return undefined;
        const [row] = await database.retry(() => database.query<AskRow>(byKey, [asker, session, key]));
        return row && toAsk(row);
      },
      async findIds(part, after) {
        if (![part, after].every(isStorable)) return { ids: [] };
        const [row] = await database.retry(() => database.query<IdsRow>(idsWith, [part, after]));
        return { ids: row?.ids?.split(",") ?? [], next: row?.next ?? undefined };
      },
      async findKeys({ keys, session, limit, ...agent }) {
        const askers = askerIdentities(agent);
        const wanted = [...new Set(keys.filter(isStorable))];
        if (wanted.length === 0 || ![...askers, session ?? ""].every(isStorable)) return [];
        const values = [askers, wanted, session ?? null, Math.max(0, limit)];
        return database.retry(() => database.query<KeyUse>(keyUses, values));
      },
      async getMany(ids, { maxSize } = {}) {
        const wanted = [...new Set(ids.filter(isStorable))];
        return wanted.length === 0 ? [] : readMany(wanted, maxSize);
      },
      async list(query) {
        const { session, agentId, asker, owner, person } = query;
        if (
          ![session, agentId, asker, owner, person].every((name) => name === undefined || isStorable(name))
        ) {
          return { asks: [] };
        }
        return lister(query);
      },
      ...createDue(context),
      async usage(asker) {
        if (!isStorable(asker)) return { pending: 0, bytes: 0 };
        const [row] = await database.retry(() => database.query<AskerUsage>(usage, [asker]));
        return row ?? { pending: 0, bytes: 0 };
      },
      pendingSummary: createPendingSummary(context),
      prune: createPrune(context),
      async countSettled(before) {
        const [row] = await database.retry(() =>
          database.query<{ readonly count: number }>(countSettled, [before]),
        );
        return row?.count ?? 0;
      },
      async restore(restored) {
        const { stored, ask } = await restorer.add(toRestore(restored));
        if (stored) return { kind: "restored", ask };
        return { kind: ask.id === restored.ask.id ? "known" : "taken", ask };
      },
    },
  };
}

interface IdsRow {
  readonly ids: string | null;
  readonly next: string | null;
}

/** Reads asks by id. With `maxSize`, they are in the order of `ids`, and end where the page would exceed that size. */
type ReadAsks = (ids: readonly string[], maxSize?: number) => Promise<readonly Ask[]>;

function createReadAsks({ database, schema, contents }: Context): ReadAsks {
  const columns = askColumns("asks", "wanted.kept");
  const wanted = "unnest($1::text[], $2::bigint[]) with ordinality as wanted (id, kept, number)";
  const read = statement(`select ${columns} from ${wanted} join ${schema}.asks on asks.id = wanted.id`);
  // PostgreSQL knows the length of a long text without reading it, so asks beyond the size are not read.
  const readPage = statement(`
select ${columns} from (
  select position, kept, wanted.number, row_number() over page as place,
    sum(octet_length(content) + coalesce(octet_length(outcome), 0)) over page as total
  from ${wanted} join ${schema}.asks on asks.id = wanted.id
  window page as (order by wanted.number)
) as wanted join ${schema}.asks on asks.position = wanted.position
where place = 1 or total <= $3::bigint order by wanted.number`);
  return async (ids, maxSize) => {
    const keptById = new Map(ids.map((id) => [id, contents.of(id)]));
    const positions = ids.map((id) => keptById.get(id)?.position ?? null);
    const rows = await (maxSize === undefined
      ? database.query<ShortAskRow>(read, [ids, positions])
      : database.query<ShortAskRow>(readPage, [ids, positions, maxSize]));
    return rows.map((row) => contents.toAsk(row, keptById.get(row.id)));
  };
}

/**
 * Claims due asks and finds the next deadline. If the result of a claim is lost, its asks can be claimed again when
 * the lease ends.
 */
function createDue(context: Context): Pick<AskStore, "claimDue" | "nextDeadline"> {
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
        .sort((a, b) => (a.deadline ?? 0) - (b.deadline ?? 0) || a.position - b.position)
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

interface PendingRow {
  readonly count: number;
  readonly oldest: number | null;
}

/** Counts pending asks by an index that holds them together. */
function createPendingSummary({ database, schema }: Context): AskStore["pendingSummary"] {
  const summary = statement(pendingSql(schema));
  return async () => {
    const [row] = await database.retry(() => database.query<PendingRow>(summary, []));
    const { count, oldest } = row ?? { count: 0, oldest: null };
    return { count, oldestCreatedAt: oldest ?? undefined };
  };
}

export function pendingSql(schema: string): string {
  return `
select count(*) as count,
  (select created_at from ${schema}.asks where status = 'pending' order by position limit 1) as oldest
from ${schema}.asks where status = 'pending'`;
}
