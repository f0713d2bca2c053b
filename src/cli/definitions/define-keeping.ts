import type { Command } from "commander";
import { type Define, examples, withDatabase } from "./context.js";

/** Commands for whoever looks after a server and its store. */
export const defineKeeping: Define = (program, { world, end }) => {
  withDatabase(
    program.command("doctor").description("look at all that a server needs, and say how to mend it"),
  )
    .option("--host <host>", "where the server would listen (ASKLINE_HOST; 127.0.0.1)")
    .option("--port <port>", "its port (ASKLINE_PORT; 4780)")
    .option("--url <url>", "a server elsewhere to look at as well (ASKLINE_URL)")
    .addHelpText("after", DOCTOR_HELP)
    .action(async (_flags, command: Command) => {
      const { runDoctor } = await import("../commands/doctor.js");
      end(await runDoctor(command.optsWithGlobals(), world));
    });
};

const DOCTOR_HELP = `
Node, settings, data folder, store, migrations, credentials, port, server and clock: a line each, ok, warning or
wrong, and how to mend it. Changes nothing, shows no secret, and ends with 1 where something is wrong.
${examples("askline doctor", "askline doctor --db postgres://localhost/askline", "askline doctor --json")}`;
