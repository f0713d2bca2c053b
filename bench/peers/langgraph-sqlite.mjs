// LangGraph with its SQLite saver. As it comes it uses WAL and better-sqlite3's own default for synchronous,
// which is NORMAL with WAL: that may lose an acknowledged answer when the power goes, and ours may not.
// `synchronous: "full"` makes the two equal.
import { join } from "node:path";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { runAlone } from "../cycles.mjs";
import { fourQuestions } from "../sample-ask.mjs";
import { temporaryFolder } from "../temporary-folder.mjs";
import { langGraphPeer } from "./langgraph.mjs";

export async function openLangGraphSqlite(sample = fourQuestions, { synchronous } = {}) {
  const folder = temporaryFolder();
  const saver = SqliteSaver.fromConnString(join(folder.path, "langgraph.db"));
  if (synchronous !== undefined) {
    // The saver sets WAL at its first use, and with it better-sqlite3's default: ours must come after.
    saver.setup();
    saver.db.pragma(`synchronous = ${synchronous}`);
  }
  return langGraphPeer(saver, sample, () => {
    saver.db.close();
    folder.remove();
  });
}

await runAlone(import.meta.url, "LangGraph, SQLite saver", openLangGraphSqlite);
