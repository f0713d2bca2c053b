// Our server over the SQLite store, with an agent's and a person's token.
import { createServer as createNodeServer } from "node:http";
import { join } from "node:path";
import { importAskline } from "../askline.mjs";
import { listenLocally, serving } from "../server-process.mjs";
import { temporaryFolder } from "../temporary-folder.mjs";

const { createHub } = await importAskline("./hub");
const { sqliteStore } = await importAskline("./sqlite");
const { createAuth, createServer } = await importAskline("./server");

const folder = temporaryFolder();
const store = sqliteStore({ path: join(folder.path, "askline.db") });
const hub = await createHub({ store });
const auth = createAuth({ records: store.records, now: () => store.now() });
const agent = await auth.createToken({ role: "agent", name: "builder" });
const person = await auth.createToken({ role: "person", name: "ana" });
// Two tokens for all clients: what is measured is the server, and not how much of it one token may have.
const server = createServer({
  hub,
  auth,
  limits: { tokenRate: Number.POSITIVE_INFINITY, tokenBytes: Number.POSITIVE_INFINITY },
});
const nodeServer = createNodeServer();
server.attach(nodeServer);
const url = await listenLocally(nodeServer);

serving({ url, agentToken: agent.token, personToken: person.token }, async () => {
  await server.close();
  nodeServer.closeAllConnections();
  await hub.close();
  folder.remove();
});
