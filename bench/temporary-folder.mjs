import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folders = new Set();

/** A new folder for a database. Whoever opens it calls `remove`; what is left goes when the process ends. */
export function temporaryFolder() {
  if (folders.size === 0) process.once("exit", removeAll);
  const path = mkdtempSync(join(tmpdir(), "askline-bench-"));
  folders.add(path);
  return {
    path,
    remove() {
      folders.delete(path);
      rmSync(path, { recursive: true, force: true });
    },
  };
}

/** To be called by a program that makes such folders: ends it in order when it is told to end. */
export function endInOrder() {
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
}

function removeAll() {
  for (const path of folders) rmSync(path, { recursive: true, force: true });
}
