// Claude Code: hooks and a permission in its settings, and an MCP server. A running session rewrites .claude.json, so
// the MCP server is added by its own command where that is installed.

import { existsSync } from "node:fs";
import { posix, win32 } from "node:path";
import { isRecord } from "../../core/kit/json.js";
import type { CodingAgent, CommandChange, FileChange, Place, Plan, PlanOptions } from "./agent.js";
import {
  addItem,
  findProgram,
  jsonIn,
  readJsonText,
  setValue,
  shellWord,
  withoutEmpty,
} from "./edit-json.js";
import { hasHook, withoutHooks } from "./hook-groups.js";

export const claude: CodingAgent = {
  name: "claude",
  agentId: "claude-code",
  title: "Claude Code",
  takes: ["exclusive", "http"],
  afterwards:
    'In its auto mode Claude Code decides most permissions by itself, so little comes to your inbox. To be asked, choose another mode with Shift+Tab, or set "permissions": { "defaultMode": "default" } in its settings.',
  find(place) {
    const { settings, program } = claudeFiles(place);
    const folder = existsSync(folderOf(place)) || existsSync(settings) ? folderOf(place) : undefined;
    return program ?? folder;
  },
  connect: (place, options) =>
    planOf(place, (text) => withOurs(withoutOurs(text), options), options, isConnected),
  disconnect: (place) => planOf(place, withoutOurs, undefined, () => false),
  print: (options) =>
    [
      "In ~/.claude/settings.json:",
      "",
      withOurs("{}", options),
      "",
      "And once, in a terminal:",
      "",
      `  ${mcpAdd("claude", options).map(shellWord).join(" ")}`,
    ].join("\n"),
};

interface ClaudeFiles {
  readonly settings: string;
  /** Its state, with the MCP servers of the user. */
  readonly state: string;
  readonly program: string | undefined;
}

/** The same folder on every system: CLAUDE_CONFIG_DIR, or .claude in the home folder. XDG_CONFIG_HOME does not count. */
export function claudeFiles(place: Place): ClaudeFiles {
  const { join } = place.platform === "win32" ? win32 : posix;
  const { CLAUDE_CONFIG_DIR: named } = place.environment;
  return {
    settings: join(folderOf(place), "settings.json"),
    state: join(named || place.home, ".claude.json"),
    program: findProgram("claude", place.environment, place.platform),
  };
}

function folderOf({ home, platform, environment }: Place): string {
  const { join } = platform === "win32" ? win32 : posix;
  return environment.CLAUDE_CONFIG_DIR || join(home, ".claude");
}

const PERMISSION = "mcp__askline__*";
const TOKEN_NAME = "ASKLINE_CLAUDE_TOKEN";
/** A day: longer than anybody waits. At its end, Claude Code's own dialog goes on. */
const ASK_SECONDS = 86_400;
const TELL_SECONDS = 10;
/** The tools that ask for a permission; others have no ask that could end. */
const ASKING_TOOLS =
  "AskUserQuestion|ExitPlanMode|Bash|Edit|MultiEdit|Write|NotebookEdit|WebFetch|WebSearch|Skill|mcp__.*";

type Handler = Readonly<Record<string, unknown>>;

function hooksOf(options: PlanOptions): readonly (readonly [event: string, group: Handler])[] {
  const group = (seconds: number, matcher?: string): Handler => ({
    ...(matcher !== undefined && { matcher }),
    hooks: [handler(options, seconds)],
  });
  return [
    options.exclusive
      ? ["PreToolUse", group(ASK_SECONDS, ASKING_TOOLS)]
      : ["PermissionRequest", group(ASK_SECONDS, "*")],
    ["Elicitation", group(ASK_SECONDS)],
    ["PostToolUse", group(TELL_SECONDS, ASKING_TOOLS)],
    ["PostToolUseFailure", group(TELL_SECONDS, ASKING_TOOLS)],
    ...["PermissionDenied", "UserPromptSubmit", "Stop", "SubagentStop", "SessionEnd"].map(
      (event) => [event, group(TELL_SECONDS)] as const,
    ),
  ];
}

function handler({ command, flags, http }: PlanOptions, timeout: number): Handler {
  if (http === undefined) {
    return {
      type: "command",
      command: [...command, "hook", "claude", ...flags].map(shellWord).join(" "),
      timeout,
    };
  }
  return {
    type: "http",
    url: `${http.url}/v1/hooks/claude`,
    timeout,
    headers: { Authorization: `Bearer $${TOKEN_NAME}` },
    allowedEnvVars: [TOKEN_NAME],
  };
}

