// A person in another process: takes the oldest pending ask and chooses one of its options.
//
//   node examples/durable/person.mjs <file> <option number>

import { createHub } from "askline/hub";
import { sqliteStore } from "askline/sqlite";

const [path = "askline.db", number = "1"] = process.argv.slice(2);
const hub = await createHub({ store: sqliteStore({ path }) });
const [ask] = (await hub.list({ status: "pending" })).asks;
if (ask === undefined) throw new Error("no ask is pending");

const answers = [{ question: "q1", selected: [`o${number}`] }];
const by = { kind: "person", id: "ana", surface: "example" };
await hub.answer(ask.id, { answers }, { by });
console.log(`answered ${ask.id}`);
await hub.close();
