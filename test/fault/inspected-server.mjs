// A server over SQLite in a process of its own that tells what it holds: started by inspected-server.ts, with
// --expose-gc and a channel. Without "bounded", its bounds on callers are taken away: one caller stands for very many here.
//
//   node --expose-gc inspected-server.mjs <file> [bounded] [the ntfy topic of ana]

import { callbackPolicy, notificationSettings, startDelivery } from "askline/delivery";
import { createHub } from "askline/hub";
import { createAuth, createServer, listen } from "askline/server";
import { sqliteStore } from "askline/sqlite";

const UNBOUNDED = [
  ...[
    "tokenRate",
    "tokenBurst",
    "tokenBytes",
    "tokenBytesBurst",
    "addressRate",
    "addressBurst",
    "connections",
    "idleMs",
  ],
  ...["tokenWaits", "tokenStreams", "personStreams", "tokenSockets", "waits", "streams", "sockets"],
];

const [path, bounded, ntfy] = process.argv.slice(2);
const store = sqliteStore({ path });
const callbacks = { allowPrivate: true };
const hub = await createHub({
  store,
  ...(ntfy !== undefined && { callbacks: callbackPolicy(callbacks) }),
  limits: bounded === "bounded" ? {} : { pendingAsksPerPerson: Number.POSITIVE_INFINITY },
});
const auth = createAuth({ records: store.records, now: () => store.now() });
const limits =
  bounded === "bounded" ? {} : Object.fromEntries(UNBOUNDED.map((name) => [name, Number.POSITIVE_INFINITY]));
const notifications = notificationSettings(store, { contact: "mailto:ops@example.com" });
const server = createServer({ hub, auth, agentLinks: true, limits, notifications });
const listening = await listen(server, { port: 0 });
const url = async () => "https://ask.example.com/";
const links = { askUrl: url, actionUrl: url, inboxUrl: () => "https://ask.example.com/" };
const people = { links, isValid: () => true, ntfy: new Map([["ana", ntfy]]) };
const deliveries = ntfy && (await startDelivery({ hub, store, callbacks, people }));

const asked = {
  token: async (options) => {
    const { token, info } = await auth.createToken(options);
    return { token, id: info.id };
  },
  revoke: ({ id }) => auth.revokeToken(id),
  cookie: async ({ person }) => {
    const { code } = await auth.createInboxCode(person);
    return auth.redeemInboxCode(code);
  },
  link: async (target) => (await auth.createLink(target)).link,
  memory: async () => {
    // Twice: what the first finds dead may hold what only the second can free.
    for (let time = 0; time < 3; time += 1) {
      globalThis.gc();
      await new Promise((resolve) => setImmediate(resolve));
    }
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  },
  resident: async () => process.memoryUsage().rss,
  /** Connections of the process, and what the server says is open. */
  held: async () => {
    const resources = process.getActiveResourcesInfo();
    const sockets = resources.filter((resource) => resource === "TCPSocketWrap").length;
    const { waits, streams } = server.open();
    return { sockets, waits, streams };
  },
};

process.on("message", async ({ number, what, options }) => {
  try {
    process.send({ number, value: await asked[what](options) });
  } catch (error) {
    process.send({ number, error: String(error) });
  }
});

process.once("disconnect", async () => {
  await listening.close();
  await deliveries?.close();
  await hub.close();
  process.exit();
});

process.send({ port: listening.port });
