import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { followSession, openSession, readHistory } from "../../../src/agents/sessions/index.js";
import { createHub, type Store } from "../../../src/hub/index.js";
import { postgresStore } from "../../../src/hub/stores/postgres/index.js";
import { sqliteStore } from "../../../src/hub/stores/sqlite/index.js";
import { ana, codeOf, openHub } from "../../hub/open-hub.js";
import { freshSchema, sharedPostgres } from "../../support/shared-postgres.js";
import { eventsNow, takeEvents } from "./open.js";

const question = { question: "Which?", options: ["A", "B"] };

async function played() {
  const open = await openHub();
  const session = await openSession({ hub: open.hub, sessionId: "s" });
  await session.user("Go");
  await session.toolUse({ id: "1", name: "read", message: "Reading" });
  await session.toolResult({ id: "1" });
  const asking = session.ask([question]);
  const [ask] = await (async () => {
    for (;;) {
      const { asks } = await open.hub.list();
      if (asks.length > 0) return asks;
      await new Promise((resolve) => void setImmediate(resolve));
    }
  })();
  await open.hub.answer(ask?.id ?? "", { answers: [{ question: "q1", selected: ["o1"] }] }, ana);
  await asking;
  await session.text("Done", { final: true });
  return { ...open, session };
}

it("resumes after any event, even in the middle of a block", async () => {
  const { hub } = await played();
  const all = await eventsNow(hub, "s");
  expect(all.length).toBeGreaterThan(12);
  for (const [index, { id }] of all.entries()) {
    expect(await eventsNow(hub, "s", id)).toEqual(all.slice(index + 1));
  }
});

it("continues live, and starts now without a position", async () => {
  const { hub, session } = await played();
  const live = takeEvents(followSession(hub, "s"), 3);
  // The stream takes its position when it is first read.
  await new Promise((resolve) => void setImmediate(resolve));
  await session.text("More");
  expect((await live).map(({ event }) => event.type)).toEqual([
    ...["content_block_start", "content_block_delta", "content_block_stop"],
  ]);
});

it("refuses malformed positions", async () => {
  const { hub } = await played();
  const first = (after: string) => codeOf(takeEvents(followSession(hub, "s", { after }), 1));
  expect(await first("99.1")).toBe("position_trimmed");
  expect(await first("x")).toBe("invalid_request");
  expect(await codeOf(takeEvents(followSession(hub, "none"), 1))).toBe("not_found");
});

it("pages the history without gaps or repeats while the session continues", async () => {
  const { hub, session } = await played();
  const whole = (await readHistory(hub, "s")).messages;
  const paged = [];
  for (let after: string | undefined; ; ) {
    const page = await readHistory(hub, "s", { limit: 2, ...(after !== undefined && { after }) });
    paged.push(...page.messages);
    if (page.next === undefined) break;
    after = page.next;
    if (paged.length === 2) await session.text("Meanwhile");
  }
  expect(paged.slice(0, whole.length)).toEqual(whole);
  expect(paged).toHaveLength(whole.length + 1);
});

it("returns with the history the position where the stream continues", async () => {
  const { hub, session } = await played();
  const { position } = await readHistory(hub, "s");
  await session.user("Later");
  expect((await eventsNow(hub, "s", position)).map(({ event }) => event)).toEqual([
    { type: "user_message", text: "Later" },
  ]);
});

it("reads sessions that are longer than a page", async () => {
  const { hub } = await openHub();
  const session = await openSession({ hub, sessionId: "s" });
  for (let count = 1; count <= 1_200; count += 1) await session.user(`Message ${count}`);
  const events = await takeEvents(followSession(hub, "s", { after: "0" }), 1_200);
  expect(events.at(-1)).toEqual({ id: "1201.1", event: { type: "user_message", text: "Message 1200" } });
  const { messages, next } = await readHistory(hub, "s", { limit: 1_000 });
  expect(messages).toHaveLength(1_000);
  expect((await readHistory(hub, "s", { after: next ?? "" })).messages).toHaveLength(200);
});

it("writes an event once however often it is retried", async () => {
  const { hub } = await openHub();
  const session = await openSession({ hub, sessionId: "s" });
  for (let attempt = 0; attempt < 3; attempt += 1) {
    await session.write({ type: "text", text: "Once" }, { once: "key_1" });
  }
  expect((await readHistory(hub, "s")).messages).toHaveLength(1);
});

const places: readonly (readonly [string, () => Promise<() => Store>])[] = [
  [
    "SQLite file",
    async () => {
      const folder = await mkdtemp(join(tmpdir(), "askline-session-"));
      onTestFinished(() => rm(folder, { recursive: true, force: true }));
      return () => sqliteStore({ path: join(folder, "askline.db") });
    },
  ],
  [
    "PostgreSQL",
    async () => {
      const [url, schema] = [await sharedPostgres(), freshSchema()];
      return () => postgresStore({ url, schema });
    },
  ],
];

it.each(places)("is followed from another hub of the same %s", async (_name, place) => {
  const makeStore = await place();
  const [writing, reading] = [
    await createHub({ store: makeStore() }),
    await createHub({ store: makeStore() }),
  ];
  onTestFinished(async () => {
    await writing.close();
    await reading.close();
  });
  const session = await openSession({ hub: writing, sessionId: "s" });
  const events = takeEvents(followSession(reading, "s", { after: "0" }), 6);
  await session.text("One");
  const asking = session.ask([question]);
  expect((await events).at(-2)?.event).toMatchObject({ delta: { timeout_seconds: 600 } });
  const resolved = takeEvents(followSession(reading, "s", { after: (await events).at(-1)?.id ?? "" }), 1);
  const [ask] = (await reading.list()).asks;
  await reading.answer(ask?.id ?? "", { answers: [{ question: "q1", selected: ["o2"] }] }, ana);
  expect((await asking).outcome).toMatchObject({ answers: [{ selected: ["o2"] }] });
  expect((await resolved)[0]?.event).toMatchObject({ type: "approval_resolved", answers: { "Which?": "B" } });
  const [one, other] = [await readHistory(writing, "s"), await readHistory(reading, "s")];
  expect(one).toEqual(other);
});

it("ends its followers when the hub closes", async () => {
  const { hub } = await played();
  const reading = codeOf(takeEvents(followSession(hub, "s"), 1));
  await new Promise((resolve) => void setImmediate(resolve));
  await hub.close();
  expect(await reading).toBe("closed");
});
