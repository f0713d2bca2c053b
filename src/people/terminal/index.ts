export { type ConsoleHandler, type ConsoleHandlerOptions, consoleHandler } from "./console-handler.js";
export type { Input, Output } from "./dialogue.js";
export { type StdinResolverOptions, stdinResolver } from "./stdin-resolver.js";
export { type TerminalResolverOptions, terminalResolver } from "./terminal-resolver.js";
