import { chmodSync, existsSync, statSync } from "node:fs";
import { messageOf } from "../../core/kit/tools.js";
import { memoryStore, type Store } from "../../hub/index.js";
import { makeFolder } from "../../stores/sqlite/file/make-folder.js";
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

/** Runs a task on the store of the settings, beside a server that may be running on it. Makes it where there is none. */
export const withStore: WithStore = async (flags, world, task) => {
  const settings = await readKeptSettings(flags, world);
  if (flags.db === undefined) createDataFolder(settings.data);
  return runOn(await createStore(settings.db), settings, world, task);
};

/** As {@link withStore}, of a store that is there: a mistyped path must not look like an empty store. */
export const withPresentStore: WithStore = async (flags, world, task) => {
  const settings = await readKeptSettings(flags, world);
  const missing = missingFile(settings);
  if (missing !== undefined) {
    throw new CommandError(
      `there is no store ${missing}; name one with --db or --data, or make it by "askline serve"`,
      FAULT_EXIT_CODE,
    );
  }
  return runOn(await createStore(settings.db), settings, world, task);
};

/** As {@link withStore}, for who only wants to see what would be: where there is no store, none is made. */
export const withPretendedStore: WithStore = async (flags, world, task) => {
  const settings = await readKeptSettings(flags, world);
  const store = missingFile(settings) === undefined ? await createStore(settings.db) : memoryStore();
  return runOn(store, settings, world, task);
};

async function readKeptSettings(flags: SettingFlags, world: World): Promise<Settings> {
  const settings = await readSettings(flags, world);
  if (settings.db.kind !== "memory") return settings;
  throw new CommandError(
    "a memory: store lives inside its server; give a --db that is kept: sqlite:PATH or postgres://…",
  );
}

/** The file that the store would be. */
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

/** The store of a database, not yet open. Each is loaded only where it is used. */
export async function createStore(database: Database): Promise<Store> {
  switch (database.kind) {
    case "memory": {
      const { memoryStore } = await import("../../hub/index.js");
      return memoryStore();
    }
    case "sqlite": {
      const { sqliteStore } = await import("../../stores/sqlite/index.js");
      return sqliteStore({ path: database.path });
    }
    case "postgres": {
      const { postgresStore } = await import("../../stores/postgres/index.js");
      return postgresStore({ url: database.url });
    }
  }
}

/** Creates the folder for its owner alone. One that exists stays as it is. */
export function createDataFolder(path: string): void {
  try {
    // A strange umask must not leave the owner outside.
    if (makeFolder(path)) chmodSync(path, 0o700);
    if (!statSync(path).isDirectory()) throw new Error("it is no folder");
  } catch (error) {
    const reason = messageOf(error);
    throw new CommandError(
      `the data folder ${path} cannot be used (${reason}); choose another with --data`,
      FAULT_EXIT_CODE,
      { cause: error },
    );
  }
}
