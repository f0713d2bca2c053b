// A server in a process of its own, to be killed.
//
//   node server-process.mjs <file> <port>
//   { "port", "agent", "ana" }    on stdout, once it listens: its port, and a token for each

import { writeSync } from "node:fs";
import { createHub } from "askline/hub";
import { createAuth, createServer, listen } from "askline/server";
import { sqliteStore } from "askline/sqlite";

const [path, port] = process.argv.slice(2);
const store = sqliteStore({ path });
const hub = await createHub({ store });
const auth = createAuth({ records: store.records, now: store.now });
const tokenOf = async (role, name) => (await auth.createToken({ role, name })).token;
const ready = { agent: await tokenOf("agent", "builder"), ana: await tokenOf("person", "ana") };
const listening = await listen(createServer({ hub, auth }), { port: Number(port) });
writeSync(1, `${JSON.stringify({ port: listening.port, ...ready })}\n`);
