import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createHub } from "../../../src/hub/index.ts";
import { sqliteStore } from "../../../src/hub/stores/sqlite/index.ts";
import type { Ask } from "../../../src/index.ts";
import { output } from "./processes.ts";
import type { SoakReport } from "./run-soak.ts";

const CHECKER = fileURLToPath(new URL("./checker.mjs", import.meta.url));
const by = { kind: "person", id: "ana", surface: "api" } as const;
const root = mkdtempSync(join(tmpdir(), "askline-checker-"));
const honest = join(root, "honest");
let count = 0;

afterAll(() => rmSync(root, { recursive: true, force: true }));

interface Place {
  readonly database: InstanceType<typeof DatabaseSync>;
  /** Runs SQL on the database; what it gives is not looked at. */
  sql(text: string): void;
  /** Adds a record to a journal. */
  note(journal: string, record: object): void;
  /** Changes the text of a journal. */
  rewrite(journal: string, change: (text: string) => string): void;
}

function note(folder: string, journal: string, record: object): void {
  appendFileSync(join(folder, "journals", `${journal}.jsonl`), `${JSON.stringify({ at: 1, ...record })}\n`);
}

/** Five asks, as honest servers, agents and persons leave them: answered, decided, declined, withdrawn, replied. */
beforeAll(async () => {
  mkdirSync(join(honest, "journals"), { recursive: true });
  const hub = await createHub({ store: sqliteStore({ path: join(honest, "askline.db") }) });
  const questions = [{ question: "Which?", options: ["Left", "Right"] }];
  const approval = { actions: [{ name: "deploy" }] };
  const endings: ((id: string) => Promise<Ask>)[] = [
    (id) => hub.answer(id, { answers: [{ question: "q1", selected: ["o1"] }] }, { by }),
    (id) => hub.decide(id, { decisions: [{ action: "a1", kind: "approve" }] }, { by }),
    (id) => hub.decline(id, "no", { by }),
    (id) => hub.withdraw(id),
    (id) => hub.reply(id, "later", { by }),
  ];
  for (const [number, end] of endings.entries()) {
    const content = number === 1 ? { approval } : { questions };
    const { id } = await hub.post({ ...content, session: "agent", key: `k${number}` });
    note(honest, "agent", { type: "asked", session: "agent", number });
    const { outcome } = await end(id);
    note(honest, "agent", { type: "got", session: "agent", number, outcome, askId: id });
    if (number === 3) continue;
    note(honest, "ana", { type: "acknowledged", askId: id, outcome });
    note(honest, "bo", { type: "refused", askId: id, outcome });
  }
  await hub.close();
});

async function check(falsify: (place: Place) => void): Promise<SoakReport> {
  count += 1;
  const folder = join(root, `case-${count}`);
  cpSync(honest, folder, { recursive: true });
  const path = join(folder, "askline.db");
  const database = new DatabaseSync(path);
  falsify({
    database,
    sql: (text) => database.exec(text),
    note: (journal, record) => note(folder, journal, record),
    rewrite(journal, change) {
      const file = join(folder, "journals", `${journal}.jsonl`);
      writeFileSync(file, change(readFileSync(file, "utf8")));
    },
  });
  database.close();
  return JSON.parse(await output(CHECKER, [path, join(folder, "journals")])) as SoakReport;
}

it("finds nothing where all is well, in a journal whose last line was cut short too", async () => {
  expect(await check(({ rewrite }) => rewrite("agent", (text) => `${text}{"at":1,"ty`))).toMatchObject({
    ...{ asks: 5, answered: 4, acknowledged: 4, events: 10 },
    ...{ lost: [], double: [], wrong: [] },
  });
});

const asked = (number: number): string => `(select id from asks where key = 'k${number}')`;
const event = (type: string, number: number): string =>
  `insert into log_entries (log, position, at, type, subject, data) values ('events', 11, 1, '${type}', ${asked(number)}, '${JSON.stringify({ by })}')`;

