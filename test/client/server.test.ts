import { describe, expect, it } from "vitest";
import { connect } from "../../src/client/index.js";
import { memoryStore } from "../../src/hub/index.js";
import type { Ask, AskEvent } from "../../src/index.js";
import { errorOf, openClient, question, reason } from "./open-client.js";
import { openServer } from "./real-server.js";
import { deadUrl } from "./scripted-server.js";

const because = [{ question: "q1", selected: [], text: "Because." }];
const by = (surface: string) => ({ kind: "person", id: "ana", surface }) as const;

/** The next ask that is pending, as a person sees it. */
async function nextPending(asks: AsyncIterable<Ask>): Promise<Ask> {
  for await (const ask of asks) if (ask.status === "pending") return ask;
  throw new Error("the watch ended");
}

describe("over the wire", () => {
  it("an agent asks, a watching person answers, and the agent continues", async () => {
    const server = await openServer();
    const [agent, ana] = [server.agent(), await server.person()];
    const pending = nextPending(ana.watch());
    const asked = agent.ask({ ...question, session: "s1" });
    const ask = await pending;
    expect(ask).toMatchObject({ session: "s1", key: expect.stringMatching(/^key_[0-9a-f]{32}$/) });
    const ended = await ana.answer(ask.id, reason, { by: by("pager") });
    const choices = [{ question: "q1", labels: [], text: "Because." }];
    expect(await asked).toEqual({ kind: "answered", answers: because, choices, by: by("pager") });
    expect(ended.outcome).toEqual(await asked);
    expect((await agent.get(ask.id)).status).toBe("answered");
    await server.close();
  });

  it("every other outcome works, as do lists, drafts, opened and links", async () => {
    const server = await openServer();
    const [agent, ana] = [server.agent(), await server.person()];
    const [one, two, three, four] = await Promise.all(
      ["s1", "s2", "s3", "s4"].map((session) =>
        agent.post(
          session === "s4" ? { approval: { actions: [{ name: "go" }] }, session } : { ...question, session },
        ),
      ),
    );
    if (!one || !two || !three || !four) throw new Error("four were posted");
    expect((await ana.list({ status: "pending" }, { limit: 3 })).asks).toHaveLength(3);
    expect((await ana.list({ session: "s2" })).asks.map(({ id }) => id)).toEqual([two.id]);
    expect(await ana.draft(one.id)).toBeUndefined();
    await ana.saveDraft(one.id, { text: "Be…" });
    expect(await ana.draft(one.id)).toEqual({ text: "Be…" });
    await ana.opened(one.id);
    const link = await agent.link(one.id, { person: "ana", expiresIn: 60_000 });
    expect(link.url).toMatch(/\/a\/./);
    expect(link.expiresAt).toBeGreaterThan(Date.now());

    expect((await ana.decline(one.id, "no")).outcome).toMatchObject({ kind: "declined", reason: "no" });
    expect((await ana.reply(two.id, "What for?")).outcome).toMatchObject({
      kind: "replied",
      text: "What for?",
    });
    expect((await agent.withdraw(three.id, "done")).outcome).toEqual({ kind: "withdrawn", reason: "done" });
    const decisions = [{ action: "a1", kind: "approve" }] as const;
    expect((await ana.decide(four.id, { decisions })).outcome).toMatchObject({ kind: "decided", decisions });
    expect((await ana.list({ status: "settled" })).asks).toHaveLength(4);
    await server.close();
  });

  it("errors have the same codes as the hub's", async () => {
    const server = await openServer();
    const [agent, ana] = [server.agent(), await server.person()];
    expect(await errorOf(agent.ask({ questions: [] }))).toMatchObject({
      code: "invalid_ask",
      issues: [{ code: "no_questions" }],
    });
    const ask = await agent.post({ ...question, key: "call_1" });
    expect((await errorOf(agent.post({ questions: [{ question: "Else?" }], key: "call_1" }))).code).toBe(
      "key_conflict",
    );
    expect((await agent.post({ ...question, key: "call_1" })).id).toBe(ask.id);
    expect(await errorOf(ana.answer(ask.id, { answers: [] }))).toMatchObject({
      code: "invalid_answer",
      issues: [{ code: "missing_answer" }],
    });
    const first = await ana.answer(ask.id, reason);
    expect(await errorOf(ana.decline(ask.id, "no"))).toMatchObject({
      code: "already_settled",
      outcome: first.outcome,
    });
    expect((await errorOf(agent.get("ask_none"))).code).toBe("not_found");
    expect((await errorOf(agent.answer(ask.id, reason))).code).toBe("forbidden");
    const { client: stranger } = openClient({ url: server.url, token: "askline_nobody" });
    expect((await errorOf(stranger.list())).code).toBe("unauthorized");
    await server.close();
  });

  it("an abort withdraws, whether or not the agent knows the id yet", async () => {
    const server = await openServer();
    const [agent, ana] = [server.agent(), await server.person()];
    const pending = nextPending(ana.watch());
    const controller = new AbortController();
    const asked = agent.ask(question, { signal: controller.signal });
    const { id } = await pending;
    controller.abort();
    expect(await asked).toEqual({ kind: "withdrawn" });
    expect((await ana.get(id)).status).toBe("withdrawn");
    expect((await ana.list()).asks).toHaveLength(1);
    await server.close();
  });

  it("a client that closes leaves its ask pending", async () => {
    const server = await openServer();
    const [agent, ana] = [server.agent(), await server.person()];
    const pending = nextPending(ana.watch());
    const asked = agent.ask(question);
    const { id } = await pending;
    await agent.close();
    expect((await errorOf(asked)).code).toBe("closed");
    expect((await ana.get(id)).status).toBe("pending");
    await server.close();
  });
});

