// What a hub keeps in memory for an ask that nobody has answered yet, of 100,000 of them, each with an agent
// that waits for it. The budget is for what comes on top of the ask's own JSON. The SQLite store keeps the
// asks on disk, and the memory store has no other place for them.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { oneQuestion } from "../sample-ask.mjs";
import { storedRows } from "../stored-rows.mjs";

const PROGRAM = fileURLToPath(new URL("../pending-heap.mjs", import.meta.url));
const BUDGET = { atMost: 4096 };

export const pendingHeap = {
  name: "pending-heap",
  title: "Memory of a pending ask of one question beyond its own JSON",
  // Bytes do not swing as times do.
  rounds: 1,
  warmUp: 0,
  async open() {
    const rows = await storedRows(oneQuestion);
    const json = Buffer.byteLength(rows.asked("bench").content);
    const beyond = (kind) => () => Math.max(1, heapOf(kind) - json);
    return {
      measurements: [
        { name: "its own JSON", unit: "bytes", slice: () => json },
        { name: "beyond it, SQLite", unit: "bytes", budget: BUDGET, slice: beyond("sqlite") },
        { name: "beyond it, memory", unit: "bytes", budget: BUDGET, slice: beyond("memory") },
      ],
    };
  },
};

function heapOf(kind) {
  const { status, stdout, stderr, error } = spawnSync(
    process.execPath,
    ["--expose-gc", "--max-old-space-size=4096", PROGRAM, kind],
    { encoding: "utf8", timeout: 300_000 },
  );
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`the measurement ended with ${status}: ${stderr}`);
  return Number(stdout);
}
