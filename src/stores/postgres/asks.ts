import type { Ask } from "../../core/index.js";
import type { AskStore } from "../../hub/store.js";
import { type AskRow, toAsk } from "../shared/rows.js";
import { askColumns } from "./ask-rows.js";
import { createBatcher } from "./batcher.js";
import { createChanger, toChange } from "./change-asks.js";
import type { Context } from "./context.js";
import { statement } from "./database.js";
import { createDue } from "./due-asks.js";
import { createInserter, toInsert } from "./insert-asks.js";
import { createLister } from "./list-asks.js";
import { createPendingSummary } from "./pending.js";
import { createPrune } from "./prune.js";
import { createReadAsks, type ReadAsks } from "./read-asks.js";
import { countSettledSql, createRestorer, toRestore } from "./restore.js";
import { isStorable, requireStorable } from "./storable.js";

export interface Part<Port> {
  readonly port: Port;
  /** Resolves when nothing is under way. */
  drained(): Promise<unknown>;
}

export function createAsks(context: Context): Part<AskStore> {
  const { database } = context;
  const inserter = createInserter(context);
  const changer = createChanger(context);
  const restorer = createRestorer(context);
  const countSettled = statement(countSettledSql(context.schema));
  const byKey = statement(
    `select ${askColumns("asks")} from ${context.schema}.asks where session = $1 and key = $2`,
  );
  const readAsks = createReadAsks(context);
  const readMany: ReadAsks = (ids) => database.retry(() => readAsks(ids));
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
        const { id, session, key, agentId, asker, recipients } = created.ask;
        requireStorable(id, session, key, agentId, asker, ...recipients);
        return inserter.add(toInsert(created, append));
      },
      async change(id, change, append = []) {
        if (!isStorable(id)) return undefined;
        if (change.kind === "settle") requireStorable(change.settlementId);
        return changer.add(toChange(id, change, append));
      },
      async get(id) {
        return isStorable(id) ? getter.add(id) : undefined;
      },
      async getByKey(session, key) {
        if (!isStorable(session) || !isStorable(key)) return undefined;
        const [row] = await database.retry(() => database.query<AskRow>(byKey, [session, key]));
        return row && toAsk(row);
      },
      async getMany(ids) {
        const wanted = [...new Set(ids.filter(isStorable))];
        return wanted.length === 0 ? [] : readMany(wanted);
      },
      async list(query) {
        const { session, agentId, asker, person } = query;
        if (![session, agentId, asker, person].every((name) => name === undefined || isStorable(name))) {
          return { asks: [] };
        }
        return lister(query);
      },
      ...createDue(context),
      pendingSummary: createPendingSummary(context),
      prune: createPrune(context),
      async countSettled(before) {
        const [row] = await database.retry(() =>
          database.query<{ readonly count: number }>(countSettled, [before]),
        );
        return row?.count ?? 0;
      },
      async restore(restored) {
        return restorer.add(toRestore(restored));
      },
    },
  };
}
