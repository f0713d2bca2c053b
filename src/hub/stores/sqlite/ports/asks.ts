import type { Ask } from "../../../../core/model/ask.js";
import { askerIdentities, askerIdentity } from "../../../../core/model/visibility.js";
import { askSize } from "../../../seam/ask-size.js";
import {
  type AskChange,
  type AskerUsage,
  type AskStore,
  EVENT_LOG,
  IDS_LOOKED_AT,
  type KeyUse,
  type LogAppend,
} from "../../../seam/store.js";
import { changeEvent, fitPage } from "../../../seam/store-kit.js";
import { createContents, type ShortAskRow } from "../../shared/contents.js";
import { type AskRow, type Content, contentOf, snapshot, toAsk, toEntryRow } from "../../shared/rows.js";
import { type Database, inSnapshot } from "../file/driver.js";
import {
  BY_ID,
  BY_KEY,
  type ChangeRequest,
  type InsertRequest,
  KEY_USES_ANYWHERE,
  KEY_USES_IN_SESSION,
  NEXT_DEADLINE,
} from "../write/ask-writes.js";
import type { Connection } from "../write/connection.js";
import { listAsks } from "./lists.js";
import { putRequest } from "./records.js";

// Answered from asks_by_status alone, which ends with the position, so only pending asks are scanned.
export const PENDING: string =
  "SELECT count(*) AS count, min(position) AS first FROM asks WHERE everyone IN (0, 1) AND status = 'pending'";
// Read from the index alone.
const IDS = "SELECT id FROM asks WHERE id > ? ORDER BY id LIMIT ?";
const USAGE = "SELECT pending, bytes FROM askers WHERE asker = ?";
const CREATED_AT = "SELECT created_at AS createdAt FROM asks WHERE position = ?";
export const COUNT_SETTLED: string = "SELECT count(*) AS count FROM asks WHERE settled_at < ?";

