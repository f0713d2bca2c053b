// What a process of the soak knows, on disk before it goes on: whatever kills it, its journal tells what it asked,
// what it sent, and what it was told. One JSON record a line.

import { open, readFile } from "node:fs/promises";

/** `write` resolves once the record is on disk. Records that come together are written together. */
export async function openJournal(path) {
  const file = await open(path, "a");
  // Ends the last line: the process that wrote it may have been killed in the middle.
  await file.appendFile("\n");
  let waiting = [];
  let writing;

  async function flush() {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        await file.appendFile(batch.map(({ line }) => line).join(""));
        await file.datasync();
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    writing = undefined;
  }

  return {
    write(record) {
      return new Promise((resolve, reject) => {
        waiting.push({ line: `${JSON.stringify({ at: Date.now(), ...record })}\n`, resolve, reject });
        writing ??= flush();
      });
    },
    async close() {
      await writing;
      await file.close();
    },
  };
}

/** All whole records. The last line of a killed process may be cut short: what it says was not acted on. */
export async function readJournal(path) {
  const text = await readFile(path, "utf8").catch((error) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  return text.split("\n").flatMap((line) => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });
}
