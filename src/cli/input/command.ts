// What the commands share: how each one is defined, and the flags that several of them take.

import { type Command, Option } from "commander";
import type { World } from "../world/world.js";

export interface Context {
  readonly world: World;
  /** Reports the exit code of the command. */
  end(exitCode: number): void;
}

/** Adds flags, help and the action to a command. Called only for the command that was typed. */
export type Define = (command: Command, context: Context) => void;

export const ASK_ID = "the ask: its id, or at least four characters from the beginning or end of it";

const CONFIG = "a configuration file (ASKLINE_CONFIG; otherwise ~/.config/askline/config.json)";

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
    .option("--config <path>", CONFIG);
}

/** The flags by which a command finds its store. */
export function withDatabase(command: Command): Command {
  return command
    .option("--db <store>", "sqlite:PATH, postgres://… or memory: (ASKLINE_DB; a file in the data folder)")
    .option("--data <folder>", "the data folder (ASKLINE_DATA; ~/.local/share/askline)")
    .option("--config <path>", CONFIG);
}

/** Help that ends with examples. */
export function examples(...lines: readonly string[]): string {
  return `\n${lines.length === 1 ? "Example" : "Examples"}:\n${lines.map((line) => `  $ ${line}`).join("\n")}\n`;
}

/** {@link withRemote}, for a command that reads as a person or as an agent. */
export function withReader(command: Command): Command {
  return withRemote(command).addOption(
    new Option("--as <role>", "which token of the credentials file to use")
      .choices(["person", "agent"])
      .default("person"),
  );
}
