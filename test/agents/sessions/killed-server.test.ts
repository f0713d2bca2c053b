// The server dies between a request and its answer.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import type { HistoryMessage } from "../../../src/core/model/history-message.js";
import { readSession } from "../../server/session-reader.js";

const SERVER = fileURLToPath(new URL("../../client/server-process.mjs", import.meta.url));
const AGENT = fileURLToPath(new URL("./agent-process.mjs", import.meta.url));

function start(
  program: string,
  ...args: readonly string[]
): { child: ChildProcess; line: () => Promise<unknown> } {
  const child = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { child, line: async () => JSON.parse(String((await lines.next()).value)) };
}

it("resumes the stream, accepts the answer and wakes the agent after a kill between request and answer", async () => {
  const folder = await mkdtemp(join(tmpdir(), "askline-session-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "askline.db");
  const first = start(SERVER, path, "0");
  const { port, agent: token, ana } = (await first.line()) as { port: number; agent: string; ana: string };
  const url = `http://127.0.0.1:${port}`;
  const agent = start(AGENT, url, token, "s");

  let stream = await opened();
  // Killed in the middle of a block: the client has read its start, but not its end.
  const begun = await stream.find(
    (event) => event.type === "content_block_start" && event.content_block.type === "approval_request",
  );
  const gone = once(first.child, "close");
  first.child.kill("SIGKILL");
  await gone;
  await stream.ended;

  const second = start(SERVER, path, String(port));
  await second.line();
  stream = await readSession({ port }, ana, "s", begun.id);
  await stream.find(({ type }) => type === "content_block_stop");
  expect(stream.events().map(({ event }) => event.type)).toEqual([
    "content_block_delta",
    "content_block_stop",
  ]);

  const message = {
    type: "approval",
    session_id: "s",
    approval_key: "s_1",
    answers: { "Mục tiêu?": "Tăng trưởng" },
  };
  expect((await request("POST", "messages", message)).status).toBe(200);
  expect(await agent.line()).toEqual({ kind: "answered", selected: ["o2"] });
  await stream.find((event) => event.type === "content_block_start" && "is_final" in event.content_block);
  stream.hangUp();

  const history = (await (await request("GET", "history")).json()) as readonly HistoryMessage[];
  expect(history.map(({ display_type }) => display_type)).toEqual([
    ...["group_start", "group_end", "content", "group_start", "group_end", "content"],
  ]);
  const blocks = history.flatMap((shown) => ("content" in shown ? shown.content : []));
  expect(blocks.filter(({ type }) => type === "approval_request")).toMatchObject([
    { isResolved: true, submittedAnswers: { "Mục tiêu?": "Tăng trưởng" } },
  ]);

  /** Waits until the agent has opened the session. */
  async function opened() {
    for (;;) {
      const reader = await readSession({ port }, ana, "s", "0");
      if (reader.status === 200) return reader;
      reader.hangUp();
    }
  }
  function request(method: string, what: string, body?: object): Promise<Response> {
    return fetch(`${url}/v1/sessions/s/${what}`, {
      method,
      headers: {
        authorization: `Bearer ${ana}`,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }
});
