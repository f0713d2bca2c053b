// The rows of asks and answers written to SQLite by hand: the least that a durable server can do. The same tables,
// indexes, settings and durability (WAL, synchronous=FULL) as our store and the same group commit, but no parsing, no
// validation, nothing read back and nobody to wake.
import { join } from "node:path";
import { groupCommit } from "./group-commit.mjs";
import { learnRows } from "./learned-rows.mjs";
import { temporaryFolder } from "./temporary-folder.mjs";

// Those of src/hub/stores/sqlite/file/open-file.ts.
const SETTINGS = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA cache_size = -16000;
  PRAGMA temp_store = MEMORY;
  PRAGMA wal_autocheckpoint = 4000;
  PRAGMA journal_size_limit = 67108864;
`;

/** `ask()` writes an ask and gives a handle, `settle(handle)` its answer; each resolves when it is on disk. */
export async function openRowsByHand(sample) {
  const folder = temporaryFolder();
  const learned = await learnRows(join(folder.path, "by-hand.db"), sample);
  const { database, asked, settled } = learned;
  database.exec(SETTINGS);
  const begin = database.prepare("BEGIN IMMEDIATE");
  const commit = database.prepare("COMMIT");
  // Nobody else writes here, so the head need not be read.
  let { position } = learned;
  // Above those of the asks that were learned from.
  let n = 1_000;

  const write = groupCommit((writes) => {
    begin.run();
    try {
      for (const { step, values } of writes) {
        position += 1;
        values.now = Date.now();
        values[step === asked ? "asked" : "settled"] = position;
        step.write(values);
      }
      // The head of the log is the same row for every write, so the last of them is enough.
      const { step, values } = writes.at(-1);
      step.finish(values);
      commit.run();
    } catch (error) {
      database.exec("ROLLBACK");
      throw error;
    }
  });

  return {
    async ask() {
      n += 1;
      const values = { n };
      await write({ step: asked, values });
      return values;
    },
    settle: (values) => write({ step: settled, values }),
    close() {
      database.close();
      folder.remove();
    },
  };
}
