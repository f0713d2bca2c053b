import { main } from "./main.js";
import { processWorld } from "./world/process-world.js";

process.exitCode = await main(process.argv.slice(2), processWorld());
