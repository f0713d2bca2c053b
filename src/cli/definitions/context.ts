import type { Command } from "commander";
import type { World } from "../world.js";

/** What the definitions of commands share. */
export interface Context {
  readonly world: World;
  /** Says how the command ended. */
  end(exitCode: number): void;
}

/** Adds one group of commands to the program. What a command does is loaded when it runs. */
export type Define = (program: Command, context: Context) => void;

/** The values of an option that may be repeated. */
export function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

/** The flags by which a command finds its server. */
export function withRemote(command: Command, otherwise = "the one of this machine"): Command {
  return command
    .option("--url <url>", `the server (ASKLINE_URL; otherwise ${otherwise})`)
    .option("--token <token>", "the token (ASKLINE_TOKEN; otherwise from the credentials file)")
    .option("--data <folder>", "the data folder with the credentials (ASKLINE_DATA)")
    .option("--config <path>", "a configuration file (ASKLINE_CONFIG; askline.config.json here)");
}

/** The flags by which a command finds its store. */
export function withDatabase(command: Command): Command {
  return command
    .option("--db <store>", "sqlite:PATH, postgres://… or memory: (ASKLINE_DB; a file in the data folder)")
    .option("--data <folder>", "the data folder (ASKLINE_DATA; ~/.local/share/askline)")
    .option("--config <path>", "a configuration file (ASKLINE_CONFIG; askline.config.json here)");
}

/** Help that ends with examples. */
export function examples(...lines: readonly string[]): string {
  return `\n${lines.length === 1 ? "Example" : "Examples"}:\n${lines.map((line) => `  $ ${line}`).join("\n")}\n`;
}
