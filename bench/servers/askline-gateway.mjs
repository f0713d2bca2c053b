// Our gateway over the SQLite store, or over the one in memory, with a session, an agent's token and a person's token
// for each pair of a plugin and a device.
import { join } from "node:path";
import { importAskline } from "../askline.mjs";
import { serving } from "../server-process.mjs";
import { temporaryFolder } from "../temporary-folder.mjs";

const { createHub, memoryStore } = await importAskline("./hub");
const { sqliteStore } = await importAskline("./sqlite");
const { createAuth, createServer, listen } = await importAskline("./server");

const [connections, kind] = process.argv.slice(2);
const folder = temporaryFolder();
const store = kind === "memory" ? memoryStore() : sqliteStore({ path: join(folder.path, "askline.db") });
const hub = await createHub({ store, limits: { pendingAsksPerPerson: Number.POSITIVE_INFINITY } });
const auth = createAuth({ records: store.records, now: () => store.now() });
const pairs = [];
for (let pair = 0; pair < Number(connections); pair += 1) {
  const sessions = [`session-${pair}`];
  const agent = await auth.createToken({ role: "agent", name: `agent-${pair}`, sessions });
  const person = await auth.createToken({ role: "person", name: `person-${pair}`, sessions });
  pairs.push({ agentToken: agent.token, personToken: person.token });
}
const listening = await listen(createServer({ hub, auth }), { port: 0 });

serving({ url: listening.url, pairs }, async () => {
  await listening.close();
  await hub.close();
  folder.remove();
});
