import { runToolboxCommand } from "./commands/toolbox.js";

process.exitCode = runToolboxCommand(process.env.TOOLBOX_ACTION);
