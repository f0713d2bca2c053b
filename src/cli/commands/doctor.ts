import type { RemoteFlags } from "../connect/open-client.js";
import { examine } from "../doctor/examine.js";
import { reportText } from "../doctor/finding.js";
import { type Define, examples, withDatabase } from "../input/command.js";
import { columnsOf, print } from "../output/print.js";
import { DATABASE_FORMS } from "../settings/database.js";
import { FAULT_EXIT_CODE } from "../world/exit.js";
import type { World } from "../world/world.js";

export const define: Define = (command, { world, end }) => {
  withDatabase(command, DATABASE_FORMS)
    .option("--host <host>", "the address the server would listen on (ASKLINE_HOST; 127.0.0.1)")
    .option("--port <port>", "its port (ASKLINE_PORT; 4780)")
    .option("--url <url>", "also check a server elsewhere (ASKLINE_URL)")
    .addHelpText("after", HELP)
    .action(async () => end(await runDoctor(command.optsWithGlobals(), world)));
};

const HELP = `
Checks Node, settings, data folder, store, migrations, credentials, port, server, background server, connected agents and clock. Prints a
line for each (ok, warning or wrong) and how to fix it. Changes nothing, prints no secret, and exits with 1 if something is wrong.
${examples("askline doctor", "askline doctor --db postgres://localhost/askline", "askline doctor --json")}`;

/** `askline doctor`: checks everything a server needs and says how to fix what is wrong. Changes nothing. */
async function runDoctor(flags: RemoteFlags, world: World): Promise<number> {
  const findings = await examine(flags, world);
  const healthy = findings.every(({ level }) => level !== "wrong");
  await print(world, flags.json, { ok: healthy, findings }, () => reportText(findings, columnsOf(world)));
  return healthy ? 0 : FAULT_EXIT_CODE;
}
