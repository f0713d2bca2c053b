import { describe, expect, it } from "vitest";
import { followSession, openSession, readHistory, takeMessage } from "../../../src/agents/sessions/index.js";
import type { Hub } from "../../../src/hub/index.js";
import { memoryStore, type Store } from "../../../src/hub/index.js";
import { CHECKPOINT_NAMESPACE } from "../../../src/hub/records/transcripts.js";
import { withParts } from "../../../src/hub/seam/store-kit.js";
import { ana, openHub } from "../../hub/open-hub.js";

/** A store that counts the log entries that are read. */
function counting(): { readonly store: Store; readonly count: { entries: number } } {
  const store = memoryStore();
  const count = { entries: 0 };
  const logs: Store["logs"] = {
    ...store.logs,
    async read(log, query) {
      const entries = await store.logs.read(log, query);
      count.entries += entries.length;
      return entries;
    },
  };
  return { store: withParts(store, { logs }), count };
}

/** Groups of all lengths across all checkpoints, tools that end much later, summaries, hidden tools and requests. */
async function longSession(hub: Hub, rounds: number): Promise<void> {
  const session = await openSession({
    ...{ hub, sessionId: "s" },
    rules: { quiet: { streamToolResult: false }, loud: { displayAsContent: true } },
  });
  for (let round = 0; round < rounds; round += 1) {
    await session.user(`user ${round}`);
    for (let thought = 0; thought < round % 7; thought += 1) await session.thinking(`${round}.${thought}`);
    await session.toolUse({
      id: `t${round}`,
      name: round % 3 === 0 ? "quiet" : "find",
      message: `Step ${round}`,
    });
    if (round % 4 === 1) await session.summary(`Summary ${round}`);
    await session.toolResult({ id: `t${Math.max(0, round - 5)}` });
    if (round % 5 === 0) await session.toolUse({ id: `l${round}`, name: "loud" });
    if (round % 6 === 2) {
      await session.write({
        type: "approve",
        key: `k${round}`,
        actions: [{ name: "deploy", args: { round } }],
      });
      await session.thinking("while it is open");
    }
    if (round % 11 === 3)
      await session.write({
        type: "ask",
        key: `q${round}`,
        questions: [{ question: `${round}?`, options: ["Yes", "No"] }],
      });
    if (round % 2 === 0) await session.text(`text ${round}`);
  }
  for (let thought = 0; thought < 700; thought += 1) await session.thinking(`last ${thought}`);
}

async function forwards(hub: Hub, limit: number): Promise<readonly object[]> {
  const messages: object[] = [];
  for (let after: string | undefined; ; ) {
    const page = await readHistory(hub, "s", { limit, ...(after !== undefined && { after }) });
    messages.push(...page.messages);
    if (page.next === undefined) return messages;
    after = page.next;
  }
}

async function backwards(hub: Hub, limit: number): Promise<readonly object[]> {
  let messages: object[] = [];
  for (let before = "end"; ; ) {
    const page = await readHistory(hub, "s", { limit, before });
    expect(page.messages.length).toBeLessThanOrEqual(limit);
    messages = [...page.messages, ...messages];
    if (page.previous === undefined) return messages;
    before = page.previous;
  }
}

