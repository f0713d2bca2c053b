import { expect, it } from "vitest";
import { readHistory } from "../../src/agents/sessions/index.js";
import { openClient } from "./open-client.js";
import { openServer } from "./real-server.js";

const question = { question: "Which?", options: ["A", "B"] };

it("writes a session from another process, and gets the outcomes of its requests", async () => {
  const server = await openServer();
  const client = server.agent();
  const session = await client.openSession({
    ...{
      sessionId: "a/b c",
      locale: "fr",
      rules: { quiet: { streamToolUse: false, streamToolResult: false } },
    },
    timeouts: { questionMs: 1_000_000 },
  });
  // Not awaited one by one, but still sent in order.
  await Promise.all([
    session.user("Go"),
    session.thinking("hm"),
    session.toolUse({ id: "1", name: "read", message: "Reading" }),
    session.toolResult({ id: "1", status: "error" }),
    session.toolUse({ id: "2", name: "quiet" }),
    session.toolResult({ id: "2" }),
    session.summary("All of it"),
  ]);
  const ana = await server.person();
  const asking = session.ask([question], { key: "call_1" });
  for await (const ask of ana.watch()) {
    expect(ask.questions[0]?.options.at(-1)).toMatchObject({ label: "Autre", input: true });
    expect((ask.deadline ?? 0) - ask.createdAt).toBe(1_000_000);
    await ana.answer(ask.id, { answers: [{ question: "q1", text: "Mine" }] });
    break;
  }
  const ending = await asking;
  expect(ending).toMatchObject({ approvalKey: "a/b c_1", outcome: { kind: "answered" } });
  expect(ending.text).toContain("Mine");
  // Asked again with its key, as after a restart: the answer is there at once.
  expect((await session.ask([question], { key: "call_1" })).askId).toBe(ending.askId);
  await session.text("Done", { final: true });
  const { messages } = await readHistory(server.hub, "a/b c");
  expect(messages.map(({ role, display_type, summary }) => [role, display_type, summary])).toEqual([
    ["user", "content", undefined],
    ["assistant", "group_start", "All of it"],
    ["assistant", "group_item", undefined],
    ["tool", "group_end", "All of it"],
    ["assistant", "content", undefined],
    ["assistant", "content", undefined],
  ]);
  await server.close();
});

it("withdraws on an abort, and asks for approval", async () => {
  const server = await openServer();
  const session = await server.agent().openSession({ sessionId: "s" });
  const stop = new AbortController();
  const ana = await server.person();
  const asking = session.ask([question], { signal: stop.signal });
  for await (const _ of ana.watch()) break;
  stop.abort();
  expect((await asking).outcome.kind).toBe("withdrawn");
  const approving = session.approve([{ name: "deploy" }]);
  for await (const { id } of ana.watch()) {
    await ana.decide(id, { decisions: [{ action: "a1", kind: "approve" }] });
    break;
  }
  expect(await approving).toMatchObject({ approvalKey: "s_2", outcome: { kind: "decided" } });
  await server.close();
});

it("rejects with the server's error code", async () => {
  const server = await openServer();
  const client = server.agent();
  const session = await client.openSession({ sessionId: "s" });
  await expect(session.text("")).rejects.toMatchObject({ code: "invalid_request" });
  await expect(session.ask([])).rejects.toMatchObject({ code: "invalid_ask" });
  await session.text("It goes on");
  await expect(client.openSession({ sessionId: "" })).rejects.toMatchObject({ name: "AsklineError" });
  await server.close();
});

it("reads a session without a gap, through connections that are cut, until it is stopped", async () => {
  const server = await openServer();
  const session = await server.agent().openSession({ sessionId: "a/b c" });
  let connections = 0;
  const cutting: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (!response.ok) return response;
    connections += 1;
    let left = 2_000;
    const cut = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        controller.enqueue(chunk.subarray(0, left));
        left -= chunk.length;
        if (left <= 0) controller.error(new Error("cut"));
      },
    });
    return new Response(response.body?.pipeThrough(cut), { headers: response.headers });
  };
  const { client } = openClient({ url: server.url, token: server.agentToken, fetch: cutting });
  const stop = new AbortController();
  const texts: string[] = [];
  const ids: string[] = [];
  const reading = (async () => {
    for await (const { id, event } of client.followSession("a/b c", { signal: stop.signal })) {
      ids.push(id);
      if (event.type === "user_message" && texts.push(event.text) === 100) stop.abort();
    }
  })();
  const expected = Array.from({ length: 100 }, (_, index) => `message ${index}`);
  for (const text of expected) await session.user(text);
  await reading;
  expect(texts).toEqual(expected);
  expect(connections).toBeGreaterThan(3);
  for await (const { id } of client.followSession("a/b c", { after: ids.at(-2) ?? "" })) {
    expect(id).toBe(ids.at(-1));
    break;
  }
  await expect(client.followSession("none")[Symbol.asyncIterator]().next()).rejects.toMatchObject({
    code: "not_found",
  });
  await server.close();
});
