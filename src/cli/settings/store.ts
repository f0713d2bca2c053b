import { chmodSync, existsSync, statSync } from "node:fs";
import { messageOf } from "../../core/kit/tools.js";
import type { Store } from "../../hub/seam/store.js";
import { memoryStore } from "../../hub/stores/memory/memory-store.js";
import { makeFolder } from "../../hub/stores/sqlite/file/make-folder.js";
import { stderrLogger } from "../output/logger.js";
import { CommandError, FAULT_EXIT_CODE } from "../world/exit.js";
import type { World } from "../world/world.js";
import type { Database } from "./database.js";
import { readSettings, type SettingFlags, type Settings } from "./settings.js";

type WithStore = <T>(
  flags: SettingFlags,
  world: World,
  task: (store: Store, settings: Settings) => Promise<T>,
) => Promise<T>;

/** Runs a task on the configured store, which a server may be using. Creates it if it does not exist. */
export const withStore: WithStore = async (flags, world, task) => {
  const settings = await readDurableSettings(flags, world);
  if (flags.db === undefined) createDataFolder(settings.data);
  return runOn(await createStore(settings.db), settings, world, task);
};

/** Like {@link withStore}, but the store must exist: a mistyped path must not look like an empty store. */
export const withPresentStore: WithStore = async (flags, world, task) => {
  const settings = await readDurableSettings(flags, world);
  const missing = missingFile(settings);
  if (missing !== undefined) {
    throw new CommandError(
      `the store ${missing} does not exist; give another with --db or --data, or create it with "askline serve"`,
      FAULT_EXIT_CODE,
    );
  }
  return runOn(await createStore(settings.db), settings, world, task);
};

/** Like {@link withStore}, for a dry run: a missing store is not created. */
export const withDryRunStore: WithStore = async (flags, world, task) => {
  const settings = await readDurableSettings(flags, world);
  const store = missingFile(settings) === undefined ? await createStore(settings.db) : memoryStore();
  return runOn(store, settings, world, task);
};

async function readDurableSettings(flags: SettingFlags, world: World): Promise<Settings> {
  const settings = await readSettings(flags, world);
  if (settings.db.kind !== "memory") return settings;
  throw new CommandError(
    "a memory: store exists only inside its server; use --db sqlite:PATH or --db postgres://…",
  );
}

/** The path of the store's file, if it does not exist. */
function missingFile({ db }: Settings): string | undefined {
  return db.kind === "sqlite" && !existsSync(db.path) ? db.path : undefined;
}

async function runOn<T>(
  store: Store,
  settings: Settings,
  world: World,
  task: (store: Store, settings: Settings) => Promise<T>,
): Promise<T> {
  await store.open({ clock: world.clock, logger: stderrLogger(world) });
  try {
    return await task(store, settings);
  } finally {
    await store.close();
  }
}

/** A store that is not opened yet. Loads only the code of that kind of store. */
export async function createStore(database: Database): Promise<Store> {
  switch (database.kind) {
    case "memory": {
      const { memoryStore } = await import("../../hub/stores/memory/memory-store.js");
      return memoryStore();
    }
    case "sqlite": {
      const { createSqliteStore } = await import("../../hub/stores/sqlite/sqlite-store.js");
      return createSqliteStore({ path: database.path });
    }
    case "postgres": {
      const { postgresStore } = await import("../../hub/stores/postgres/postgres-store.js");
      return postgresStore({ url: database.url });
    }
  }
}

/** Creates the folder for its owner only. Leaves an existing one unchanged. */
export function createDataFolder(path: string): void {
  try {
    // An unusual umask must not lock out the owner.
    if (makeFolder(path)) chmodSync(path, 0o700);
    if (!statSync(path).isDirectory()) throw new Error("it is not a folder");
  } catch (error) {
    const reason = messageOf(error);
    throw new CommandError(
      `the data folder ${path} cannot be used (${reason}); choose another with --data`,
      FAULT_EXIT_CODE,
      { cause: error },
    );
  }
}
