import { expect, it } from "vitest";
import { openSession, readHistory, takeMessage } from "../../../src/agents/sessions/index.js";
import type { HistoryMessage } from "../../../src/core/model/history-message.js";
import type { Hub } from "../../../src/hub/index.js";
import type { Ask } from "../../../src/index.js";
import { ana, codeOf, openHub, person } from "../../hub/open-hub.js";
import { eventsNow, short } from "./open.js";

const question = { question: "Which?", options: ["A", "B"] };

async function pendingAsk(hub: Hub): Promise<Ask> {
  for (;;) {
    const [ask] = (await hub.list({ status: "pending" })).asks;
    if (ask !== undefined && hub.isAwaited(ask.id)) return ask;
    await new Promise((resolve) => void setImmediate(resolve));
  }
}

function blockOf(messages: readonly HistoryMessage[]): unknown {
  const [message] = messages.filter(({ role }) => role === "assistant");
  return message !== undefined && "content" in message ? message.content[0] : undefined;
}

const asked = [
  { name: "ask_user_question", args: { questions: [{ question: "Which?", multiSelect: false }] } },
];

it.each([
  ["vi-VN", "Khác"],
  ["en", "Other"],
  ["fr", "Autre"],
  [undefined, "Other"],
])("adds the option for typed text in the language %s", async (locale, label) => {
  const { hub } = await openHub();
  const session = await openSession({ hub, sessionId: "s", ...(locale !== undefined && { locale }) });
  void session
    .ask([question, { question: "Own?", options: ["A", { label: "Mine", input: true }] }])
    .catch(() => undefined);
  const { questions } = await pendingAsk(hub);
  expect(questions.map(({ options }) => options.at(-1)?.label)).toEqual([label, "Mine"]);
  expect(questions[0]?.options.at(-1)).toMatchObject({ input: true });
  await hub.close();
});

it("adds no text option if typed text is refused, or if an option already has such a label", async () => {
  const { hub } = await openHub();
  const session = await openSession({ hub, sessionId: "s", locale: "vi" });
  void session
    .ask([
      { ...question, freeText: false },
      { question: "Two?", options: ["A", "Khác"] },
    ])
    .catch(() => undefined);
  const { questions } = await pendingAsk(hub);
  expect(questions.map(({ options }) => options.length)).toEqual([2, 2]);
  expect(questions[1]?.options[1]).toMatchObject({ input: true });
  await hub.close();
});

it("expires a question after 600 seconds, with an approval_timeout block", async () => {
  const { hub, clock } = await openHub();
  const session = await openSession({ hub, sessionId: "s" });
  const asking = session.ask([question]);
  await pendingAsk(hub);
  await clock.advance(599_000);
  expect((await hub.list({ status: "pending" })).asks).toHaveLength(1);
  await clock.advance(1_000);
  const { outcome, text } = await asking;
  expect(outcome).toEqual({ kind: "expired" });
  expect(text).toMatch(/^Not answered in time\./);
  expect(text).not.toMatch(/reject|declin/i);
  const events = (await eventsNow(hub, "s")).map(({ event }) => event);
  expect(events.at(-2)).toEqual({
    type: "content_block_start",
    index: 1,
    content_block: { type: "approval_timeout", approval_key: "s_1" },
  });
  const { messages } = await readHistory(hub, "s");
  expect(messages).toHaveLength(1);
  expect(blockOf(messages)).toMatchObject({ isResolved: false, status: "expired", actionRequests: asked });
  expect(
    await codeOf(
      takeMessage(hub, "s", { type: "approval", approval_key: "s_1", answers: { "Which?": "A" } }, ana),
    ),
  ).toBe("already_settled");
});

it("expires an approval after 300 seconds, and both after a configured timeout", async () => {
  const { hub, clock } = await openHub();
  const session = await openSession({ hub, sessionId: "s" });
  const approving = session.approve([{ name: "deploy" }]);
  await pendingAsk(hub);
  await clock.advance(300_000);
  expect((await approving).outcome.kind).toBe("expired");
  const other = await openSession({ hub, sessionId: "t", timeouts: { questionMs: 1_000, approvalMs: null } });
  const [asking, waiting] = [other.ask([question]), other.approve([{ name: "deploy" }])];
  await pendingAsk(hub);
  await clock.advance(1_000);
  expect((await asking).outcome.kind).toBe("expired");
  await clock.advance(10_000_000);
  const { id } = await pendingAsk(hub);
  await hub.decide(id, { decisions: [{ action: "a1", kind: "approve" }] }, ana);
  expect((await waiting).outcome.kind).toBe("decided");
});

