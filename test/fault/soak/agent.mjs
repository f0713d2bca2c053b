// An agent of the soak: asks without end, some at a time, each ask under a key. Started again after a kill, it
// asks what it had no outcome of once more, under the same keys. At the message "finish" it asks nothing new, and
// ends when it has every outcome.
//
//   node agent.mjs '{ "name", "urls", "token", "journal", "atOnce" }'

import { connect } from "askline/client";
import { contentOf } from "./content.mjs";
import { openJournal, readJournal } from "./journal.mjs";

const { name, urls, token, journal: path, atOnce } = JSON.parse(process.argv[2]);
const before = await readJournal(path);
const journal = await openJournal(path);
const quiet = { warn: () => undefined, error: () => undefined };
const client = connect({ urls, token, logger: quiet, holdSeconds: 10 });

const got = new Set(before.filter(({ type }) => type === "got").map(({ number }) => number));
const asked = before.filter(({ type }) => type === "asked").map(({ number }) => number);
const again = [...new Set(asked)].filter((number) => !got.has(number));
let next = Math.max(-1, ...asked) + 1;
let finishing = false;

process.on("message", () => {
  finishing = true;
});
process.on("disconnect", () => process.exit(1));

await Promise.all(Array.from({ length: atOnce }, work));
await client.close();
await journal.close();
process.exit();

async function work() {
  for (;;) {
    const resumed = again.shift();
    if (resumed === undefined && finishing) return;
    const number = resumed ?? next++;
    if (resumed === undefined) await journal.write({ type: "asked", session: name, number });
    else await journal.write({ type: "resumed", session: name, number });
    const { outcome, askId } = await outcomeOf(number);
    await journal.write({ type: "got", session: name, number, outcome, askId });
  }
}

/** Tries until it knows. What the client gives up on, because an outage took too long, is tried once more. */
async function outcomeOf(number) {
  for (;;) {
    try {
      return await askOnce(number, { ...contentOf(number), session: name, key: `k${number}` });
    } catch (error) {
      await journal.write({
        type: "failed",
        session: name,
        number,
        code: error.code,
        message: error.message,
      });
    }
  }
}

async function askOnce(number, request) {
  if (number % 10 !== 3 && number % 10 !== 4) return { outcome: await client.ask(request) };
  const { id } = await client.post(request);
  if (number % 10 === 3) return { outcome: await client.wait(id), askId: id };
  try {
    return { outcome: (await client.withdraw(id, "no longer needed")).outcome, askId: id };
  } catch (error) {
    if (error.outcome === undefined) throw error;
    return { outcome: error.outcome, askId: id };
  }
}
