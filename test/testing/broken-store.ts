import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { StoreHarness } from "../../src/testing/index.ts";
import { asksMistakes } from "./mistakes/asks.ts";
import { commitsMistakes } from "./mistakes/commits.ts";
import { contentsMistakes } from "./mistakes/contents.ts";
import { deadlinesMistakes } from "./mistakes/deadlines.ts";
import { pendingMistakes } from "./mistakes/lists.js";
import { listsMistakes } from "./mistakes/lists.ts";
import { logsMistakes } from "./mistakes/logs.ts";
import { pruneMistakes } from "./mistakes/prune.ts";
import { recordsMistakes } from "./mistakes/records.ts";
import { restoresMistakes } from "./mistakes/restores.ts";
import { sharingMistakes } from "./mistakes/sharing.ts";
import { wholeLogsMistakes } from "./mistakes/whole-logs.js";

const root = join(import.meta.dirname, "../..");
const SOURCES = [
  "src/core/model/visibility.ts",
  "src/hub/stores/memory/asks.ts",
  "src/hub/stores/memory/logs.ts",
  "src/hub/stores/memory/memory-store.ts",
  "src/hub/stores/memory/records.ts",
  "src/hub/stores/memory/state.ts",
  "src/hub/seam/store-kit.ts",
  "test/support/shared-memory-harness.ts",
];

/**
 * One mistake in the memory store, its filter rule or the harness that shares it: a piece of source, its replacement,
 * and the cases of the suite that must fail.
 */
export interface Mistake {
  readonly name: string;
  /** The name of the file, without folder and `.ts`. */
  readonly in: string;
  readonly replace: string;
  readonly by: string;
  readonly caughtBy: readonly string[];
}

export const MISTAKES: readonly Mistake[] = [
  ...asksMistakes,
  ...commitsMistakes,
  ...contentsMistakes,
  ...deadlinesMistakes,
  ...wholeLogsMistakes,
  ...listsMistakes,
  ...logsMistakes,
  ...pendingMistakes,
  ...pruneMistakes,
  ...recordsMistakes,
  ...restoresMistakes,
  ...sharingMistakes,
];

/** The sources with a mistake in them, by name. Throws unless the source to replace occurs exactly once. */
export function brokenSources(mistake: Mistake): ReadonlyMap<string, string> {
  const path = SOURCES.find((source) => basename(source, ".ts") === mistake.in);
  if (path === undefined) throw new Error(`no source is called ${mistake.in}`);
  const parts = readSource(path).split(mistake.replace);
  if (parts.length !== 2) {
    throw new Error(`${path} holds this ${parts.length - 1} times, not once: ${mistake.replace}`);
  }
  return new Map(
    SOURCES.map((source) => [
      basename(source, ".ts"),
      source === path ? parts.join(mistake.by) : readSource(source),
    ]),
  );
}

/** The harness of a shared memory store with a mistake in it; its sources are written below `parent`. */
export async function brokenStore(mistake: Mistake, parent: string): Promise<StoreHarness> {
  const folder = mkdtempSync(join(parent, "store-"));
  for (const [name, source] of brokenSources(mistake)) {
    writeFileSync(join(folder, `${name}.ts`), relocate(source));
  }
  const { sharedMemoryHarness } = (await import(join(folder, "shared-memory-harness.ts"))) as {
    sharedMemoryHarness(): StoreHarness;
  };
  return sharedMemoryHarness();
}

function readSource(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/** Rewrites imports for the other folder: mistaken sources beside each other, the rest at its place. */
function relocate(source: string): string {
  return source
    .replaceAll('"../../src/hub/index.ts"', '"./memory-store.ts"')
    .replaceAll('"../../src/index.ts"', `"${root}/src/index.ts"`)
    .replaceAll(/"(?:\.\.\/)+core\/model\/visibility\.js"/g, '"./visibility.ts"')
    .replaceAll(/"(?:\.\.\/)+(?:src\/)?(core|testing)\/([\w/-]+)\.(?:js|ts)"/g, `"${root}/src/$1/$2.ts"`)
    .replaceAll(/"(?:\.\.?\/)+(?:seam\/)?(store|ask-size)\.js"/g, `"${root}/src/hub/seam/$1.ts"`)
    .replaceAll(/"(?:\.\.?\/)+(?:seam\/)?([\w-]+)\.js"/g, '"./$1.ts"');
}