const cases: readonly [
  what: string,
  kind: "lost" | "double" | "wrong",
  told: string,
  falsify: (place: Place) => void,
][] = [
  [
    "an answered ask that is gone",
    "lost",
    "was answered, and is not there",
    ({ sql }) => sql("delete from asks where key = 'k0'"),
  ],
  [
    "an answered ask that is pending again",
    "lost",
    "was acknowledged as",
    ({ sql }) =>
      sql("update asks set status = 'pending', outcome = null, settled_at = null where key = 'k0'"),
  ],
  [
    "an acknowledged answer that another took the place of",
    "lost",
    "was acknowledged as",
    ({ sql }) => sql("update asks set outcome = replace(outcome, 'o1', 'o2') where key = 'k0'"),
  ],
  [
    "an ask that began and is not there",
    "lost",
    "began, and is not there",
    ({ sql }) => sql("delete from asks where key = 'k3'"),
  ],
  ["two endings of one ask", "double", "ended 2 times", ({ sql }) => sql(event("ask.answered", 0))],
  ["two beginnings of one ask", "double", "was created 2 times", ({ sql }) => sql(event("ask.created", 0))],
  [
    "two asks for one key",
    "double",
    "was asked as",
    ({ sql }) => {
      sql("drop index asks_by_key");
      sql("update asks set session = 'agent', key = 'k0' where key = 'k4'");
    },
  ],
  [
    "an agent that knew its ask by another id",
    "double",
    "was ask_other for its agent",
    ({ rewrite }) => rewrite("agent", (text) => text.replace(/"askId":"[^"]+"/, `"askId":"ask_other"`)),
  ],
  [
    "two answers to one ask, both acknowledged",
    "double",
    "was acknowledged to 2 answerers",
    ({ note: add, database }) => {
      const { id } = database.prepare("select id from asks where key = 'k0'").get() as {
        readonly id: string;
      };
      add("bo", { type: "acknowledged", askId: id, outcome: { kind: "declined", by: { ...by, id: "bo" } } });
    },
  ],
  [
    "an agent that was told another outcome",
    "wrong",
    "ended for its agent as",
    ({ rewrite }) => rewrite("agent", (text) => text.replace(`"reason":"no"`, `"reason":"yes"`)),
  ],
  [
    "an agent that was never told",
    "wrong",
    "its agent was never told",
    ({ rewrite }) => rewrite("agent", (text) => text.replace(/^.*"got".*"number":4.*$/m, "")),
  ],
  [
    "somebody who was refused for another outcome",
    "wrong",
    "was refused, as it had ended as",
    ({ rewrite }) => rewrite("bo", (text) => text.replace(`"text":"later"`, `"text":"never"`)),
  ],
  [
    "a gap in the log",
    "wrong",
    "the log jumps from 9 to 12",
    ({ sql }) => sql("update log_entries set position = 12 where position = 10"),
  ],
  [
    "an end that the log does not know of",
    "wrong",
    "is withdrawn, and the log says undefined",
    ({ sql }) => sql("update log_entries set type = 'ask.opened' where type = 'ask.withdrawn'"),
  ],
  [
    "an end of another kind in the log",
    "wrong",
    "is withdrawn, and the log says expired",
    ({ sql }) => sql("update log_entries set type = 'ask.expired' where type = 'ask.withdrawn'"),
  ],
  [
    "an end by somebody else in the log",
    "wrong",
    "is declined, and the log says declined",
    ({ sql }) => sql("update log_entries set data = replace(data, 'ana', 'bo') where type = 'ask.declined'"),
  ],
  [
    "content that is no JSON",
    "wrong",
    "its content is no JSON",
    ({ sql }) => sql("update asks set content = '{' where key = 'k3'"),
  ],
  [
    "an answer with an option that there is not",
    "wrong",
    "has options of others",
    ({ sql }) => sql("update asks set outcome = replace(outcome, 'o1', 'o9') where key = 'k0'"),
  ],
  [
    "an outcome of another kind",
    "wrong",
    "expired, but its outcome is withdrawn",
    ({ sql }) => sql("update asks set status = 'expired' where key = 'k3'"),
  ],
  [
    "an end without a time",
    "wrong",
    "settled without a time",
    ({ sql }) => sql("update asks set settled_at = null where key = 'k3'"),
  ],
  [
    "an ask that nobody asked",
    "wrong",
    "nobody asked it",
    ({ rewrite }) => rewrite("agent", (text) => text.replace(/^.*"number":3.*$/gm, "")),
  ],
  [
    "a fault that an agent was told of",
    "wrong",
    "internal: something went wrong",
    ({ note: add }) => add("agent", { type: "failed", code: "internal", message: "something went wrong" }),
  ],
];

it.each(cases)("finds %s: %s", async (_what, kind, told, falsify) => {
  const report = await check(falsify);
  expect(report[kind].join("\n")).toContain(told);
});
