// Our server over the SQLite store, with an agent's and a person's token; with `webhook`, it sends every event to a
// receiver in another thread.
import { createServer as createNodeServer } from "node:http";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { importAskline } from "../askline.mjs";
import { listenLocally, serving } from "../server-process.mjs";
import { temporaryFolder } from "../temporary-folder.mjs";

const { createHub } = await importAskline("./hub");
const { sqliteStore } = await importAskline("./sqlite");
const { createAuth, createServer } = await importAskline("./server");
const { startDelivery } = await importAskline("./delivery");

const folder = temporaryFolder();
const store = sqliteStore({ path: join(folder.path, "askline.db") });
const hub = await createHub({ store, limits: { pendingAsksPerPerson: Number.POSITIVE_INFINITY } });
const auth = createAuth({ records: store.records, now: () => store.now() });
const agent = await auth.createToken({ role: "agent", name: "builder" });
const person = await auth.createToken({ role: "person", name: "ana" });
// Two tokens for all clients: what is measured is the server, and not how much of it one token may have.
const server = createServer({
  hub,
  auth,
  limits: { tokenRate: Number.POSITIVE_INFINITY, tokenBytes: Number.POSITIVE_INFINITY },
});
const receiver = process.argv[2] === "webhook" ? await startReceiver() : undefined;
const deliveries = receiver && (await startDelivery({ hub, store, webhooks: [{ url: receiver.url }] }));
const nodeServer = createNodeServer();
server.attach(nodeServer);
const url = await listenLocally(nodeServer);

serving({ url, agentToken: agent.token, personToken: person.token }, async () => {
  await server.close();
  nodeServer.closeAllConnections();
  await deliveries?.close();
  await receiver?.worker.terminate();
  await hub.close();
  folder.remove();
});

function startReceiver() {
  const program = `
    const { createServer } = require("node:http");
    const server = createServer((request, response) => request.resume().on("end", () => response.end()));
    server.listen(0, "127.0.0.1", () => require("node:worker_threads").parentPort.postMessage(server.address().port));`;
  const worker = new Worker(program, { eval: true });
  return new Promise((resolve) => {
    worker.once("message", (port) => resolve({ worker, url: `http://127.0.0.1:${port}/hook` }));
  });
}
