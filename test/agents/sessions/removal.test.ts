import { expect, it } from "vitest";
import { followSession, openSession, readHistory, takeMessage } from "../../../src/agents/sessions/index.js";
import type { Hub } from "../../../src/hub/index.js";
import { ana, codeOf, openHub } from "../../hub/open-hub.js";
import { eventsNow, takeEvents } from "./open.js";

const question = { question: "Which?", options: ["A", "B"] };

async function declined(hub: Hub, asking: Promise<unknown>): Promise<void> {
  for (;;) {
    const { asks } = await hub.list({ status: "pending" });
    const [ask] = asks;
    if (ask !== undefined) {
      await hub.decline(ask.id, undefined, ana);
      await asking;
      return;
    }
    await new Promise((resolve) => void setImmediate(resolve));
  }
}

/** A session with a declined question and some text, last written a second ago. */
async function lived(sessionId = "s") {
  const open = await openHub();
  const session = await openSession({ hub: open.hub, sessionId, asker: "agent", recipients: ["ana"] });
  await session.user("My secret");
  await declined(open.hub, session.ask([question], { key: "k" }));
  await session.text("Done");
  await open.clock.advance(1_000);
  return { ...open, session };
}

it("removes the transcript once no ask of the session is left", async () => {
  const { hub, store, clock } = await lived();
  await hub.logs.append([{ log: "another", type: "t", data: "My own" }]);
  expect(await hub.prune({ settledBefore: clock.now() })).toEqual({ asks: 1, transcripts: 1 });
  expect(await store.logs.read("session/s", { after: 0, limit: 99 })).toEqual([]);
  expect(await codeOf(readHistory(hub, "s"))).toBe("not_found");
  expect(await codeOf(takeEvents(followSession(hub, "s", { after: "0" }), 1))).toBe("not_found");
  expect(await hub.logs.read("another", { after: 0, limit: 9 })).toHaveLength(1);
  expect(await hub.prune({ settledBefore: clock.now() })).toEqual({ asks: 0, transcripts: 0 });
});

it("keeps a transcript that was written to since, and one with an ask", async () => {
  const { hub, clock, session } = await lived();
  const written = await openSession({ hub, sessionId: "written" });
  const pending = await openSession({ hub, sessionId: "pending" });
  await hub.post({ questions: [question], session: "pending" });
  const before = clock.now();
  await clock.advance(1);
  await written.text("New");
  expect(await hub.prune({ settledBefore: before + 1, limit: 0 })).toEqual({ asks: 0, transcripts: 0 });
  expect(await hub.prune({ settledBefore: before + 1 })).toEqual({ asks: 1, transcripts: 1 });
  expect((await readHistory(hub, "written")).messages).toHaveLength(1);
  await pending.text("Still there");
  expect((await readHistory(hub, "pending")).messages).toHaveLength(1);
  await session.text("Again");
  expect((await readHistory(hub, "s")).messages).toHaveLength(1);
});

it("removes no more transcripts than its limit", async () => {
  const { hub, clock } = await openHub();
  for (const sessionId of ["a", "b", "c"]) await openSession({ hub, sessionId });
  await clock.advance(1);
  expect(await hub.prune({ settledBefore: clock.now(), limit: 2 })).toEqual({ asks: 0, transcripts: 2 });
  expect(await hub.prune({ settledBefore: clock.now(), limit: 2 })).toEqual({ asks: 0, transcripts: 1 });
});

it("belongs to the agent that reopened it, with an old writer or a new one", async () => {
  const { hub, clock, session } = await lived();
  await hub.prune({ settledBefore: clock.now() });
  await openSession({ hub, sessionId: "s", asker: "another" });
  expect(await codeOf(session.text("Mine"))).toBe("forbidden");
  await clock.advance(1);
  await hub.prune({ settledBefore: clock.now() });
  await session.text("Mine");
  expect((await readHistory(hub, "s")).messages).toMatchObject([{ content: [{ text: "Mine" }] }]);
  expect(await codeOf(openSession({ hub, sessionId: "s", asker: "another" }))).toBe("forbidden");
});

