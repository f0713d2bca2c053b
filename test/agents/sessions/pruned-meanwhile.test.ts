// A prune between a writer's read of the head and its write: acknowledged entries are visible to their readers.

import { expect, it } from "vitest";
import { openSession, readHistory, takeMessage } from "../../../src/agents/sessions/index.js";
import type { Hub } from "../../../src/hub/index.js";
import { ana, codeOf, openHub } from "../../hub/open-hub.js";

const question = { question: "Which?", options: ["A", "B"] };

/** A session for Ana, and a hub that is pruned right before the next write through it. */
async function pruning() {
  const open = await openHub();
  const { hub, clock } = open;
  let due = false;
  const pruneOnce = async (): Promise<void> => {
    if (!due) return;
    due = false;
    expect((await hub.prune({ settledBefore: clock.now() })).transcripts).toBe(1);
  };
  const before =
    <T extends readonly unknown[], R>(write: (...values: T) => Promise<R>) =>
    async (...values: T): Promise<R> => {
      await pruneOnce();
      return write(...values);
    };
  const pruned: Hub = {
    ...hub,
    submit: before(hub.submit),
    logs: { ...hub.logs, append: before(hub.logs.append) },
  };
  const opening = { sessionId: "s", asker: "agent", recipients: ["ana"] };
  await openSession({ hub, ...opening });
  const session = await openSession({ hub: pruned, ...opening });
  await session.text("Before");
  await clock.advance(1);
  const prune = (): void => {
    due = true;
  };
  return { ...open, pruned, session, prune };
}

it("writes an agent's event once, into the session reopened with its settings", async () => {
  const { hub, session, prune, store } = await pruning();
  prune();
  await session.write({ type: "text", text: "After" }, { once: "o" });
  await session.write({ type: "text", text: "After" }, { once: "o" });
  expect((await readHistory(hub, "s")).messages).toMatchObject([{ content: [{ text: "After" }] }]);
  const opened = (await store.logs.read("session/s", { after: 0, limit: 9 })).at(0);
  expect(opened).toMatchObject({ type: "opened", data: { asker: "agent", recipients: ["ana"] } });
});

it("reopens the session with its old settings for a writer that may not reopen it itself", async () => {
  const { hub, pruned, prune } = await pruning();
  const bound = await openSession({ hub: pruned, sessionId: "s", asker: "agent", reopen: false });
  prune();
  await bound.text("After");
  expect((await readHistory(hub, "s")).messages).toMatchObject([{ content: [{ text: "After" }] }]);
  const [opened] = (await hub.logs.read("session/s", { after: 0, limit: 9 })).filter(
    ({ type }) => type === "opened",
  );
  expect(opened).toMatchObject({ data: { recipients: ["ana"] } });
});

it("gives a request an approval key that works, also when it is asked again", async () => {
  const { hub, session, prune } = await pruning();
  prune();
  const asked = await session.write({ type: "ask", questions: [question], key: "k" });
  const again = await session.write({ type: "ask", questions: [question], key: "k" });
  expect(again).toMatchObject({
    created: false,
    approvalKey: asked?.approvalKey,
    ask: { id: asked?.ask.id },
  });
  expect((await readHistory(hub, "s")).messages).toMatchObject([
    { content: [{ status: "pending", approvalKey: asked?.approvalKey }] },
  ]);
  const next = await session.write({ type: "ask", questions: [question], key: "l" });
  expect(next?.approvalKey).not.toBe(asked?.approvalKey);
  const answer = { type: "approval", approval_key: asked?.approvalKey, answers: { "Which?": "A" } };
  expect((await takeMessage(hub, "s", answer, ana)).ask).toMatchObject({
    id: asked?.ask.id,
    status: "answered",
  });
});

it("refuses a person's message while the session is removed, and accepts it after a reopen", async () => {
  const { hub, pruned, session, prune } = await pruning();
  const say = () =>
    takeMessage(pruned, "s", { type: "message", text: "Hello" }, { ...ana, settlementId: "m" });
  prune();
  expect(await codeOf(say())).toBe("not_found");
  expect(await codeOf(say())).toBe("not_found");
  await session.text("Again");
  await say();
  await say();
  expect((await readHistory(hub, "s")).messages).toMatchObject([{ role: "assistant" }, { role: "user" }]);
});

it("opens a session once for concurrent events without an open event", async () => {
  const { hub } = await openHub();
  const other: Hub = {
    ...hub,
    logs: {
      ...hub.logs,
      async bounds(log) {
        await openSession({ hub, sessionId: "new", asker: "agent", reopen: false });
        return hub.logs.bounds(log);
      },
    },
  };
  const session = await openSession({ hub: other, sessionId: "new", asker: "agent", reopen: false });
  await session.text("Hello");
  expect((await readHistory(hub, "new")).messages).toHaveLength(1);
});

it("removes the rest of an interrupted prune before it reopens the session", async () => {
  const { hub, store } = await openHub();
  // The rest of the transcript: a prune removes its beginning first.
  await store.logs.restore("session/s", {
    head: 0,
    first: 1_001,
    entries: [{ at: 1, type: "user", data: { text: "My secret" } }],
  });
  expect(await codeOf(openSession({ hub, sessionId: "s", reopen: false }))).toBe("not_found");
  const session = await openSession({ hub, sessionId: "s" });
  await session.text("Later");
  const entries = await store.logs.read("session/s", { after: 0, limit: 9 });
  expect(entries.map(({ position, type }) => [position, type])).toEqual([
    [1_002, "opened"],
    [1_003, "text"],
  ]);
});
