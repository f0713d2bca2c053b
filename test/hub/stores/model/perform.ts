import type { ListQuery, Store } from "../../../../src/hub/index.ts";
import { type Ask, AsklineError, requireAsk } from "../../../../src/index.ts";
import { askId, type Command, IDS, LOGS, NAMESPACES } from "./commands.ts";

/** Makes the call on a store; a rejection with a code is a result like any other. */
export async function perform(store: Store, command: Command, start: number): Promise<unknown> {
  try {
    return await call(store, command, start);
  } catch (error) {
    if (error instanceof AsklineError) return { rejected: error.code };
    throw error;
  }
}

/** Everything that can be seen of a store. */
export async function everythingIn(store: Store): Promise<unknown> {
  const all = { limit: 1_000 };
  return {
    oldest: await store.asks.list(all),
    newest: await store.asks.list({ ...all, order: "newest" }),
    pending: await store.asks.list({ ...all, status: "pending" }),
    nextDeadline: await store.asks.nextDeadline(),
    summary: await store.asks.pendingSummary(),
    logs: await Promise.all(
      LOGS.map(async (log) => [
        await store.logs.bounds(log),
        await store.logs.read(log, { after: 0, ...all }),
      ]),
    ),
    kept: await store.logs.list({ prefix: "", ...all }),
    records: await Promise.all(NAMESPACES.map((namespace) => store.records.list(namespace, all))),
  };
}

// Deadlines of different asks differ: which of two with the same one is claimed first is left open.
function deadlineOf(id: number, time: number, start: number): number {
  return start + time * 10 + id;
}

function call({ asks, logs, records }: Store, command: Command, start: number): Promise<unknown> {
  switch (command.do) {
    case "insert":
      return asks.insert({ ask: toAsk(command, start) }, command.append);
    case "settle": {
      const { settlementId, outcome, when, append, records } = command;
      const change = { kind: "settle", settlementId, outcome, ...(when !== undefined && { when }) } as const;
      return asks.change(askId(command.id), change, append, records);
    }
    case "extend": {
      const deadline = deadlineOf(command.id, command.deadline, start);
      return asks.change(askId(command.id), { kind: "extend", deadline }, command.append);
    }
    case "escalate":
      return asks.change(askId(command.id), { kind: "escalate", to: command.to });
    case "overdue":
      return asks.change(askId(command.id), { kind: "overdue" }, command.append);
    case "get":
      return asks.get(askId(command.id));
    case "getMany":
      return asks.getMany(command.ids.map(askId)).then(sortedById);
    case "list": {
      const { filter, after, limit, order } = command;
      return asks.list(withoutUndefined({ ...filter, after, limit, order }) as unknown as ListQuery);
    }
    case "claimDue":
      return asks.claimDue(command.limit, command.leaseMs);
    case "nextDeadline":
      return asks.nextDeadline();
    case "pendingSummary":
      return asks.pendingSummary();
    case "prune":
      return asks.prune(start + command.settledBefore * 10, command.limit, command.namespaces);
    case "append":
      return logs.append(command.entries);
    case "read": {
      const { log, after, limit, subject } = command;
      return logs.read(log, { after, limit, ...(subject !== undefined && { subject }) });
    }
    case "bounds":
      return logs.bounds(command.log);
    case "logList": {
      const { prefix, after, limit } = command;
      return logs.list({ prefix, limit, ...(after !== undefined && { after }) });
    }
    case "logRemove":
      return logs.bounds(command.log).then(({ head }) => logs.remove(command.log, command.head ?? head));
    case "logRestore":
      return restore(logs, command, start);
    case "recordGet":
      return records.get(command.namespace, command.key);
    case "recordPut": {
      const { namespace, key, value, expect, expiresAt, availableAt, append } = command;
      return records.put(namespace, key, value, {
        ...(expect !== undefined && { expect }),
        ...(expiresAt !== undefined && { expiresAt: start + expiresAt * 10 }),
        ...(availableAt !== undefined && { availableAt: start + availableAt * 10 }),
        append,
      });
    }
    case "recordDelete":
      return records.delete(
        command.namespace,
        command.key,
        command.expect === undefined ? {} : { expect: command.expect },
      );
    case "recordList": {
      const { namespace, prefix, after, limit } = command;
      return records.list(namespace, {
        limit,
        ...(prefix !== undefined && { prefix }),
        ...(after !== undefined && { after }),
      });
    }
    case "recordClaim":
      return records.claim(command.namespace, command.limit, command.leaseMs);
  }
}

async function restore(
  logs: Store["logs"],
  { log, head: wanted, gap, entries }: Extract<Command, { readonly do: "logRestore" }>,
  start: number,
): Promise<boolean> {
  const { first, head } = await logs.bounds(log);
  return logs.restore(log, {
    head: wanted ?? head,
    first: wanted === undefined ? head + 1 + (first > head ? gap : 0) : wanted + 1,
    entries: entries.map(({ log: _, ...entry }, index) => ({ at: start - 100 + index, ...entry })),
  });
}

function toAsk(command: Extract<Command, { readonly do: "insert" }>, start: number): Ask {
  const { id, session, key, deadline, agentId, asker, recipients, text } = command;
  const { timeoutMs: _none, ...request } = requireAsk({
    questions: [{ question: `Question ${id}?`, options: ["o", text === "" ? "p" : `p ${text}`] }],
    session,
    recipients,
    ...(key !== undefined && { key }),
    ...(agentId !== undefined && { agentId }),
    ...(deadline !== undefined && { deadline: deadlineOf(id, deadline, start) }),
  });
  return {
    ...request,
    id: askId(id % IDS),
    status: "pending",
    createdAt: start,
    ...(asker !== undefined && { asker }),
  };
}

function sortedById(asks: readonly Ask[]): readonly Ask[] {
  return [...asks].sort((one, other) => (one.id < other.id ? -1 : 1));
}

function withoutUndefined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