export function createAsks({ read, write }: Connection): AskStore {
  const contents = createContents();
  const find = (database: Database, id: string): Ask | undefined => {
    const kept = contents.of(id);
    const row = database.sql(BY_ID).get<ShortAskRow>(kept?.position ?? null, id);
    return row && contents.toAsk(row, kept);
  };
  function* findEach(database: Database, ids: Iterable<string>): Generator<Ask, void, void> {
    for (const id of ids) {
      const ask = find(database, id);
      if (ask !== undefined) yield ask;
    }
  }
  return {
    async insert(created, append = []) {
      const ask = snapshot(created.ask);
      const entries = [{ log: EVENT_LOG, type: "ask.created", subject: ask.id }, ...append];
      const content = contentOf(ask);
      const request = { ...columnsOf(ask, content), entries: entries.map(toEntryRow) };
      const result = await write("insert", request, (inserted) => {
        if (inserted.kind === "present") return undefined;
        const { position, at } = inserted;
        contents.keep({ position, content, size: request.content.length });
        return { position, at, type: "ask.created", ask };
      });
      if (result.kind === "inserted") return { kind: "created", ask };
      return { kind: result.row.id === ask.id ? "created" : "known", ask: toAsk(result.row) };
    },
    async change(id, input, append = [], records = []) {
      const change = input.kind === "settle" ? { ...input, outcome: snapshot(input.outcome) } : input;
      const event = changeEvent(change);
      const kept = contents.of(id);
      const request = {
        ...changeRequest(id, change, event, append),
        kept: kept?.position ?? null,
        ...(records.length > 0 && { records: records.map(putRequest) }),
      };
      let ask: Ask | undefined;
      const changed = await write("change", request, (result) => {
        if (result?.event === undefined) return undefined;
        ask = contents.toAsk(result.row, kept);
        return { ...event, ...result.event, ask };
      });
      return changed && { applied: changed.applied, ask: ask ?? contents.toAsk(changed.row, kept) };
    },
    get: (id) => read((database) => find(database, id)),
    releaseKey: (id) => write("releaseKey", id),
    getByKey: ({ session, key, ...asker }) =>
      read((database) => {
        const row = database.sql(BY_KEY).get<AskRow>(askerIdentity(asker) ?? "", session, key);
        return row && toAsk(row);
      }),
    findIds: (part, after) =>
      read((database) => {
        const ids = database.sql(IDS).all<{ readonly id: string }>(after, IDS_LOOKED_AT);
        const next = ids[IDS_LOOKED_AT - 1]?.id;
        return {
          ids: ids.flatMap(({ id }) => (id.includes(part) ? id : [])),
          next,
        };
      }),
    findKeys: ({ keys, session, limit, ...agent }) =>
      read((database) => {
        const statement = database.sql(session === undefined ? KEY_USES_ANYWHERE : KEY_USES_IN_SESSION);
        const rest = [...(session === undefined ? [] : [session]), Math.max(0, limit)];
        return [...new Set(keys)].flatMap((key) =>
          askerIdentities(agent)
            .flatMap((asker) => statement.all<KeyUse>(asker, key, ...rest))
            .slice(0, Math.max(0, limit)),
        );
      }),
    getMany: (ids, { maxSize } = {}) =>
      read((database) => fitPage(findEach(database, new Set(ids)), askSize, maxSize)),
    list: (query) => read((database) => listAsks(database, query)),
    claimDue: async (limit, leaseMs) => (await write("claimDue", { limit, leaseMs })).map(toAsk),
    nextDeadline: () =>
      read((database) => database.sql(NEXT_DEADLINE).get<{ readonly deadline: number }>()?.deadline),
    usage: (asker) =>
      read((database) => database.sql(USAGE).get<AskerUsage>(asker) ?? { pending: 0, bytes: 0 }),
    pendingSummary: () =>
      read((database) =>
        inSnapshot(database, () => {
          const pending = database
            .sql(PENDING)
            .get<{ readonly count: number; readonly first: number | null }>();
          const { count, first } = pending ?? { count: 0, first: null };
          const oldest = database.sql(CREATED_AT).get<{ readonly createdAt: number }>(first);
          return { count, oldestCreatedAt: oldest?.createdAt };
        }),
      ),
    async prune(settledBefore, limit, namespaces) {
      for (let pruned = 0; ; ) {
        const part = await write("prune", { settledBefore, limit: limit - pruned, namespaces });
        pruned += part.asks;
        if (part.isLast) return pruned;
      }
    },
    countSettled: (before) =>
      read((database) => database.sql(COUNT_SETTLED).get<{ readonly count: number }>(before)?.count ?? 0),
    async restore({ ask: restored, events }) {
      const ask = snapshot(restored);
      const entries = events.map((event) => ({
        ...toEntryRow({ ...event, log: EVENT_LOG, subject: ask.id }),
        at: event.at,
      }));
      const result = await write("insert", { ...columnsOf(ask, contentOf(ask)), entries }, ({ kind }) =>
        kind === "inserted" ? "unreported" : undefined,
      );
      if (result.kind === "inserted") return { kind: "restored", ask };
      return { kind: result.row.id === ask.id ? "known" : "taken", ask: toAsk(result.row) };
    },
  };
}

function columnsOf(ask: Ask, content: Content): Omit<InsertRequest, "entries"> {
  const { id, session, status, createdAt, outcome } = ask;
  return {
    ...{ id, session, status, createdAt },
    key: ask.key ?? null,
    agentId: ask.agentId ?? null,
    asker: askerIdentity(ask) ?? null,
    recipients: [...new Set(ask.recipients)],
    deadline: ask.deadline ?? null,
    overdue: ask.overdue ?? false,
    settledAt: ask.settledAt ?? null,
    outcome: outcome === undefined ? null : JSON.stringify(outcome),
    content: JSON.stringify(content),
  };
}

function changeRequest(
  id: string,
  change: AskChange,
  event: Pick<LogAppend, "type" | "data">,
  append: readonly LogAppend[],
): Omit<ChangeRequest, "kept"> {
  const entries = [{ ...event, log: EVENT_LOG, subject: id }, ...append].map(toEntryRow);
  if (change.kind !== "settle") return { id, change, entries };
  const { outcome } = change;
  return { id, change: { ...change, status: outcome.kind, outcome: JSON.stringify(outcome) }, entries };
}