describe("a server that is killed between ask and answer, and started again", () => {
  it("gives the waiting agent its answer, and the reader of events every event once", async () => {
    const store = memoryStore();
    const first = await openServer({ store });
    const { agentToken } = first;
    const agent = first.agent();
    const ana = await first.person();
    const positions: number[] = [];
    const seen = (async () => {
      for await (const event of agent.events({ after: 0 })) {
        positions.push(event.position);
        if (event.type === "ask.answered") return;
      }
    })();
    const pending = nextPending(ana.watch());
    const asked = agent.ask(question);
    const { id } = await pending;
    await first.kill();
    const second = await openServer({ store, port: first.port, agentToken });
    await ana.answer(id, reason);
    expect(await asked).toMatchObject({ kind: "answered", answers: because });
    await seen;
    expect(positions).toEqual(positions.map((_, index) => index + 1));
    await second.close();
  });
});

describe("two servers of one store", () => {
  it("take over from each other, and nobody is asked twice", async () => {
    const store = memoryStore();
    const one = await openServer({ store });
    const other = await openServer({ store, hub: one.hub, agentToken: one.agentToken });
    const urls = [await deadUrl(), one.url, other.url];
    const quiet = { warn: () => undefined, error: () => undefined };
    const agent = connect({ urls, token: one.agentToken, logger: quiet });
    const ana = connect({ urls, token: await one.token("person", "ana"), logger: quiet });
    const pending = nextPending(ana.watch());
    const asked = agent.ask(question);
    const { id } = await pending;
    await one.kill();
    await ana.answer(id, reason);
    expect((await asked).kind).toBe("answered");
    expect((await ana.list()).asks).toHaveLength(1);
    await Promise.all([agent.close(), ana.close()]);
    await other.close();
    await one.hub.close();
  });
});

describe("a reader of events", () => {
  it("gets all of many, in order, through a connection that is cut again and again", async () => {
    const server = await openServer();
    const agent = server.agent();
    let connections = 0;
    // Each stream is cut after its first few thousand bytes.
    const cutting: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (!String(input).includes("/v1/events") || response.body === null) return response;
      connections += 1;
      let left = 5_000;
      const cut = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          controller.enqueue(chunk.subarray(0, left));
          left -= chunk.length;
          if (left <= 0) controller.error(new Error("cut"));
        },
      });
      return new Response(response.body.pipeThrough(cut), { headers: response.headers });
    };
    const { client } = openClient({ url: server.url, token: server.agentToken, fetch: cutting });
    const events: AskEvent[] = [];
    const reading = (async () => {
      for await (const event of client.events({ after: 0 })) if (events.push(event) === 60) return;
    })();
    for (let i = 0; i < 60; i += 1) await agent.post({ ...question, session: `s${i}` });
    await reading;
    expect(events.map(({ position }) => position)).toEqual(
      Array.from({ length: 60 }, (_, index) => index + 1),
    );
    expect(events.map(({ ask }) => ask?.session)).toEqual(
      Array.from({ length: 60 }, (_, index) => `s${index}`),
    );
    expect(connections).toBeGreaterThan(3);
    await server.close();
  });
});

describe("draft hints over the wire", () => {
  it("come with a watch, and on a stream of their own without one", async () => {
    const server = await openServer();
    const [agent, desk, phone] = [server.agent(), await server.person(), await server.person()];
    const first = await agent.post({ ...question, session: "s1" });
    const hints: string[] = [];
    const seen = (count: number): Promise<void> => until(() => hints.length >= count);
    let gaps = 0;
    const stop = desk.onDraft(
      ({ askId, surface }) => void hints.push(`${askId} ${surface}`),
      () => {
        gaps += 1;
      },
    );

    const connected = (surfaces: number): Promise<void> =>
      until(() => (server.hub.presence.connected()[0]?.surfaces.length ?? 0) === surfaces);

    // Before each connection a draft may have been saved that there was no hint of.
    await until(() => gaps === 1);
    await connected(1);
    await phone.saveDraft(first.id, { note: "one" }, { by: by("phone") });
    await seen(1);

    const stopWatch = new AbortController();
    const watching = (async () => {
      for await (const _ of desk.watch({}, { signal: stopWatch.signal }));
    })();
    // Both streams for a moment, so that no hint is missed, then only the one of the watch.
    await connected(2);
    await connected(1);
    await phone.saveDraft(first.id, { note: "two" }, { by: by("phone") });
    await seen(2);
    expect(gaps).toBe(2);
    stopWatch.abort();
    await watching;
    await until(() => gaps === 3);
    await connected(1);

    stop();
    await connected(0);
    expect(new Set(hints)).toEqual(new Set([`${first.id} phone`]));
    await server.close();
  });
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}
