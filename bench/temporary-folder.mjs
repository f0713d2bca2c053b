import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A new folder for a database. Whoever opens it calls `remove`. */
export function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), "askline-bench-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
