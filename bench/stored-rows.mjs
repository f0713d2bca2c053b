// What our stores write for one of the sample asks, so that those who write the same by hand write as many
// bytes under ids and keys as long. Read once: whoever writes by hand parses and checks nothing.
import { importAskline } from "./askline.mjs";

const SESSION = "bench";
const by = { kind: "person", id: "ana", surface: "bench" };

/** Functions of the id of a cycle that give the columns of an ask and of its settlement, ready to be stored. */
export async function storedRows({ ask, answers }) {
  const { parseAsk } = await importAskline(".");
  const parsed = parseAsk({ ...ask, session: SESSION });
  if (!parsed.ok) throw new Error(`the sample ask is refused: ${JSON.stringify(parsed.issues)}`);
  const event = JSON.stringify({ by });
  return {
    asked: (id) => ({
      id: longId("ask_", id),
      session: SESSION,
      key: id,
      content: JSON.stringify({ ...parsed.ask, key: id }),
    }),
    settled: (id) => ({
      id: longId("ask_", id),
      settlementId: longId("settlement_", id),
      outcome: JSON.stringify({ kind: "answered", answers, by }),
      event,
    }),
  };
}

// As long as a prefixed UUID, and rising as ours do.
function longId(prefix, id) {
  return prefix + id.padStart(36, "0");
}
