import type { RemoteFlags } from "../connect/open-client.js";
import { examine } from "../doctor/examine.js";
import { reportText } from "../doctor/finding.js";
import { type Define, examples, withDatabase } from "../input/command.js";
import { columnsOf, print } from "../output/print.js";
import { FAULT_EXIT_CODE } from "../world/exit.js";
import type { World } from "../world/world.js";

export const define: Define = (command, { world, end }) => {
  withDatabase(command)
    .option("--host <host>", "where the server would listen (ASKLINE_HOST; 127.0.0.1)")
    .option("--port <port>", "its port (ASKLINE_PORT; 4780)")
    .option("--url <url>", "a server elsewhere to look at as well (ASKLINE_URL)")
    .addHelpText("after", HELP)
    .action(async () => end(await runDoctor(command.optsWithGlobals(), world)));
};

const HELP = `
Node, settings, data folder, store, migrations, credentials, port, server and clock: a line each, ok, warning or
wrong, and how to mend it. Changes nothing, shows no secret, and ends with 1 where something is wrong.
${examples("askline doctor", "askline doctor --db postgres://localhost/askline", "askline doctor --json")}`;

/** `askline doctor`: looks at all that a server needs, changes nothing, and says how to mend what is wrong. */
async function runDoctor(flags: RemoteFlags, world: World): Promise<number> {
  const findings = await examine(flags, world);
  const well = findings.every(({ level }) => level !== "wrong");
  await print(world, flags.json, { ok: well, findings }, () => reportText(findings, columnsOf(world)));
  return well ? 0 : FAULT_EXIT_CODE;
}
