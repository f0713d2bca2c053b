// A whole Askline in one process, closed while an agent, a person and a socket still wait. The program has no
// exit of its own: it ends if, and only if, closing leaves nothing behind that keeps a process alive.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "askline/client";
import { createHub } from "askline/hub";
import { createAuth, createServer, listen } from "askline/server";
import { sqliteStore } from "askline/sqlite";
import { WebSocket } from "ws";

const ASK = { questions: [{ question: "Ship it?", options: ["Yes", "No"] }], session: "s1" };
const folder = mkdtempSync(join(tmpdir(), "askline-closing-"));
const store = sqliteStore({ path: join(folder, "askline.db") });
const hub = await createHub({ store });
const auth = createAuth({ records: store.records, now: Date.now });
const { url, close } = await listen(createServer({ hub, auth }), { port: 0 });
const { token } = await auth.createToken({ role: "agent", name: "builder" });
const agent = connect({ url, token });
const person = connect({ url, token: (await auth.createToken({ role: "person", name: "ana" })).token });

const asked = agent.ask({ ...ASK, key: "answered" });
for await (const ask of person.watch()) {
  await person.answer(ask.id, { answers: [{ question: "q1", selected: ["Yes"] }] });
  break;
}
const { kind } = await asked;

// Closing must end these as well.
const waiting = [agent.ask({ ...ASK, key: "open" }), hub.ask({ ...ASK, key: "inside" })];
const bothAreShown = new Promise((done) => waiting.push(watchBoth(done)));
const ends = Promise.allSettled(waiting);
await bothAreShown;
const socket = new WebSocket(`${url.replace("http", "ws")}/v1/gateway`, {
  headers: { authorization: `Bearer ${token}` },
});
await new Promise((done) => socket.once("open", done));
const socketEnded = new Promise((done) => socket.once("close", done));

await agent.close();
await person.close();
await close();
await hub.close();
await socketEnded;
rmSync(folder, { recursive: true });
console.log(JSON.stringify([kind, ...(await ends).map(({ reason }) => reason.code)]));

async function watchBoth(done) {
  const seen = new Set();
  for await (const { id } of person.watch()) if (seen.add(id).size === 2) done();
}