it("never reuses ids or numbers of a removed transcript", async () => {
  const { hub, clock, session } = await lived();
  const before = await eventsNow(hub, "s");
  await hub.prune({ settledBefore: clock.now() });
  await declined(hub, session.ask([question], { key: "k" }));
  await session.text("Later");
  const after = await eventsNow(hub, "s");
  const numbers = (events: typeof after) =>
    events.flatMap(({ event }) => ("index" in event ? [event.index] : []));
  expect(Math.min(...numbers(after))).toBeGreaterThan(Math.max(...numbers(before)));
  for (const { id } of before) {
    expect(after.map((one) => one.id)).not.toContain(id);
    expect(await codeOf(takeEvents(followSession(hub, "s", { after: id }), 1))).toBe("position_trimmed");
  }
  for (const [index, { id }] of after.entries()) {
    expect(await eventsNow(hub, "s", id)).toEqual(after.slice(index + 1));
  }
});

it("does not apply an answer to a removed request to a later one", async () => {
  const { hub, clock, session } = await lived();
  await hub.prune({ settledBefore: clock.now() });
  const keys: string[] = [];
  const asking = session.ask([question], { onAsked: ({ approvalKey }) => void keys.push(approvalKey) });
  await new Promise((resolve) => void setImmediate(resolve));
  const answer = (approval_key: string) =>
    takeMessage(hub, "s", { type: "approval", approval_key, answers: { "Which?": "A" } }, ana);
  expect(await codeOf(answer("s_1"))).toBe("not_found");
  await answer(keys[0] ?? "");
  expect((await asking).outcome).toMatchObject({ kind: "answered" });
  expect((await eventsNow(hub, "s")).map(({ event }) => event)).toContainEqual(
    expect.objectContaining({ content_block: { type: "approval_request", approval_key: keys[0] } }),
  );
});

it("continues for a reader that had read everything, with the numbers that every reader sees", async () => {
  const { hub, clock, session } = await lived();
  const live = takeEvents(followSession(hub, "s"), 3);
  await new Promise((resolve) => void setImmediate(resolve));
  await hub.prune({ settledBefore: clock.now() });
  await session.text("Later");
  expect(await live).toEqual(await eventsNow(hub, "s"));
});

it("ends with position_trimmed for a reader in the middle", async () => {
  const { hub, clock } = await openHub();
  const session = await openSession({ hub, sessionId: "s" });
  // More than a page of the log.
  for (let index = 0; index < 600; index += 1) await session.user(`Message ${index}`);
  await clock.advance(1);
  const reader = followSession(hub, "s", { after: "0" });
  await reader.next();
  await hub.prune({ settledBefore: clock.now() });
  expect(await codeOf(takeEvents(reader, 600))).toBe("position_trimmed");

  for (let index = 0; index < 600; index += 1) await session.user(`Message ${index}`);
  await clock.advance(1);
  const another = followSession(hub, "s", { after: "0" });
  await another.next();
  await hub.prune({ settledBefore: clock.now() });
  await session.user("More");
  expect(await codeOf(takeEvents(another, 600))).toBe("position_trimmed");
});

it("hides entries written during a removal, before the session is reopened", async () => {
  const { hub } = await openHub();
  await hub.logs.append([{ log: "session/s", type: "text", data: { text: "Nobody's", final: false } }]);
  expect(await codeOf(readHistory(hub, "s"))).toBe("not_found");
  const session = await openSession({ hub, sessionId: "s", asker: "agent" });
  await session.text("Mine");
  expect((await readHistory(hub, "s")).messages).toMatchObject([{ content: [{ text: "Mine" }] }]);
  expect((await eventsNow(hub, "s")).map(({ id }) => id)).toEqual(["3.1", "3.2", "3.3"]);
});

it("does not mistake a write at the end of a page for a removal", async () => {
  const { hub } = await openHub();
  const session = await openSession({ hub, sessionId: "s" });
  // Exactly one page, with the entry that opened the session.
  for (let index = 1; index < 500; index += 1) await session.user(`Message ${index}`);
  const late = { log: "session/s", type: "user", data: { text: "Meanwhile" } };
  const busy: Hub = {
    ...hub,
    logs: {
      ...hub.logs,
      async read(log, query) {
        const entries = await hub.logs.read(log, query);
        if (entries.length === 0) await hub.logs.append([late]);
        return entries;
      },
    },
  };
  expect((await readHistory(busy, "s")).messages).toHaveLength(499);
  for (let index = 501; index < 1_000; index += 1) await session.user(`Message ${index}`);
  expect(await takeEvents(followSession(busy, "s", { after: "0" }), 1_000)).toHaveLength(1_000);
});
