import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { openSession, readHistory } from "../../src/agents/sessions/index.ts";
import { createTranscriptImport } from "../../src/cli/transfer/import-transcripts.js";
import { parseLine } from "../../src/cli/transfer/parse-line.js";
import { createHub, memoryStore, type Store } from "../../src/hub/index.ts";
import { postgresStore } from "../../src/hub/stores/postgres/index.ts";
import { sqliteStore } from "../../src/hub/stores/sqlite/index.ts";
import { systemClock } from "../../src/index.ts";
import { eventsNow } from "../agents/sessions/open.ts";
import { quiet } from "../hub/stores/postgres/open-store.ts";
import { freshSchema, sharedPostgres } from "../support/shared-postgres.ts";
import { exported } from "./archives.ts";
import { runHere } from "./in-process.ts";
import { newFolder, removeFolders } from "./servers.ts";

afterAll(removeFolders);

const ANA = { by: { kind: "person", id: "ana", surface: "test" } } as const;
const question = { question: "Which?", options: ["A", "B"] };

/** A place for a store in a file, which can be opened again and again. */
function newPlace(): { readonly db: string; open(): Store } {
  const path = join(newFolder(), "askline.db");
  return { db: `sqlite:${path}`, open: () => sqliteStore({ path }) };
}

async function opened(store: Store): Promise<Store> {
  await store.open({ clock: systemClock, logger: quiet });
  onTestFinished(() => store.close());
  return store;
}

async function withHub<T>(store: Store, task: (hub: Awaited<ReturnType<typeof createHub>>) => Promise<T>) {
  const hub = await createHub({ store, logger: quiet });
  try {
    return await task(hub);
  } finally {
    await hub.close();
  }
}

/** A session with all kinds of entries, an answered question and one that waits; and one for Bo. */
async function lived(store: Store): Promise<void> {
  await withHub(store, async (hub) => {
    const session = await openSession({ hub, sessionId: "s 1/ü", locale: "vi", agentId: "a", asker: "x" });
    await session.user("My words");
    await session.thinking("Hm");
    await session.toolUse({ id: "1", name: "read", message: "Reading", rule: { streamToolResult: false } });
    await session.toolResult({ id: "1", status: "error" });
    await session.summary("Read");
    const asked = session.write({ type: "ask", questions: [question], key: "k1" });
    const { ask } = (await asked) ?? {};
    await hub.answer(ask?.id ?? "", { answers: [{ question: "q1", selected: ["o1"] }] }, ANA);
    await session.write({ type: "approve", actions: [{ name: "rm", args: {} }], key: "k2", timeoutMs: null });
    await session.text("Wait", { final: true });
    const bo = await openSession({ hub, sessionId: "bo", recipients: ["bo"] });
    for (let index = 0; index < 250; index += 1) await bo.user(`Message ${index}`);
  });
}

const seen = (store: Store, sessionId: string) =>
  withHub(store, async (hub) => ({
    history: await readHistory(hub, sessionId),
    events: await eventsNow(hub, sessionId),
  }));

async function importing(db: string, file: string, more: readonly string[] = []) {
  const ended = await runHere(["import", file, "--db", db, "--json", ...more]);
  return { ...ended, tally: JSON.parse(ended.stdout || "null") };
}