it("shows an approval inside the group, and its decisions in the history", async () => {
  const { hub } = await openHub();
  const session = await openSession({ hub, sessionId: "s" });
  await session.toolUse({ id: "1", name: "deploy" });
  const approving = session.approve([
    { name: "deploy", args: { to: "staging" } },
    { name: "tell", args: {} },
  ]);
  await pendingAsk(hub);
  const decisions = [
    { type: "edit", edited_action: { name: "deploy", args: { to: "production" } } },
    { type: "reject", message: "no" },
  ];
  await takeMessage(hub, "s", { type: "approval", approval_key: "s_1", decisions }, ana);
  expect((await approving).outcome).toMatchObject({ decisions: [{ kind: "edit" }, { kind: "reject" }] });
  const { messages } = await readHistory(hub, "s");
  expect(messages.map(({ display_type }) => display_type)).toEqual(["group_start", "group_item"]);
  expect(messages[1]).toMatchObject({
    content: [
      {
        isResolved: true,
        submittedDecisions: [
          { type: "edit", editedAction: { name: "deploy", args: { to: "production" } } },
          { type: "reject", message: "no" },
        ],
      },
    ],
  });
  const events = await eventsNow(hub, "s");
  expect(events.at(-1)?.event).toEqual({
    type: "approval_resolved",
    approval_key: "s_1",
    status: "decided",
    decisions,
  });
});

it.each([
  ["pending", async () => undefined, { approvalKey: "s_1", timeoutSeconds: 600 }],
  ["declined", (hub: Hub, id: string) => hub.decline(id, "no", ana), { reason: "no" }],
  ["withdrawn", (hub: Hub, id: string) => hub.withdraw(id, "changed"), { reason: "changed" }],
  ["replied", (hub: Hub, id: string) => hub.reply(id, "Hm", ana), {}],
])(
  "shows a %s question as just that",
  async (status, end: (hub: Hub, id: string) => Promise<unknown>, more) => {
    const { hub } = await openHub();
    const session = await openSession({ hub, sessionId: "s" });
    void session.ask([question]).catch(() => undefined);
    await end(hub, (await pendingAsk(hub)).id);
    const { messages } = await readHistory(hub, "s");
    const block = blockOf(messages);
    expect(block).toMatchObject({
      type: "approval_request",
      isResolved: false,
      status,
      actionRequests: asked,
      ...more,
    });
    expect(JSON.stringify(block)).not.toMatch(/answers/i);
    await hub.close();
  },
);

it("shows a question whose ask was pruned as removed", async () => {
  const { hub, clock } = await openHub();
  const session = await openSession({ hub, sessionId: "s" });
  const asking = session.ask([question]);
  await hub.decline((await pendingAsk(hub)).id, undefined, ana);
  await asking;
  await clock.advance(1_000);
  // The newer entry keeps the transcript.
  await session.summary("Asked");
  expect(await hub.prune({ settledBefore: clock.now() })).toEqual({ asks: 1, transcripts: 0 });
  expect(blockOf((await readHistory(hub, "s")).messages)).toEqual({
    ...{ type: "approval_request", isResolved: false, status: "removed", actionRequests: [] },
  });
  expect((await eventsNow(hub, "s")).map(({ event }) => short(event))).toEqual([
    ...["content_block_start approval_request", "content_block_stop", "approval_resolved"],
  ]);
});

it("takes a person's text as a reply while a question is pending, and as a message otherwise", async () => {
  const { hub } = await openHub();
  const session = await openSession({ hub, sessionId: "s" });
  expect(await takeMessage(hub, "s", { type: "message", text: "Hello" }, ana)).toEqual({});
  const asking = session.ask([question]);
  await pendingAsk(hub);
  await takeMessage(hub, "s", { type: "message", text: "Why do you ask?" }, ana);
  expect((await asking).outcome).toEqual({ kind: "replied", text: "Why do you ask?", by: ana.by });
  const { messages } = await readHistory(hub, "s");
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  expect(messages[2]).toEqual({
    ...{ role: "user", content: [{ type: "text", text: "Why do you ask?" }], display_type: "content" },
    by: ana.by,
  });
  expect((await eventsNow(hub, "s")).map(({ event }) => short(event)).slice(-2)).toEqual([
    ...["approval_resolved", "user_message"],
  ]);
});

