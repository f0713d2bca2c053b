// What others make of the same ask, before ours stands beside them: LangGraph as it is used, and the rows of
// an ask written by hand, which is the most that a store could do.
import { cyclesPerSecond } from "../cycles.mjs";
import { openPeers } from "../open-peers.mjs";
import { fourQuestions } from "../sample-ask.mjs";

export const peers = {
  name: "peers",
  title: "From asking four questions to going on with the answers, by others",
  rounds: 9,
  needsPackages: true,
  async open() {
    // Imported here, because the packages may have been installed a moment ago.
    const { openLangGraphMemory } = await import("../peers/langgraph-memory.mjs");
    const { openLangGraphSqlite } = await import("../peers/langgraph-sqlite.mjs");
    const { openSqliteByHand } = await import("../peers/sqlite-by-hand.mjs");
    const { openPostgresByHand } = await import("../peers/postgres-by-hand.mjs");
    const opened = await openPeers({
      langGraphMemory: openLangGraphMemory,
      langGraphSqlite: openLangGraphSqlite,
      langGraphSqliteFull: () => openLangGraphSqlite(fourQuestions, { synchronous: "full" }),
      sqliteByHand: openSqliteByHand,
      postgresByHand: openPostgresByHand,
    });
    const { langGraphMemory, langGraphSqlite, langGraphSqliteFull, sqliteByHand, postgresByHand } =
      opened.peers;
    const byHand = "SQLite by hand, 64 at once";
    return {
      measurements: [
        { name: byHand, ...cycles(sqliteByHand, 64) },
        { name: "PostgreSQL by hand, 64 at once", ratioTo: byHand, ...cycles(postgresByHand, 64) },
        { name: "LangGraph with SQLite, 64 at once", ratioTo: byHand, ...cycles(langGraphSqlite, 64) },
        {
          name: "LangGraph with SQLite, synchronous=FULL, 64 at once",
          ratioTo: byHand,
          ...cycles(langGraphSqliteFull, 64),
        },
        { name: "LangGraph in memory, 64 at once", ratioTo: byHand, ...cycles(langGraphMemory, 64) },
        { name: "LangGraph in memory, one at a time", ratioTo: byHand, ...cycles(langGraphMemory, 1) },
      ],
      close: opened.close,
    };
  },
};

function cycles(peer, concurrency) {
  return { unit: "cycles/s", slice: cyclesPerSecond(peer, { concurrency, milliseconds: 500 }) };
}
