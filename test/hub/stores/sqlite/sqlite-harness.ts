import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "../../../../src/hub/seam/store.js";
import type { OpenDatabase } from "../../../../src/hub/stores/sqlite/file/open-file.js";
import { createSqliteStore } from "../../../../src/hub/stores/sqlite/sqlite-store.ts";
import { type FakeClock, fakeClock, type StoreHarness } from "../../../../src/testing/index.ts";

const logger = { warn: () => undefined, error: () => undefined };

/**
 * SQLite stores in files of their own, for the store suite. `remove` takes the files away. With a connection
 * given, the writes are made on the event loop.
 */
export function sqliteHarness(openWith?: OpenDatabase): StoreHarness & { remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "askline-sqlite-"));
  const clock: FakeClock = fakeClock();
  const paths = new WeakMap<Store, string>();
  let count = 0;
  const openAt = async (path: string): Promise<Store> => {
    const store = createSqliteStore({ path }, openWith);
    await store.open({ clock, logger });
    paths.set(store, path);
    return store;
  };
  const pathOf = (store: Store): string => paths.get(store) ?? join(folder, "unknown.db");
  return {
    clock,
    open() {
      count += 1;
      return openAt(join(folder, `${count}.db`));
    },
    async reopen(store) {
      await store.close();
      return openAt(pathOf(store));
    },
    second: (store) => openAt(pathOf(store)),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
