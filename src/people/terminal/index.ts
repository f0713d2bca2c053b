export { consoleHandler } from "./console-handler.js";
export { stdinResolver } from "./stdin-resolver.js";
export { terminalResolver } from "./terminal-resolver.js";
