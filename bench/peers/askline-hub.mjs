// Our own hub in this process, over each of its stores. A cycle is an ask under a key of its own, an agent
// that waits for it, and a person's answer that wakes the agent.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { importAskline } from "../askline.mjs";
import { startPostgres } from "../postgres.mjs";
import { fourQuestions } from "../sample-ask.mjs";
import { temporaryFolder } from "../temporary-folder.mjs";

const by = { kind: "person", id: "ana", surface: "bench" };

export async function openMemoryHub(sample = fourQuestions) {
  const { memoryStore } = await importAskline("./hub");
  return openHub(memoryStore(), sample);
}

export async function openSqliteHub(sample = fourQuestions) {
  const { sqliteStore } = await importAskline("./sqlite");
  const folder = temporaryFolder();
  return openHub(sqliteStore({ path: join(folder.path, "askline.db") }), sample, () => folder.remove());
}

export async function openPostgresHub(sample = fourQuestions) {
  const { postgresStore } = await importAskline("./postgres");
  const server = await startPostgres();
  return openHub(postgresStore({ url: server.url }), sample, () => server.close());
}

/** A peer over a store; `afterwards` is called when the hub is closed, and when it cannot be opened. */
export async function openHub(store, sample, afterwards = () => {}) {
  const { createHub } = await importAskline("./hub");
  let hub;
  try {
    hub = await createHub({ store });
  } catch (error) {
    await afterwards();
    throw error;
  }
  return {
    cycle: (id) => cycle({ session: "bench", key: id }),
    /** In the session that filled-store.mjs fills, under a random key as there. */
    cycleAmongOthers: () => cycle({ session: "filled", key: `key_${randomBytes(16).toString("hex")}` }),
    async close() {
      await hub.close();
      await afterwards();
    },
  };

  async function cycle(address) {
    const { id: askId } = await hub.post({ ...sample.ask, ...address });
    const waiting = hub.wait(askId);
    await hub.answer(askId, { answers: sample.answers }, { by });
    const outcome = await waiting;
    if (outcome.kind !== "answered" || outcome.answers.length !== sample.answers.length) {
      throw new Error(`the agent went on with ${JSON.stringify(outcome)}`);
    }
  }
}
