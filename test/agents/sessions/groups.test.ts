import { expect, it } from "vitest";
import { openSession, readHistory, type Session } from "../../../src/agents/sessions/index.js";
import type { ToolRules } from "../../../src/agents/sessions/options.js";
import { openHub } from "../../hub/open-hub.js";
import { eventsNow, short } from "./open.js";

async function play(
  write: (session: Session) => Promise<unknown>,
  rules: ToolRules = {},
): Promise<{ readonly stream: readonly string[]; readonly history: readonly string[] }> {
  const { hub } = await openHub();
  const session = await openSession({ hub, sessionId: "s", rules });
  await write(session);
  const events = await eventsNow(hub, "s");
  const { messages } = await readHistory(hub, "s");
  return {
    stream: events
      .map(({ event }) =>
        event.type.startsWith("group") && "summary" in event
          ? `${event.type}: ${event.summary}`
          : short(event),
      )
      .filter((text) => !/_(delta|stop)$/.test(text))
      .map((text) => text.replace("content_block_start ", "")),
    history: messages.map(({ role, display_type, summary }) =>
      [role, display_type, ...(summary === undefined ? [] : [summary])].join(" "),
    ),
  };
}

const run = async (session: Session, id: string, name: string, message?: string): Promise<void> => {
  await session.toolUse({ id, name, ...(message !== undefined && { message }) });
  await session.toolResult({ id });
};

it("puts thinking and tools in a group whose summary is its last tool's message", async () => {
  const played = await play(async (session) => {
    await session.thinking("hm");
    await run(session, "1", "read", "Reading");
    await run(session, "2", "write", "Writing");
    await session.text("Done", { final: true });
  });
  expect(played.stream).toEqual([
    ...["group_start", "thinking", "tool_use", "tool_result", "tool_use", "tool_result"],
    ...["group_end: Writing", "text"],
  ]);
  expect(played.history).toEqual([
    "assistant group_start Writing",
    "assistant group_item",
    "tool group_item",
    "assistant group_item",
    "tool group_end Writing",
    "assistant content",
  ]);
});

it("uses the summary that the agent wrote for a group", async () => {
  const played = await play(async (session) => {
    await run(session, "1", "read", "Reading");
    await session.summary("All about reading");
    await session.user("And?");
  });
  expect(played.stream).toEqual([
    ...["group_start: Reading", "tool_use", "tool_result", "group_end: All about reading", "user_message"],
  ]);
  expect(played.history).toEqual([
    "assistant group_start All about reading",
    "tool group_end All about reading",
    "user content",
  ]);
});

it("leaves the last group open while the session continues, and shows a group of one message as content", async () => {
  const played = await play(async (session) => {
    await session.thinking("alone");
    await session.text("So");
    await run(session, "1", "read");
  });
  expect(played.history).toEqual([
    "assistant content",
    "assistant content",
    "assistant group_start",
    "tool group_item",
  ]);
});

it.each<[string, ToolRules, readonly string[], readonly string[]]>([
  [
    "is not streamed itself",
    { hidden: { streamToolUse: false } },
    ["group_start", "tool_use", "tool_result", "tool_result"],
    ["assistant group_start", "tool group_item", "tool group_item"],
  ],
  [
    "has a result that is not streamed",
    { hidden: { streamToolResult: false } },
    ["group_start", "tool_use", "tool_result", "tool_use"],
    ["assistant group_start", "tool group_item", "assistant group_item"],
  ],
  [
    "is shown as content",
    { hidden: { displayAsContent: true } },
    ["group_start", "tool_use", "tool_result", "group_end", "tool_use", "tool_result"],
    ["assistant group_start", "tool group_end", "assistant content", "tool content"],
  ],
])("follows the rule of a tool that %s", async (_name, rules, stream, history) => {
  const played = await play(async (session) => {
    await run(session, "1", "read");
    await run(session, "2", "hidden");
  }, rules);
  expect(played).toEqual({ stream, history });
});

it("hides the call and result of ask_user_question unless a rule shows them", async () => {
  const write = (session: Session) => run(session, "1", "ask_user_question");
  expect(await play(write)).toEqual({ stream: [], history: [] });
  const shown = { ask_user_question: { streamToolUse: true } };
  expect((await play(write, shown)).stream).toEqual(["group_start", "tool_use", "tool_result"]);
});

it("lets one call have a rule of its own", async () => {
  const played = await play((session) =>
    session.toolUse({ id: "1", name: "read", rule: { displayAsContent: true } }),
  );
  expect(played.stream).toEqual(["tool_use"]);
});

it("writes in call order even if the caller does not await each call", async () => {
  const played = await play((session) =>
    Promise.all([session.user("a"), session.text("b"), session.thinking("c"), session.user("d")]),
  );
  expect(played.stream).toEqual([
    "user_message",
    "text",
    "group_start",
    "thinking",
    "group_end",
    "user_message",
  ]);
});