it("an approval lost the edited action that was sent with it", async () => {
  const { hub } = await openHub();
  const session = await openSession({ hub, sessionId: "s", recipients: ["ana"] });
  const approving = session.approve([{ name: "deploy", args: { to: "production" } }]);
  const { id } = await pendingAsk(hub);
  const edited_action = { name: "deploy", args: { to: "staging" } };
  const send = (type: string): Promise<string> => {
    const decisions = [{ type, edited_action }];
    return codeOf(takeMessage(hub, "s", { type: "approval", approval_key: "s_1", decisions }, ana));
  };
  expect(await send("approve")).toBe("invalid_answer");
  expect((await hub.get(id)).status).toBe("pending");
  expect(await send("edit")).toBe("no error");
  expect((await approving).outcome).toMatchObject({ decisions: [{ args: { to: "staging" } }] });
});

it("refuses invalid messages and keeps the request pending", async () => {
  const { hub } = await openHub();
  const session = await openSession({ hub, sessionId: "s", recipients: ["ana"] });
  const asking = session.ask([question]);
  const { id } = await pendingAsk(hub);
  const answers = { "Which?": "A" };
  const send = (message: object, by = ana): Promise<string> =>
    codeOf(takeMessage(hub, "s", { type: "approval", approval_key: "s_1", ...message }, by));
  expect(await send({ decisions: [{ type: "approve" }] })).toBe("wrong_kind");
  expect(await send({ answers, decisions: [] })).toBe("invalid_answer");
  expect(await send({ approval_key: "s_2", answers })).toBe("not_found");
  expect(await send({ approval_key: "t_1", answers })).toBe("not_found");
  expect(await send({ session_id: "t", answers })).toBe("invalid_request");
  expect(await send({ answers: { "What?": "A" } })).toBe("invalid_answer");
  expect(await send({ answers }, person("bo"))).toBe("forbidden");
  expect(await send({ type: "nothing" })).toBe("invalid_request");
  expect((await hub.get(id)).status).toBe("pending");
  expect(await send({ answers })).toBe("no error");
  // A repeat by the same person is acknowledged; another person gets the outcome that won.
  expect(await send({ answers })).toBe("no error");
  expect(await send({ answers: { "Which?": "B" } })).toBe("already_settled");
  expect(await send({ answers: {} })).toBe("already_settled");
  expect((await asking).outcome).toMatchObject({ answers: [{ selected: ["o1"] }] });
});

it("asks once for a key, and returns the answer that came meanwhile", async () => {
  const { hub } = await openHub();
  const session = await openSession({ hub, sessionId: "s" });
  const first = session.ask([question], { key: "call_1" });
  const { id } = await pendingAsk(hub);
  await hub.answer(id, { answers: [{ question: "q1", selected: ["o2"] }] }, ana);
  await first;
  const again = await (await openSession({ hub, sessionId: "s" })).ask([question], { key: "call_1" });
  expect(again).toMatchObject({ askId: id, approvalKey: "s_1", outcome: { kind: "answered" } });
  expect((await readHistory(hub, "s")).messages).toHaveLength(1);
});

it("withdraws on an abort", async () => {
  const { hub } = await openHub();
  const session = await openSession({ hub, sessionId: "s" });
  const stop = new AbortController();
  const asking = session.ask([question], { signal: stop.signal });
  await pendingAsk(hub);
  stop.abort();
  expect((await asking).outcome).toEqual({ kind: "withdrawn" });
});

it("refuses an ask that the chat stream cannot carry, and another agent's session", async () => {
  const { hub } = await openHub();
  const session = await openSession({ hub, sessionId: "s", asker: "builder" });
  expect(await codeOf(session.ask([question, question]))).toBe("invalid_ask");
  expect(await codeOf(session.approve([{ name: "ask_user_question" }]))).toBe("invalid_ask");
  expect(await codeOf(session.text(" "))).toBe("invalid_request");
  expect(await codeOf(openSession({ hub, sessionId: "s", asker: "other" }))).toBe("forbidden");
  expect(await codeOf(openSession({ hub, sessionId: "" }))).toBe("invalid_request");
  expect(await codeOf(readHistory(hub, "t"))).toBe("not_found");
});
