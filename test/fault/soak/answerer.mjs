// A person of the soak: ends whatever is pending, as others do at the same time. Writes down what is sent before
// it is sent, and what came back. At the message "finish" it ends what it has in hand, and then itself.
//
//   node answerer.mjs '{ "name", "urls", "token", "journal", "atOnce" }'

import { randomUUID } from "node:crypto";
import { connect } from "askline/client";
import { openJournal } from "./journal.mjs";

const { name, urls, token, journal: path, atOnce } = JSON.parse(process.argv[2]);
const journal = await openJournal(path);
const quiet = { warn: () => undefined, error: () => undefined };
const client = connect({ urls, token, logger: quiet });
const stop = new AbortController();
const inHand = new Map();

process.on("message", () => stop.abort());
process.on("disconnect", () => process.exit(1));

while (!stop.signal.aborted) {
  try {
    for await (const ask of client.watch({}, { signal: stop.signal })) await take(ask);
  } catch (error) {
    await journal.write({ type: "failed", code: error.code, message: error.message });
  }
}
await Promise.all(inHand.values());
await client.close();
await journal.close();
process.exit();

async function take(ask) {
  if (ask.status !== "pending" || inHand.has(ask.id)) return;
  while (inHand.size >= atOnce) await Promise.race(inHand.values());
  inHand.set(
    ask.id,
    end(ask).finally(() => inHand.delete(ask.id)),
  );
}

async function end(ask) {
  const settlementId = randomUUID();
  const say = `${name} says ${settlementId}`;
  await journal.write({ type: "sending", askId: ask.id, person: name, say });
  for (;;) {
    try {
      const { outcome } = await send(ask, say, settlementId);
      return await journal.write({ type: "acknowledged", askId: ask.id, person: name, say, outcome });
    } catch (error) {
      if (error.outcome !== undefined) {
        return await journal.write({ type: "refused", askId: ask.id, outcome: error.outcome });
      }
      await journal.write({ type: "failed", askId: ask.id, code: error.code, message: error.message });
    }
  }
}

/** What was said is in every outcome, whatever its kind: it tells one attempt from another. */
function send(ask, say, settlementId) {
  const options = { settlementId };
  if (ask.approval !== undefined) {
    const decisions = [
      { action: "a1", kind: "approve" },
      { action: "a2", kind: "reject", message: say },
    ];
    return client.decide(ask.id, { decisions, note: say }, options);
  }
  const way = ask.metadata.number % 10;
  if (way === 5) return client.decline(ask.id, say, options);
  if (way === 6) return client.reply(ask.id, say, options);
  const answers = [
    { question: "q1", selected: ["Left"], note: say },
    { question: "q2", selected: ["Horn", "Map"], text: say },
  ];
  return client.answer(ask.id, { answers, note: say }, options);
}
