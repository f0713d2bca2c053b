// Decides and remembers on two hubs over one store. A line on stdout is an acknowledgement: it is written,
// synchronously, only after a hub has said that the decision stands.
//
//   node rule-kill-worker.mjs <options of the store as JSON> <name> [how many asks; until it is killed if omitted]
//   always <ask id> <person> <allow or deny>

import { writeSync } from "node:fs";
import { createHub } from "askline/hub";
import { postgresStore } from "askline/postgres";
import { sqliteStore } from "askline/sqlite";

const [json, name, asks = "Infinity"] = process.argv.slice(2);
const options = JSON.parse(json);
const LOOPS = 8;
// Ana decides twice, with different notes, and Ben against her. Only one of the three may be told that it counts.
const RIVALS = [
  { person: "ana", kind: "approve", note: "one" },
  { person: "ana", kind: "approve", note: "two" },
  { person: "ben", kind: "reject", note: "three" },
];

const hubs = await Promise.all(
  [0, 1].map(() => createHub({ store: options.url ? postgresStore(options) : sqliteStore(options) })),
);
let count = 0;

async function decide(id, hub, { person, kind, note }) {
  const by = { kind: "person", id: person, surface: "worker" };
  try {
    await hub.decide(id, { decisions: [{ action: "a1", kind, remember: "always" }], note }, { by });
    writeSync(1, `always ${id} ${person} ${kind === "approve" ? "allow" : "deny"}\n`);
  } catch (error) {
    if (error.code !== "already_settled") throw error;
  }
}

async function loop() {
  while (count < Number(asks)) {
    count += 1;
    const first = count;
    const { id } = await hubs[first % 2].post({
      approval: { actions: [{ name: `tool ${name} ${first}`, args: { command: "make" } }] },
      metadata: { project: "/shop" },
    });
    await Promise.all(
      RIVALS.map((_, index) => decide(id, hubs[index % 2], RIVALS[(first + index) % RIVALS.length])),
    );
  }
}

await Promise.all(Array.from({ length: LOOPS }, loop));
await Promise.all(hubs.map((hub) => hub.close()));
