// The examples of the chat stream protocol, played through a session.

import { expect, it } from "vitest";
import { openSession, readHistory, type Session, takeMessage } from "../../../src/agents/sessions/index.js";
import { ana, openHub } from "../../hub/open-hub.js";
import vectors from "../../vectors/stream.json" with { type: "json" };
import { eventsNow, short } from "./open.js";

const { delta } = vectors.approvalRequest;
const [request] = delta.delta.action_requests;

/** The example's questions as an agent asks them, without the option that the server adds. */
const questions = (request?.args.questions ?? []).map(({ options, ...rest }) => ({
  ...rest,
  options: options.filter((option) => !("input" in option)),
}));

it("streams the example: closes the group, shows the question outside groups, then opens a new group", async () => {
  const { hub } = await openHub();
  const session = await openSession({ hub, sessionId: "session-id", locale: "vi" });
  await session.text("Để tôi xem");
  await session.toolUse({ id: "tc-1", name: "write_todos", message: "Chuẩn bị" });
  await session.toolResult({ id: "tc-1" });
  await session.toolUse({ id: "tc-2", name: "ask_user_question" });
  const asking = session.ask(questions, { key: "tc-2" });
  const key = { type: "approval", session_id: "session-id", approval_key: "session-id_1" };
  await settled(() => takeMessage(hub, "session-id", { ...key, answers: vectors.approval.answers }, ana));
  const ending = await asking;
  await session.toolResult({ id: "tc-2" });
  await session.toolUse({ id: "tc-3", name: "analyze_price" });

  expect(ending).toMatchObject({ approvalKey: "session-id_1", outcome: { kind: "answered" } });
  const events = (await eventsNow(hub, "session-id")).map(({ event }) => event);
  const shown = events.filter(({ type }) => type !== "approval_resolved");
  expect(shown.map(short).slice(0, vectors.order.length)).toEqual(vectors.order);
  const block = events.filter((event) => "index" in event && event.index === 3);
  const { start, stop } = vectors.approvalRequest;
  expect(JSON.stringify(block)).toBe(JSON.stringify([start, delta, stop]));
});

it("returns the example's history of two rounds", async () => {
  const { hub } = await openHub();
  const session = await openSession({ hub, sessionId: "s", locale: "vi" });
  await session.user("hãy hỏi 2 lần");
  await round(session, 1);
  await round(session, 2);
  await session.text("Cảm ơn! Tổng kết...", { final: true });
  const { messages, next } = await readHistory(hub, "s");
  expect(next).toBeUndefined();
  // The protocol's example omits the questions there, and has message_type only in the first message.
  const abridged = JSON.stringify(messages)
    .replaceAll(/"questions":\[\{.*?\}\]\}\]/g, `"questions":["..."]`)
    .replaceAll(`"message_type":"step",`, "");
  expect(abridged).toBe(JSON.stringify(vectors.history));

  async function round(writer: Session, number: number): Promise<void> {
    const id = `tc-${number}`;
    await writer.thinking("...");
    await writer.toolUse({ id, name: "write_todos", message: `Chuẩn bị câu hỏi lần ${number}` });
    await writer.toolResult({ id, status: "success" });
    const asking = writer.ask([{ question: `Q${number}`, options: [`A${number}`] }]);
    const answers = { [`Q${number}`]: `A${number}` };
    const message = { type: "approval", approval_key: `s_${number}`, answers };
    await settled(() => takeMessage(hub, "s", message, ana));
    await asking;
  }
});

it("returns the example's message for a resolved question", async () => {
  const { hub } = await openHub();
  const session = await openSession({ hub, sessionId: "abc-123", locale: "vi" });
  const [block] = vectors.resolvedMessage.content;
  const asked = (block?.actionRequests[0]?.args.questions ?? []).map(({ options, ...rest }) => ({
    ...rest,
    options,
  }));
  const asking = session.ask(asked);
  await settled(() => takeMessage(hub, "abc-123", vectors.approval, ana));
  await asking;
  const { messages } = await readHistory(hub, "abc-123");
  expect(JSON.stringify(messages)).toBe(JSON.stringify([vectors.resolvedMessage]));
});

/** Sends the message as soon as the request exists. */
async function settled(send: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await send();
      return;
    } catch (error) {
      if (!String(error).includes("has no request")) throw error;
      await new Promise((resolve) => void setImmediate(resolve));
    }
  }
}
