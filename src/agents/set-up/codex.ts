// Codex: a hook in its hooks.json, and an MCP server in its config.toml. The hook asks for 20 seconds while Codex waits,
// and then leaves the decision to Codex's own dialog (codex-hook.ts).

import { existsSync } from "node:fs";
import { posix, win32 } from "node:path";
import { isRecord } from "../../core/kit/json.js";
import type { CodingAgent, FileChange, Place, Plan, PlanOptions } from "./agent.js";
import { addItem, findProgram, jsonIn, readJsonText, shellWord } from "./edit-json.js";
import { readTomlText, setTable, type TomlTable, tableIn } from "./edit-toml.js";
import { hasHook, withoutHooks } from "./hook-groups.js";

const EVENT = "PermissionRequest";
/** Longer than the hook holds: at its end, Codex goes on with its own dialog. */
const HOOK_SECONDS = 30;
const SERVER: TomlTable = ["mcp_servers", "askline"];

export const codex: CodingAgent = {
  name: "codex",
  agentId: "codex",
  title: "Codex",
  takes: [],
  afterwards:
    "Codex runs a new hook only once you trust it: choose to review it when Codex starts, or type /hooks.",
  find(place) {
    const folder = codexFolder(place);
    return (
      findProgram("codex", place.environment, place.platform) ?? (existsSync(folder) ? folder : undefined)
    );
  },
  connect: planOf,
  disconnect: (place) => planOf(place, undefined),
  print: (options, { environment }) =>
    [
      "In ~/.codex/hooks.json:",
      "",
      withOurs("{}", options),
      "",
      "In ~/.codex/config.toml:",
      "",
      setTable("", SERVER, mcpEntry(options, environment)) ?? "",
    ].join("\n"),
};

function planOf(place: Place, options: PlanOptions | undefined): Plan {
  const { join } = place.platform === "win32" ? win32 : posix;
  const folder = codexFolder(place);
  const plans = [
    hookChange(join(folder, "hooks.json"), options),
    serverChange(join(folder, "config.toml"), place, options),
  ];
  return {
    files: plans.flatMap((plan) => (plan !== undefined && typeof plan === "object" ? [plan] : [])),
    commands: [],
    problems: plans.filter((plan) => typeof plan === "string"),
  };
}

/** The change, why the file is left alone, or undefined if there is nothing to change. */
type Planned = FileChange | string | undefined;

function hookChange(path: string, options: PlanOptions | undefined): Planned {
  const current = readJsonText(path, { hooks: "an object", [`hooks.${EVENT}`]: "a list" });
  if (!current.ok) return current.problem;
  const { text: before } = current;
  if (before === undefined && options === undefined) return undefined;
  const isEmpty = before === undefined || before.trim() === "";
  const text = isEmpty ? "{}" : before;
  if (options !== undefined && isConnected(text, options)) return undefined;
  const others = withoutHooks(text, isOurs);
  const changed = options === undefined ? others : withOurs(others, options);
  if (changed === text) return undefined;
  const about =
    options === undefined
      ? ["remove our hook"]
      : [`a hook for ${EVENT}: your inbox has 20 seconds, then Codex asks by itself`];
  return { path, before, after: isEmpty ? `${changed}\n` : changed, about };
}

function groupOf({ command, flags }: PlanOptions): object {
  const line = [...command, "hook", "codex", ...flags].map(shellWord).join(" ");
  const statusMessage = "Askline: waiting for your inbox, 20 s";
  return { hooks: [{ type: "command", command: line, timeout: HOOK_SECONDS, statusMessage }] };
}

function withOurs(text: string, options: PlanOptions): string {
  return addItem(text, ["hooks", EVENT], groupOf(options));
}

function isOurs(hook: unknown): boolean {
  return isRecord(hook) && /askline\S*["']? hook codex\b/.test(String(hook.command));
}

/** Whether the file has exactly our entry already. */
function isConnected(text: string, options: PlanOptions): boolean {
  const { hooks } = jsonIn(text);
  const groups = isRecord(hooks)
    ? Object.values(hooks).flatMap((list) => (Array.isArray(list) ? list : []))
    : [];
  const [found, ...more] = groups.filter((group) => hasHook(group, isOurs));
  return more.length === 0 && JSON.stringify(found) === JSON.stringify(groupOf(options));
}

function serverChange(path: string, { environment }: Place, options: PlanOptions | undefined): Planned {
  const current = readTomlText(path);
  if (!current.ok) return current.problem;
  const { text: before, value } = current;
  const present = tableIn(value, SERVER);
  const named = isRecord(present) && Array.isArray(present.env_vars) ? present.env_vars : [];
  const wanted = options === undefined ? undefined : mcpEntry(options, environment, named);
  if (isRecord(present) && wanted !== undefined && isSameServer(present, wanted)) return undefined;
  if (present === undefined && wanted === undefined) return undefined;
  const after = setTable(before ?? "", SERVER, wanted);
  if (after === undefined)
    return `${path} has an askline server that is not a table of its own; edit it by hand`;
  return { path, before, after, about: [`${wanted === undefined ? "remove " : ""}the MCP server askline`] };
}

type McpEntry = Readonly<Record<string, unknown>>;

/** What leads our command to a server. */
const VARIABLES: readonly unknown[] = [
  "ASKLINE_CONFIG",
  "ASKLINE_DATA",
  "ASKLINE_TOKEN",
  "ASKLINE_URL",
  "XDG_CONFIG_HOME",
  "XDG_DATA_HOME",
];

/**
 * A call may last an hour; ours returns before. Our tools ask a person by themselves, so Codex does not ask for them.
 * Codex starts servers without the rest of its environment, and `codex doctor` warns of each variable named that is not
 * set. Of the variables `named` so far, those of the person stay.
 */
function mcpEntry(
  { command: [program, script], flags }: PlanOptions,
  environment: Place["environment"],
  named: readonly unknown[] = [],
): McpEntry {
  const set = VARIABLES.filter((name) => Boolean(environment[String(name)]));
  const variables = [...set, ...named.filter((name) => !VARIABLES.includes(name))];
  return {
    command: program,
    args: [script, "mcp", "--wait", "50m", ...flags],
    ...(variables.length > 0 && { env_vars: variables }),
    tool_timeout_sec: 3_600,
    default_tools_approval_mode: "approve",
  };
}

/** What the person added to the table stays. */
function isSameServer(present: Readonly<Record<string, unknown>>, wanted: McpEntry): boolean {
  return Object.entries({ env_vars: undefined, ...wanted }).every(
    ([key, value]) => JSON.stringify(present[key]) === JSON.stringify(value),
  );
}

/** The same folder on every system: CODEX_HOME, or .codex in the home folder. */
export function codexFolder({ home, platform, environment }: Place): string {
  const { join } = platform === "win32" ? win32 : posix;
  return environment.CODEX_HOME || join(home, ".codex");
}