it("gives the same history, stream and approval keys elsewhere, and changes nothing twice", async () => {
  const [from, to] = [newPlace(), newPlace()];
  await lived(from.open());
  const file = join(newFolder(), "all.jsonl");
  const { stderr } = await runHere(["export", file, "--db", from.db]);
  expect(stderr).toBe(`askline: exported 2 asks and 2 transcripts to ${file}\n`);
  const end = JSON.parse(readFileSync(file, "utf8").trimEnd().split("\n").at(-1) ?? "");
  expect(end).toEqual({ kind: "end", asks: 2, events: 3, transcripts: 2, entries: 261 });
  const wanted = { imported: 2, transcripts: { imported: 2, known: 0, conflicts: 0, entries: 261 } };
  expect((await importing(to.db, file, ["--dry-run"])).tally).toMatchObject(wanted);
  expect(await importing(to.db, file)).toMatchObject({ code: 0, stderr: "", tally: wanted });
  const again = { imported: 0, known: 2, transcripts: { imported: 0, known: 2, conflicts: 0 } };
  expect((await importing(to.db, file, ["--dry-run"])).tally).toMatchObject(again);
  expect(await importing(to.db, file)).toMatchObject({ code: 0, tally: again });
  for (const session of ["s 1/ü", "bo"]) {
    expect(await seen(to.open(), session)).toEqual(await seen(from.open(), session));
  }
  await withHub(to.open(), async (hub) => {
    const session = await openSession({ hub, sessionId: "s 1/ü", asker: "x" });
    const posted = await session.write({ type: "approve", actions: [{ name: "rm", args: {} }], key: "k2" });
    expect(posted).toMatchObject({ approvalKey: "s 1/ü_2", created: false });
  });
});

it.each([
  ["memory", async () => memoryStore()],
  ["SQLite", async () => newPlace().open()],
  ["PostgreSQL", async () => postgresStore({ url: await sharedPostgres(), schema: freshSchema() })],
])("is exported from %s as it was imported", async (_name, make) => {
  const place = newPlace();
  await lived(place.open());
  const lines = await exported(await opened(place.open()));
  const target = await opened(await make());
  const { add } = createTranscriptImport(target, false);
  const parts = lines.flatMap((text) => {
    const parsed = parseLine(text);
    return parsed.ok && parsed.line.kind === "transcript" ? [parsed.line] : [];
  });
  expect(parts.length).toBeGreaterThan(3);
  for (const line of parts) expect((await add(line)).now).toEqual({ kind: "imported" });
  const isTranscript = (text: string): boolean => text.includes('"kind":"transcript"');
  expect((await exported(target)).filter(isTranscript)).toEqual(lines.filter(isTranscript));
});

it("chooses by session, by person, and by when it was written to", async () => {
  const place = newPlace();
  await lived(place.open());
  const store = await opened(place.open());
  const sessions = async (more: object) => {
    const lines = (await exported(store, more)).map((line) => JSON.parse(line));
    return [...new Set(lines.filter(({ kind }) => kind === "transcript").map(({ session }) => session))];
  };
  expect(await sessions({})).toEqual(["bo", "s 1/ü"]);
  expect(await sessions({ filter: { session: "bo" } })).toEqual(["bo"]);
  expect(await sessions({ filter: { session: "b" } })).toEqual([]);
  expect(await sessions({ filter: { person: "ana" } })).toEqual(["s 1/ü"]);
  expect(await sessions({ filter: { person: "bo" } })).toEqual(["bo", "s 1/ü"]);
  expect(await sessions({ since: Date.now() + 60_000 })).toEqual([]);
});

it("continues an interrupted import, skips transcripts that differ, and comes above removed ones", async () => {
  const [from, to] = [newPlace(), newPlace()];
  await lived(from.open());
  const file = join(newFolder(), "all.jsonl");
  await runHere(["export", file, "--db", from.db]);
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  const part = await runHere(["import", "--db", to.db, "--json"], { input: lines.slice(0, 2).join("\n") });
  expect(JSON.parse(part.stdout)).toMatchObject({ whole: false, transcripts: { imported: 1, entries: 100 } });
  expect((await importing(to.db, file)).tally).toMatchObject({ transcripts: { imported: 2, conflicts: 0 } });
  expect(await seen(to.open(), "bo")).toEqual(await seen(from.open(), "bo"));

  // Removed and restored: the same words, and none of the ids of before.
  const pruning = to.open();
  await pruning.open({ clock: systemClock, logger: quiet });
  const { head } = await pruning.logs.bounds("session/bo");
  await pruning.logs.remove("session/bo", head);
  await pruning.close();
  expect((await importing(to.db, file)).tally).toMatchObject({ transcripts: { imported: 1, known: 1 } });
  expect((await importing(to.db, file)).tally).toMatchObject({ transcripts: { imported: 0, known: 2 } });
  const restored = (await seen(to.open(), "bo")).events;
  const original = (await seen(from.open(), "bo")).events;
  expect(restored.map(({ event }) => event)).toEqual(original.map(({ event }) => event));
  expect(restored[0]?.id).toBe(`${head + 2}.1`);

  const spoilt = lines.map((line) => line.replace('"Message 120"', '"Another"'));
  const { code, stderr, stdout } = await runHere(["import", "--db", to.db, "--json"], {
    input: spoilt.join("\n"),
  });
  expect(stderr).toBe(
    'askline: line 3 was skipped: the transcript of session "bo" already exists and differs\n',
  );
  expect({ code, ...JSON.parse(stdout).transcripts }).toMatchObject({ code: 1, conflicts: 1, known: 1 });
  const cut = lines.filter((_, index) => index !== 2);
  const gap = await runHere(["import", "--db", `sqlite:${join(newFolder(), "new.db")}`], {
    input: cut.join("\n"),
  });
  expect(gap.stderr).toMatch(/line 3 was skipped: .*has a gap before this line/);
  expect(gap.code).toBe(1);
});

