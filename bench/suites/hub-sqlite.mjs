// Our hub over its SQLite store, every step on disk before it is acknowledged, beside the same rows written by
// hand in the same way, and beside LangGraph with its SQLite saver as it comes (synchronous=NORMAL, which can
// lose an acknowledged answer when the power goes) and as durable as ours (FULL).
import { openApart } from "../apart.mjs";
import { openPeers } from "../open-peers.mjs";

export const HUB = { module: "peers/askline-hub.mjs", open: "openSqliteHub" };
const BY_HAND = { module: "peers/sqlite-by-hand.mjs", open: "openSqliteByHand" };
const LANG_GRAPH = { module: "peers/langgraph-sqlite.mjs", open: "openLangGraphSqlite" };

export const hubSqlite = {
  name: "hub-sqlite",
  title: "From asking to going on with the answer, on SQLite, 64 at once",
  rounds: 15,
  warmUp: 2,
  needsPackages: true,
  async open() {
    const { peers, close } = await openPeers({
      byHand: () => openApart(BY_HAND),
      hub: () => openApart(HUB),
      byHandOne: () => openApart({ ...BY_HAND, sample: "oneQuestion" }),
      hubOne: () => openApart({ ...HUB, sample: "oneQuestion" }),
      langGraph: () => openApart(LANG_GRAPH),
      langGraphFull: () => openApart({ ...LANG_GRAPH, options: { synchronous: "full" } }),
    });
    const cycles = (peer) => peer.cycles({ concurrency: 64, milliseconds: 300 });
    const hub = { name: "hub, four questions", unit: "cycles/s" };
    const budget = { atLeast: 0.5 };
    return {
      measurements: [
        { name: "by hand, four questions", ...cycles(peers.byHand) },
        { ...hub, ...cycles(peers.hub), ratioTo: "by hand, four questions", budget },
        { name: "by hand, one question", ...cycles(peers.byHandOne) },
        { name: "hub, one question", ...cycles(peers.hubOne), ratioTo: "by hand, one question", budget },
        { name: "LangGraph with SQLite, as it comes", ...cycles(peers.langGraph) },
        { ...hub, ratioTo: "LangGraph with SQLite, as it comes", budget: { atLeast: 15 } },
        { name: "LangGraph with SQLite, synchronous=FULL", ...cycles(peers.langGraphFull) },
        { ...hub, ratioTo: "LangGraph with SQLite, synchronous=FULL" },
      ],
      close,
    };
  },
};
