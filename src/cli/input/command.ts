// How a command is defined, and the flags that several commands share.

import { type Command, Option } from "commander";
import { OUTCOME_KINDS } from "../../core/model/kinds.js";
import type { AskFilter } from "../../core/model/ports.js";
import { CommandError } from "../world/exit.js";
import type { World } from "../world/world.js";

export interface Context {
  readonly world: World;
  /** Reports the exit code of the command. */
  end(exitCode: number): void;
}

/** Adds flags, help and the action to a command. Called only for the command that runs. */
export type Define = (command: Command, context: Context) => void;

export const ASK_ID = "the ask's id, or at least four characters of it";

const CONFIG = "a configuration file (ASKLINE_CONFIG; otherwise ~/.config/askline/config.json)";

/** Collects the values of a repeatable option. */
export function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

/** Adds the flags that select a server. */
export function withRemote(command: Command, otherwise = "the one on this machine"): Command {
  return command
    .option("--url <url>", `the server (ASKLINE_URL; otherwise ${otherwise})`)
    .option("--token <token>", "the token (ASKLINE_TOKEN; otherwise from the credentials file)")
    .option("--data <folder>", "the data folder with the credentials (ASKLINE_DATA)")
    .option("--config <path>", CONFIG);
}

/** The same for a command of an agent, which starts a server if none runs. */
export function withStartedServer(command: Command): Command {
  return withRemote(command, "the one on this machine, started in the background if none runs").option(
    "--db <store>",
    "the store of a server that is started in the background (ASKLINE_DB)",
  );
}

/** Adds the flags that select a store. */
export function withDatabase(command: Command, forms = "sqlite:PATH or postgres://…"): Command {
  return command
    .option("--db <store>", `${forms} (ASKLINE_DB; a file in the data folder)`)
    .option("--data <folder>", "the data folder (ASKLINE_DATA; ~/.local/share/askline)")
    .option("--config <path>", CONFIG);
}

/** Help that ends with examples. */
export function examples(...lines: readonly string[]): string {
  return `\n${lines.length === 1 ? "Example" : "Examples"}:\n${lines.map((line) => `  $ ${line}`).join("\n")}\n`;
}

/** Like {@link withRemote}, for a command that reads as a person or as an agent. */
export function withReader(command: Command): Command {
  return withRemote(command).addOption(
    new Option("--as <role>", "which token in the credentials file to use")
      .choices(["person", "agent"])
      .default("person"),
  );
}

const STATUSES = ["pending", "settled", ...OUTCOME_KINDS] as const;

/** The status that `--status` names; undefined for `all`. */
export function readStatus(text: string): AskFilter["status"] {
  const status = STATUSES.find((known) => known === text);
  if (status !== undefined || text === "all") return status;
  throw new CommandError(`unknown --status "${text}"; use ${[...STATUSES, "all"].join(", ")}`);
}
