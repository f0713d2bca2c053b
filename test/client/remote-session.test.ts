import { expect, it } from "vitest";
import { readHistory } from "../../src/sessions/index.js";
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
