// An agent in a process of its own: asks, says so, waits, and prints the outcome.
//
//   node waiting-process.mjs sqlite:<file> | postgres:<url> <schema>

import { createHub } from "askline/hub";

const [where, schema] = process.argv.slice(2);
const [kind] = where.split(":", 1);
const rest = where.slice(kind.length + 1);
const store =
  kind === "sqlite"
    ? (await import("askline/sqlite")).sqliteStore({ path: rest })
    : (await import("askline/postgres")).postgresStore({ url: rest, schema });

const hub = await createHub({ store });
const request = { questions: [{ question: "Ship it?", options: ["Yes", "No"] }], key: "ship" };
const ask = await hub.post(request);
console.log(ask.id);
console.log(JSON.stringify(await hub.wait(ask.id)));
await hub.close();
