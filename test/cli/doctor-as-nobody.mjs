// Runs a command line as a user who may write nothing, since root may write anything. Everything is loaded before the
// switch, because that user may not be able to read this folder either.
import "../../dist/cli/commands/doctor.js";
import "../../dist/hub/stores/sqlite/file/inspect.js";
import { main } from "../../dist/cli/main.js";
import { packageVersion } from "../../dist/cli/world/package-version.js";
import { processWorld } from "../../dist/cli/world/process-world.js";

packageVersion();
if (process.getuid?.() === 0) {
  process.setgid?.(65_534);
  process.setuid?.(65_534);
}
process.exitCode = await main(process.argv.slice(2), processWorld());
