import fc from "fast-check";
import type { LogAppend, RecordPut } from "../../../../src/hub/index.ts";
import type { Json, Outcome } from "../../../../src/index.ts";
import { askId, type Command, IDS, LOGS, NAMESPACES, type Step } from "./commands.ts";

type Of<Name extends Command["do"]> = Extract<Command, { readonly do: Name }>;

const id = fc.integer({ min: 0, max: IDS - 1 });
const time = fc.integer({ min: 0, max: 12 });
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined });
const session = fc.constantFrom("", "s", "S");
const person = fc.constantFrom("ana", "ben", "Ana");
const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("yes", "") },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 5 }) },
  { weight: 1, arbitrary: fc.constantFrom("\u0000", "\ud800", "\udc00x", "'\"\\", "\u{1f600}") },
);
const json: fc.Arbitrary<Json> = fc.oneof(
  fc
    .jsonValue({ maxDepth: 2, stringUnit: "binary" })
    .map((value) => JSON.parse(JSON.stringify(value)) as Json),
  text,
);
const subject = maybe(fc.oneof(id.map(askId), fc.constantFrom("subject", "Subject")));
const entry: fc.Arbitrary<LogAppend> = fc
  .record({
    log: fc.constantFrom(...LOGS),
    type: fc.constantFrom("note", "ask.opened"),
    subject,
    data: maybe(json),
  })
  .map(({ subject: about, data, ...rest }) => ({
    ...rest,
    ...(about !== undefined && { subject: about }),
    ...(data !== undefined && { data }),
  }));
const append = fc.oneof(
  { weight: 3, arbitrary: fc.constant<readonly LogAppend[]>([]) },
  { weight: 1, arbitrary: fc.array(entry, { maxLength: 2 }) },
);
const by = fc.oneof(
  person.map((one) => ({ kind: "person", id: one, surface: "model" }) as const),
  fc.constant({ kind: "policy", name: "recommended" } as const),
);
const outcome: fc.Arbitrary<Outcome> = fc.oneof(
  fc.record({
    kind: fc.constant("answered" as const),
    answers: fc.array(fc.record({ question: fc.constant("q1"), selected: fc.constant(["o1"]), text }), {
      maxLength: 2,
    }),
    by,
  }),
  fc.record({ kind: fc.constant("declined" as const), reason: text, by }),
  fc.record({ kind: fc.constant("replied" as const), text, by }),
  fc.constantFrom<Outcome>({ kind: "expired" }, { kind: "withdrawn" }),
);
const namespace = fc.constantFrom(...NAMESPACES);
// Among them the keys that a prune takes along, and those that only look like it.
const key = fc.oneof(
  fc.constantFrom("a", "\u{1f600}"),
  fc.constantFrom("", "b", "%", "_", "\ue000", "\u{1f600}a"),
  fc.tuple(id, fc.constantFrom("/ana", "/", "", "0/ana")).map(([index, rest]) => `${askId(index)}${rest}`),
);

const records = fc.oneof(
  { weight: 2, arbitrary: fc.constant<readonly RecordPut[]>([]) },
  {
    weight: 1,
    arbitrary: fc
      .uniqueArray(
        fc.record({ namespace, key, value: json, expect: fc.constantFrom(undefined, null, 1, 2) }),
        {
          maxLength: 2,
          selector: ({ namespace, key }) => JSON.stringify([namespace, key]),
        },
      )
      .map((puts): readonly RecordPut[] =>
        puts.map(({ expect, ...put }) => ({ ...put, ...(expect !== undefined && { expect }) })),
      ),
  },
);

const insert: fc.Arbitrary<Of<"insert">> = fc.record({
  do: fc.constant("insert" as const),
  id,
  session,
  key: maybe(fc.constantFrom("k", "K")),
  deadline: maybe(time),
  agentId: maybe(fc.constantFrom("agent", "Agent")),
  asker: maybe(fc.constantFrom("token", "Token")),
  recipients: fc.uniqueArray(person, { maxLength: 2 }),
  text,
  append,
});
const settle: fc.Arbitrary<Of<"settle">> = fc.record({
  do: fc.constant("settle" as const),
  id,
  settlementId: fc.constantFrom("one", "two", "three"),
  outcome,
  when: fc.constantFrom(undefined, "due" as const, "anytime" as const),
  append,
  records,
});

const recordPut: fc.Arbitrary<Of<"recordPut">> = fc.record({
  do: fc.constant("recordPut" as const),
  namespace,
  key,
  value: json,
  expect: fc.constantFrom(undefined, undefined, null, 1, 2, 3),
  expiresAt: maybe(time),
  availableAt: maybe(time),
  append,
});
const claimDue: fc.Arbitrary<Of<"claimDue">> = fc.record({
  do: fc.constant("claimDue" as const),
  limit: fc.integer({ min: 1, max: 3 }),
  leaseMs: fc.integer({ min: 1, max: 60 }),
});
const recordClaim: fc.Arbitrary<Of<"recordClaim">> = fc.record({
  do: fc.constant("recordClaim" as const),
  namespace,
  limit: fc.integer({ min: 1, max: 3 }),
  leaseMs: fc.integer({ min: 1, max: 60 }),
});
const appendEntries: fc.Arbitrary<Of<"append">> = fc.record({
  do: fc.constant("append" as const),
  entries: fc.array(entry, { maxLength: 3 }),
});

