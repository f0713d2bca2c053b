import { findLocalServer } from "../connect/background.js";
import { isBackground, readBackground, stopBackground } from "../connect/background-state.js";
import { type Define, examples } from "../input/command.js";
import { print } from "../output/print.js";
import { readSettings, type SettingFlags } from "../settings/settings.js";
import { CommandError, FAULT_EXIT_CODE } from "../world/exit.js";
import type { World } from "../world/world.js";

export const define: Define = (command, { world, end }) => {
  command
    .option("--data <folder>", "the data folder of the server (ASKLINE_DATA; ~/.local/share/askline)")
    .option("--config <path>", "a configuration file (ASKLINE_CONFIG)")
    .addHelpText(
      "after",
      `
Stops the server that "askline mcp" and other commands start in the background when none runs. Nothing is lost: pending
asks stay in the store, and the next command that needs a server starts one. A server that you started yourself with
"askline serve" is not stopped.
${examples("askline stop")}`,
    )
    .action(async () => end(await runStop(command.optsWithGlobals(), world)));
};

/** `askline stop`: ends the background server of this data folder. */
async function runStop(flags: SettingFlags, world: World): Promise<number> {
  const settings = await readSettings(flags, world);
  const found = await findLocalServer(settings);
  const state = readBackground(settings.data);
  if (state === undefined || !(found?.background?.pid === state.pid || isBackground(state))) {
    const own = found === undefined ? "" : `; the server at ${found.url} was started with "askline serve"`;
    await print(world, flags.json, { stopped: false }, () => `No background server is running${own}.`);
    return 0;
  }
  if (!(await stopBackground(state))) {
    throw new CommandError(
      `the server (process ${state.pid}) has not stopped yet; its log: ${state.log}`,
      FAULT_EXIT_CODE,
    );
  }
  await print(
    world,
    flags.json,
    { stopped: true, pid: state.pid, url: state.url },
    () => `Stopped the background server at ${state.url}.`,
  );
  return 0;
}
