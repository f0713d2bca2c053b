import type { Store } from "../../hub/index.js";
import { CommandError } from "../command-error.js";
import { stderrLogger } from "../remote/stderr-logger.js";
import type { World } from "../world.js";
import { createStore } from "./create-store.js";
import { createDataFolder } from "./data-folder.js";
import { readSettings, type SettingFlags, type Settings } from "./settings.js";

/** Runs a task on the store of the settings, beside a server that may be running on it. */
export async function withStore<T>(
  flags: SettingFlags,
  world: World,
  task: (store: Store, settings: Settings) => Promise<T>,
): Promise<T> {
  const settings = await readSettings(flags, world);
  if (settings.db.kind === "memory") {
    throw new CommandError(
      "a memory: store lives inside its server; give a --db that is kept: sqlite:PATH or postgres://…",
    );
  }
  if (flags.db === undefined) createDataFolder(settings.data);
  const store = await createStore(settings.db);
  await store.open({ clock: world.clock, logger: stderrLogger(world) });
  try {
    return await task(store, settings);
  } finally {
    await store.close();
  }
}
