// A bridge to Codex: its questions and approvals go to a server of ours. The app-server of Codex is played here by a few
// lines that ask one question; yours is the real one: codex app-server --listen ws://127.0.0.1:4500
//
//   node examples/adapters/codex.mjs

import assert from "node:assert/strict";
import { createServer as createNodeServer } from "node:http";
import { connect } from "askline/client";
import { createAuth, createServer } from "askline/server";
import { WebSocketServer } from "ws";
import { close, hub, questions, store } from "./setting.mjs";

// Our server:
const auth = createAuth({ records: store.records, now: store.now });
const server = createServer({ hub, auth });
const nodeServer = createNodeServer();
server.attach(nodeServer);
await once(nodeServer.listen(0, "127.0.0.1"), "listening");
const { token } = await auth.createToken({ role: "agent", name: "codex" });
const client = connect({ url: `http://127.0.0.1:${nodeServer.address().port}`, token });

// Codex:
const fake = new WebSocketServer({ host: "127.0.0.1", port: 0 });
await once(fake, "listening");
const codex = `ws://127.0.0.1:${fake.address().port}`;
const [{ question, header, options }] = questions;
const asked = { id: "sign_in", question, header, options, isOther: true, isSecret: false };
const params = { threadId: "t1", turnId: "u1", itemId: "call_1", questions: [asked] };
const results = {
  initialize: { userAgent: "codex/0.169.0" },
  "thread/loaded/list": { data: ["t1"] },
  "thread/resume": { thread: { status: { type: "active", activeFlags: ["waitingOnUserInput"] } } },
};
const answered = new Promise((resolve) => {
  fake.on("connection", (socket) =>
    socket.on("message", (data) => {
      const { id, method, result } = JSON.parse(data);
      const send = (message) => socket.send(JSON.stringify(message));
      if (method === undefined) resolve(result);
      else if (id !== undefined) send({ id, result: results[method] });
      if (method === "thread/resume") send({ id: 0, method: "item/tool/requestUserInput", params });
    }),
  );
});

// The bridge:
import { on, once } from "node:events";
import { bridgeCodex } from "askline/adapters/codex";
import { WebSocket } from "ws";

const stop = new AbortController();
const bridging = bridgeCodex(client, {
  server: codex, // such as ws://127.0.0.1:4500, of codex app-server --listen
  async open() {
    const socket = new WebSocket(codex);
    await once(socket, "open");
    const events = on(socket, "message", { close: ["close"] });
    const texts = async function* () {
      for await (const [data] of events) yield String(data);
    };
    return { messages: texts(), send: (text) => socket.send(text), close: () => socket.terminate() };
  },
  signal: stop.signal,
  logger: console,
});
// Later: stop.abort(); the asks stay pending, and the next bridge finds them.
// End
assert.deepEqual(await answered, { answers: { sign_in: { answers: ["Passkey"] } } });

stop.abort();
await bridging;
await client.close();
fake.close();
await server.close();
nodeServer.closeAllConnections();
nodeServer.close();
await close();
console.log("Codex: a question was answered in the inbox.");