describe("the history of a long session", () => {
  it("is the same in pages of any length, in both directions, with and without checkpoints", async () => {
    const { hub } = await openHub();
    await longSession(hub, 150);
    // Backwards first: there are checkpoints only where requests were posted.
    const all = await backwards(hub, 97);
    expect(all.length).toBeGreaterThan(1_000);
    for (const limit of [1_000, 313, 64]) expect(await forwards(hub, limit)).toEqual(all);
    for (const limit of [1_000, 256, 41]) expect(await backwards(hub, limit)).toEqual(all);
    const types = all.map((message) => (message as { display_type: string }).display_type);
    expect(new Set(types)).toEqual(new Set(["content", "group_start", "group_item", "group_end"]));
    expect(JSON.stringify(all)).toContain("s_20");
    await hub.close();
  });

  it("was read from its beginning for each page, and for each answer", async () => {
    const { store, count } = counting();
    const { hub } = await openHub(store);
    await longSession(hub, 1_500);
    const total = (await hub.logs.bounds("session/s")).head;
    expect(total).toBeGreaterThan(10_000);
    const cost = async (act: () => Promise<unknown>): Promise<number> => {
      count.entries = 0;
      await act();
      return count.entries;
    };
    await readHistory(hub, "s", { before: "end", limit: 50 });
    const newest = await readHistory(hub, "s", { before: "end", limit: 50 });
    expect(await cost(() => readHistory(hub, "s", { before: "end", limit: 50 }))).toBeLessThan(600);
    const before = newest.previous ?? "";
    // The group at the end is 700 entries long, and the page needs its end.
    expect(await cost(() => readHistory(hub, "s", { before, limit: 50 }))).toBeLessThan(1_600);
    expect(await cost(() => readHistory(hub, "s", { before: "5000", limit: 50 }))).toBeLessThan(1_100);
    expect(await cost(() => readHistory(hub, "s", { after: "5000", limit: 50 }))).toBeLessThan(1_100);
    const session = await openSession({ hub, sessionId: "s" });
    const asked = { type: "approve", key: "k800", actions: [{ name: "deploy", args: { round: 800 } }] };
    let approval_key = "";
    const postAgain = async () => {
      approval_key = (await session.write(asked))?.approvalKey ?? "";
    };
    expect(await cost(postAgain)).toBeLessThan(1_100);
    const decide = { type: "approval", approval_key, decisions: [{ type: "approve" }] };
    expect(await cost(() => takeMessage(hub, "s", decide, ana))).toBeLessThan(1_100);
    const { asks } = await hub.list({ status: "decided" });
    expect(asks).toMatchObject([{ approval: { actions: [{ args: { round: 800 } }] } }]);
    const fresh = { type: "ask", key: "new", questions: [{ question: "Now?", options: ["Yes", "No"] }] };
    expect(await cost(() => session.write(fresh))).toBeLessThan(1_100);
    await hub.close();
  });

  it("was read from its beginning for each stream, which is the same from a checkpoint", async () => {
    const { store, count } = counting();
    const { hub } = await openHub(store);
    await longSession(hub, 300);
    const { position } = await readHistory(hub, "s", { before: "end", limit: 1 });
    const from = Number(position) - 900;
    const events = async (after: number): Promise<readonly { readonly id: string }[]> => {
      const found: { readonly id: string }[] = [];
      for await (const event of followSession(hub, "s", { after: String(after) })) {
        found.push(event);
        if (event.id.startsWith(`${position}.`)) break;
      }
      return found;
    };
    const all = await events(0);
    count.entries = 0;
    const late = await events(from);
    expect(count.entries).toBeLessThan(1_700);
    expect(late).toEqual(all.filter(({ id }) => Number.parseInt(id, 10) > from));
    const denied = followSession(hub, "s", { after: String(from), mayRead: () => false });
    await expect(denied.next()).rejects.toMatchObject({ code: "not_found" });
    await hub.close();
  });

  it("left its summaries in checkpoints when it was pruned", async () => {
    const { hub, store, clock } = await openHub();
    const session = await openSession({ hub, sessionId: "s" });
    await session.thinking("about it");
    await session.summary("My secret");
    for (let count = 0; count < 300; count += 1) await session.thinking("more");
    await readHistory(hub, "s", { before: "end", limit: 10 });
    const kept = async () => JSON.stringify(await store.records.list(CHECKPOINT_NAMESPACE, { limit: 9 }));
    expect(await kept()).toContain("My secret");
    await clock.advance(1_000);
    expect(await hub.prune({ settledBefore: clock.now() })).toEqual({ asks: 0, transcripts: 1 });
    expect(await kept()).toBe("[]");
    await hub.close();
  });

  it("begins anew when the session was removed and opened again", async () => {
    const { hub } = await openHub();
    const session = await openSession({ hub, sessionId: "s" });
    for (let count = 0; count < 600; count += 1) await session.text(`old ${count}`);
    await readHistory(hub, "s", { before: "end", limit: 10 });
    const { head } = await hub.logs.bounds("session/s");
    expect(await hub.logs.remove("session/s", head)).toBe(true);
    await session.user("new");
    for (let count = 0; count < 300; count += 1) await session.text(`new ${count}`);
    const all = await backwards(hub, 40);
    expect(all).toHaveLength(301);
    expect(JSON.stringify(all)).not.toContain("old");
    expect(await forwards(hub, 40)).toEqual(all);
    await hub.close();
  });

  it("refuses a cursor that is none, and both directions at once", async () => {
    const { hub } = await openHub();
    await openSession({ hub, sessionId: "s" });
    for (const page of [{ before: "soon" }, { after: "end" }, { after: "1", before: "end" }]) {
      await expect(readHistory(hub, "s", page)).rejects.toMatchObject({ code: "invalid_request" });
    }
    expect(await readHistory(hub, "s", { before: "1" })).toEqual({ messages: [], position: "1" });
    await hub.close();
  });
});