// The log of events is never removed or restored as a whole.
const keptLog = fc.constantFrom(...LOGS.slice(1));
const head = maybe(fc.integer({ min: 0, max: 4 }));
const logRemove: fc.Arbitrary<Of<"logRemove">> = fc.record({
  do: fc.constant("logRemove" as const),
  log: keptLog,
  head,
});
const logRestore: fc.Arbitrary<Of<"logRestore">> = fc.record({
  do: fc.constant("logRestore" as const),
  log: keptLog,
  head,
  gap: fc.constantFrom(0, 0, 7),
  entries: fc.array(entry, { minLength: 1, maxLength: 3 }),
});

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 6, arbitrary: insert },
  { weight: 5, arbitrary: settle },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("extend" as const), id, deadline: time, append }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("overdue" as const), id, append }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("escalate" as const),
      id,
      to: fc.array(person, { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("get" as const), id }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("getMany" as const), ids: fc.array(id, { maxLength: 4 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("list" as const),
      filter: fc.record({
        status: maybe(fc.constantFrom("pending", "settled", "answered", "withdrawn")),
        session: maybe(session),
        agentId: maybe(fc.constantFrom("agent", "Agent")),
        asker: maybe(fc.constantFrom("token", "Token")),
        person: maybe(person),
      }),
      after: maybe(fc.integer({ min: 0, max: 20 })),
      limit: fc.integer({ min: 1, max: 4 }),
      order: maybe(fc.constantFrom("oldest" as const, "newest" as const)),
    }),
  },
  { weight: 2, arbitrary: claimDue },
  { weight: 1, arbitrary: fc.constant({ do: "nextDeadline" } as const) },
  { weight: 1, arbitrary: fc.constant({ do: "pendingSummary" } as const) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("prune" as const),
      settledBefore: time,
      limit: fc.integer({ min: 1, max: 3 }),
      namespaces: fc.subarray([...NAMESPACES]),
    }),
  },
  { weight: 2, arbitrary: appendEntries },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("read" as const),
      log: fc.constantFrom(...LOGS),
      after: fc.integer({ min: 0, max: 20 }),
      limit: fc.integer({ min: 1, max: 5 }),
      subject,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("bounds" as const), log: fc.constantFrom(...LOGS) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("logList" as const),
      prefix: fc.constantFrom("", "s", "session/", "session/1", "\u00e9", "z"),
      after: maybe(fc.constantFrom(...LOGS, "a")),
      limit: fc.integer({ min: 0, max: 3 }),
    }),
  },
  { weight: 3, arbitrary: logRemove },
  { weight: 2, arbitrary: logRestore },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("recordGet" as const), namespace, key }) },
  { weight: 5, arbitrary: recordPut },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("recordDelete" as const),
      namespace,
      key,
      expect: maybe(fc.integer({ min: 1, max: 3 })),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("recordList" as const),
      namespace,
      prefix: maybe(key),
      after: maybe(key),
      limit: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 2, arbitrary: recordClaim },
);

// What claims get while others claim or write is left open, so no order has to explain it. That no two get
// the same, the suite checks.
const noClaim = command.filter((one) => one.do !== "claimDue" && one.do !== "recordClaim" && isOneCall(one));

function isOneCall(one: Command): boolean {
  return (one.do !== "logRemove" && one.do !== "logRestore") || one.head !== undefined;
}

/** Calls that want the same thing: they are what goes wrong at once. */
const rivals: fc.Arbitrary<readonly Command[]> = fc.oneof(
  several(settle, ({ id: same }) => ({ id: same })),
  several(insert, ({ session: same, key: sameKey }) => ({ session: same, key: sameKey ?? "k" })),
  several(recordPut, ({ namespace: same, key: sameKey, expect }) => ({
    namespace: same,
    key: sameKey,
    expect,
  })),
  several(appendEntries, () => ({})),
  several<Command>(fc.oneof(logRemove, logRestore, appendEntries).filter(isOneCall), () => ({})),
);

function several<T extends Command>(
  arbitrary: fc.Arbitrary<T>,
  inCommon: (first: T) => Partial<T>,
): fc.Arbitrary<readonly Command[]> {
  return fc
    .array(arbitrary, { minLength: 2, maxLength: 4 })
    .map((all) => all.map((one) => ({ ...one, ...inCommon(all[0] as T) })));
}

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 20, arbitrary: fc.record({ kind: fc.constant("call" as const), command }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("together" as const),
      commands: fc.oneof(rivals, fc.array(noClaim, { minLength: 2, maxLength: 4 })),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("advance" as const),
      milliseconds: fc.integer({ min: 1, max: 50 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("jumpWall" as const),
      milliseconds: fc.constantFrom(-86_400_000, 86_400_000),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: "reopen" } as const) },
);

/** Random lives of a store. */
export const steps: fc.Arbitrary<readonly Step[]> = fc.array(step, {
  minLength: 1,
  maxLength: 40,
  size: "max",
});