it.each([
  [1, "import it with an older askline, and export it again"],
  [3, "update it with npm install askline@latest"],
])("refuses a file of version %i", async (version, advice) => {
  const input = `{"kind":"header","format":"askline-export","version":${version},"exportedAt":1,"store":"sqlite"}\n`;
  const db = `sqlite:${join(newFolder(), "new.db")}`;
  const { code, stderr } = await runHere(["import", "--db", db], { input });
  expect(stderr).toContain(`has version ${version}, but this askline reads version 2; ${advice}`);
  expect(code).toBe(2);
});

const ENTRY = { at: 1, type: "user", data: { text: "Hello" } };
it.each([
  ["no session", { session: 1 }, /an invalid session/],
  ["no position", { first: 0 }, /no position/],
  ["no entries", { entries: [] }, /no entries/],
  ["an entry of no type", { entries: [{ ...ENTRY, type: "eaten" }] }, /of an unknown type/],
  ["an entry without a time", { entries: [{ ...ENTRY, at: -1 }] }, /an invalid time/],
  ["a message without text", { entries: [{ ...ENTRY, data: {} }] }, /an invalid entry/],
  [
    "an ask without an id",
    { entries: [{ at: 1, type: "ask.answered", subject: "a b" }] },
    /an entry without an ask/,
  ],
  [
    "an ask that asks nothing",
    { entries: [{ at: 1, type: "ask.created", subject: "a" }] },
    /without questions or approval/,
  ],
  [
    "an asker that is no name",
    { entries: [{ at: 1, type: "opened", data: { asker: "a\nb" } }] },
    /an invalid asker/,
  ],
])("refuses a line with %s", (_name, spoilt, fault) => {
  const line = { kind: "transcript", session: "s", first: 1, entries: [ENTRY], ...spoilt };
  expect(parseLine(JSON.stringify(line))).toEqual({ ok: false, fault: expect.stringMatching(fault) });
  expect(parseLine(JSON.stringify({ ...line, session: "s", first: 1, entries: [ENTRY] })).ok).toBe(true);
});

it("leaves out entries before the opening, which an interrupted prune left over", async () => {
  const from = newPlace();
  const store = from.open();
  await store.open({ clock: systemClock, logger: quiet });
  const left = { at: 1, type: "user", data: { text: "My secret" } };
  const opening = { at: 2, type: "opened", data: { recipients: ["ana"] } };
  const said = { at: 3, type: "user", data: { text: "Later" } };
  const more = Array.from({ length: 150 }, () => left);
  await store.logs.restore("session/s", { head: 0, first: 1_001, entries: [...more, opening, said] });
  await store.logs.restore("session/gone", { head: 0, first: 1_001, entries: more });
  await store.close();
  const file = join(newFolder(), "all.jsonl");
  expect((await runHere(["export", file, "--db", from.db, "--for", "ana"])).code).toBe(0);
  const lines = readFileSync(file, "utf8").trimEnd().split("\n").slice(1, -1);
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { kind: "transcript", session: "s", first: 1_151, entries: [opening, said] },
  ]);
});