function isOurs(hook: unknown): boolean {
  if (!isRecord(hook)) return false;
  if (hook.type === "http") return typeof hook.url === "string" && hook.url.endsWith("/v1/hooks/claude");
  return typeof hook.command === "string" && /askline\S*["']? hook claude\b/.test(hook.command);
}

function withOurs(text: string, options: PlanOptions): string {
  let changed = text;
  for (const [event, group] of hooksOf(options)) changed = addItem(changed, ["hooks", event], group);
  changed = addItem(changed, ["permissions", "allow"], PERMISSION);
  if (options.http !== undefined) changed = setValue(changed, ["env", TOKEN_NAME], options.http.token);
  return changed;
}

/** Removes our entries, and what they leave empty. */
function withoutOurs(text: string): string {
  let changed = withoutHooks(text, isOurs);
  const { permissions, env } = jsonIn(changed);
  const allow = isRecord(permissions) && Array.isArray(permissions.allow) ? permissions.allow : [];
  const place = allow.indexOf(PERMISSION);
  if (place >= 0) {
    changed = setValue(changed, ["permissions", "allow", place], undefined);
    changed = withoutEmpty(withoutEmpty(changed, ["permissions", "allow"]), ["permissions"]);
  }
  if (isRecord(env) && TOKEN_NAME in env) {
    changed = withoutEmpty(setValue(changed, ["env", TOKEN_NAME], undefined), ["env"]);
  }
  return changed;
}

/** Whether the settings have exactly our entries already. */
function isConnected(text: string, options: PlanOptions): boolean {
  const { hooks, permissions, env } = jsonIn(text);
  if (!isRecord(hooks) || !isRecord(permissions) || !Array.isArray(permissions.allow)) return false;
  const found = Object.entries(hooks).flatMap(([event, groups]) =>
    Array.isArray(groups)
      ? groups.filter((group) => hasHook(group, isOurs)).map((group) => JSON.stringify([event, group]))
      : [],
  );
  const wanted = hooksOf(options).map((entry) => JSON.stringify(entry));
  const token = isRecord(env) ? env[TOKEN_NAME] : undefined;
  return (
    permissions.allow.includes(PERMISSION) &&
    token === options.http?.token &&
    found.length === wanted.length &&
    wanted.every((entry) => found.includes(entry))
  );
}

function planOf(
  place: Place,
  change: (text: string) => string,
  options: PlanOptions | undefined,
  isDone: (text: string, options: PlanOptions) => boolean,
): Plan {
  const { settings, state, program } = claudeFiles(place);
  const files: FileChange[] = [];
  const commands: CommandChange[] = [];
  const problems: string[] = [];
  const events = options === undefined ? [] : hooksOf(options);
  const current = readJsonText(settings, {
    ...{ hooks: "an object", permissions: "an object", "permissions.allow": "a list", env: "an object" },
    ...Object.fromEntries(events.map(([event]) => [`hooks.${event}`, "a list" as const])),
  });
  if (!current.ok) problems.push(current.problem);
  else if (options !== undefined || current.text !== undefined) {
    const { text: before } = current;
    const done = before !== undefined && options !== undefined && isDone(before, options);
    const changed = done ? before : change(before === undefined || before.trim() === "" ? "{}" : before);
    const after = before === undefined || before.trim() === "" ? `${changed}\n` : changed;
    const about =
      options === undefined
        ? ["remove our hooks and the permission"]
        : [`hooks for ${events.map(([event]) => event).join(", ")}`, `the permission ${PERMISSION}`];
    if (after !== before) files.push({ path: settings, before, after, about });
  }
  const known = readJsonText(state, { mcpServers: "an object" });
  if (!known.ok) problems.push(known.problem);
  else {
    const servers = jsonIn(known.text).mcpServers;
    const present = isRecord(servers) ? servers.askline : undefined;
    const wanted = options === undefined ? undefined : mcpEntry(options);
    if (!sameServer(present, wanted)) {
      if (program === undefined) {
        let after = known.text ?? "{}";
        after = setValue(after, ["mcpServers", "askline"], wanted);
        if (wanted === undefined) after = withoutEmpty(after, ["mcpServers"]);
        const about = [wanted === undefined ? "remove the MCP server askline" : "the MCP server askline"];
        if (after !== known.text) files.push({ path: state, before: known.text, after, about });
      } else {
        if (present !== undefined) {
          const run = [program, "mcp", "remove", "--scope", "user", "askline"];
          commands.push({ run, about: "remove the MCP server askline" });
        }
        if (options !== undefined)
          commands.push({ run: mcpAdd(program, options), about: "add the MCP server askline" });
      }
    }
  }
  return { files, commands, problems };
}

function mcpAdd(program: string, { command, flags }: PlanOptions): readonly string[] {
  return [program, "mcp", "add", "--scope", "user", "askline", "--", ...command, "mcp", ...flags];
}

function mcpEntry({ command: [program, script], flags }: PlanOptions): object {
  return { type: "stdio", command: program, args: [script, "mcp", ...flags], env: {} };
}

function sameServer(present: unknown, wanted: object | undefined): boolean {
  if (!isRecord(present) || wanted === undefined) return present === undefined && wanted === undefined;
  const { command, args } = wanted as { readonly command: string; readonly args: readonly string[] };
  return present.command === command && JSON.stringify(present.args) === JSON.stringify(args);
}
