import { TOOLBOX_HELP } from "../help.js";
import type { Define } from "./context.js";

export const defineToolbox: Define = (program, { world, end }) => {
  program
    .command("toolbox")
    .description("speak the toolbox protocol of ask_user (TOOLBOX_ACTION)")
    .addHelpText("after", TOOLBOX_HELP)
    .action(async () => {
      const { runToolboxCommand } = await import("../commands/toolbox.js");
      end(runToolboxCommand(world.environment.TOOLBOX_ACTION));
    });
};
