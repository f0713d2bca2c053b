// A bridge to opencode: its questions go to a server of ours. opencode is played here by a few lines that list one question
// and take its answer; yours is the real one, started with `opencode --port 4096`.
//
//   node examples/adapters/opencode.mjs

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer as createNodeServer } from "node:http";
import { connect } from "askline/client";
import { createAuth, createServer } from "askline/server";
import { close, hub, questions, store } from "./setting.mjs";

const listen = async (server) => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${server.address().port}`;
};

// Our server:
const auth = createAuth({ records: store.records, now: store.now });
const server = createServer({ hub, auth });
const nodeServer = createNodeServer();
server.attach(nodeServer);
const { token } = await auth.createToken({ role: "agent", name: "opencode" });
const client = connect({ url: await listen(nodeServer), token });

// opencode:
const question = { id: "que_1", sessionID: "ses_1", questions };
let taken;
const answered = new Promise((resolve) => {
  taken = resolve;
});
const lists = {
  "/path": { directory: "/home/ana/shop" },
  "/question": [question],
  "/permission": [],
  "/session/status": { ses_1: { type: "busy" } },
};
const fake = createNodeServer(async (request, response) => {
  const { pathname } = new URL(request.url, "http://localhost");
  if (pathname === "/event")
    return response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
  if (request.method === "POST") {
    const chunks = await request.toArray();
    taken({ path: pathname, ...JSON.parse(Buffer.concat(chunks).toString()) });
  }
  return response.end(JSON.stringify(lists[pathname] ?? true));
});
const opencode = await listen(fake);

// The bridge:
import { bridgeOpencode } from "askline/adapters/opencode";

const stop = new AbortController();
const bridging = bridgeOpencode(client, {
  url: opencode, // such as http://127.0.0.1:4096
  signal: stop.signal,
  logger: console,
});
// Later: stop.abort(); the asks stay pending, and the next bridge finds them.
// End
assert.deepEqual(await answered, { path: "/question/que_1/reply", answers: [["Passkey"]] });

stop.abort();
await bridging;
await client.close();
fake.closeAllConnections();
fake.close();
await server.close();
nodeServer.closeAllConnections();
nodeServer.close();
await close();
console.log("opencode: a question was answered in the inbox.");
