// A session that was removed may be opened again by another agent, for other persons. Who still has a connection from
// before is then nobody to whom it is addressed.

import { afterEach, expect, it } from "vitest";
import { WebSocket } from "ws";
import { call, closeServers, openServer, until } from "./open-server.ts";
import { readSession } from "./session-reader.ts";

afterEach(closeServers);

/** A session for Ana and Cleo that they read, and that another agent opens again for Ben and Cleo. */
async function reopened() {
  const open = await openServer();
  const tokens = {
    builder: await open.token({ role: "agent", name: "builder" }),
    other: await open.token({ role: "agent", name: "other" }),
    ana: await open.token({ role: "person", name: "ana" }),
    cleo: await open.token({ role: "person", name: "cleo" }),
  };
  const write = (token: string, event: object) => call(open, token, "POST /v1/sessions/s/events", event);
  await write(tokens.builder, { type: "open", recipients: ["ana", "cleo"] });
  await write(tokens.builder, { type: "text", text: "Before" });
  await open.clock.advance(1_000);
  const readers = {
    builder: await readSession(open, tokens.builder, "s", "0"),
    ana: await readSession(open, tokens.ana, "s", "0"),
    cleo: await readSession(open, tokens.cleo, "s", "0"),
  };
  for (const reader of Object.values(readers)) await until(() => reader.text().includes("Before"));
  const socket = new WebSocket(`${open.url.replace("http", "ws")}/v1/sessions/s/stream`, {
    headers: { authorization: `Bearer ${tokens.ana}` },
  });
  const frames: string[] = [];
  socket.on("message", (data) => void frames.push(String(data)));
  const closed = new Promise((resolve) => void socket.on("close", resolve));
  await new Promise((resolve) => void socket.on("open", resolve));
  expect(await open.hub.prune({ settledBefore: open.clock.now() })).toMatchObject({ transcripts: 1 });
  const openAgain = () => write(tokens.other, { type: "open", recipients: ["ben", "cleo"] });
  const say = () => write(tokens.other, { type: "text", text: "For Ben and Cleo" });
  return { open, readers, socket, frames, closed, openAgain, say };
}

it("shows nothing to whoever read it before and is not addressed any more", async () => {
  const { readers, frames, closed, openAgain, say } = await reopened();
  await openAgain();
  await say();
  await until(() => readers.cleo.text().includes("For Ben and Cleo"));
  await Promise.all([readers.ana.ended, readers.builder.ended, closed]);
  expect(readers.ana.text() + readers.builder.text() + frames.join("")).not.toContain("For Ben");
  readers.cleo.hangUp();
});

it("takes nothing from a WebSocket of before while there is no session", async () => {
  const { open, readers, socket, frames } = await reopened();
  socket.send(JSON.stringify({ type: "message", text: "From Ana" }));
  await until(() => frames.length > 0);
  expect(frames).toEqual([expect.stringContaining("not_found")]);
  expect(await open.store.logs.read("session/s", { after: 0, limit: 9 })).toEqual([]);
  for (const reader of Object.values(readers)) reader.hangUp();
  socket.terminate();
});
