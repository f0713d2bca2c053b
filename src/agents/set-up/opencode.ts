// opencode: a plugin that starts our bridge beside each opencode, and an MCP server. A plugin is a file in its folder, so
// that only the MCP server changes a file of others.

import { existsSync, readFileSync } from "node:fs";
import { posix, win32 } from "node:path";
import { isRecord } from "../../core/kit/json.js";
import type { CodingAgent, FileChange, Place, Plan, PlanOptions } from "./agent.js";
import { findProgram, jsonIn, readJsonText, setValue, withoutEmpty } from "./edit-json.js";
import { opencodePlugin } from "./opencode-plugin.js";

export const opencode: CodingAgent = {
  name: "opencode",
  agentId: "opencode",
  title: "opencode",
  takes: [],
  find(place) {
    const { folder } = opencodeFiles(place);
    return (
      findProgram("opencode", place.environment, place.platform) ?? (existsSync(folder) ? folder : undefined)
    );
  },
  connect: planOf,
  disconnect: (place) => planOf(place, undefined),
  print: (options) =>
    [
      "In ~/.config/opencode/opencode.json:",
      "",
      setValue("{}", ["mcp", "askline"], mcpEntry(options)),
      "",
      "And the file ~/.config/opencode/plugin/askline.js:",
      "",
      opencodePlugin(options),
    ].join("\n"),
};

interface OpencodeFiles {
  readonly folder: string;
  readonly plugin: string;
  /** The first that exists; it reads all of them. */
  readonly settings: string;
}

/** The same folder on every system: opencode in XDG_CONFIG_HOME, or in .config of the home folder. */
export function opencodeFiles({ home, platform, environment }: Place): OpencodeFiles {
  const { join } = platform === "win32" ? win32 : posix;
  const folder = join(environment.XDG_CONFIG_HOME || join(home, ".config"), "opencode");
  const names = ["opencode.jsonc", "opencode.json", "config.json"].map((name) => join(folder, name));
  return {
    folder,
    plugin: join(folder, "plugin", "askline.js"),
    settings: names.find((path) => existsSync(path)) ?? join(folder, "opencode.json"),
  };
}

/** What is to be changed so that it is connected as the options say, or not connected without them. */
function planOf(place: Place, options: PlanOptions | undefined): Plan {
  const { plugin, settings } = opencodeFiles(place);
  const files: FileChange[] = [];
  const problems: string[] = [];

  const before = existsSync(plugin) ? readFileSync(plugin, "utf8") : undefined;
  const after = options === undefined ? undefined : opencodePlugin(options);
  if (after !== before) {
    const about =
      after === undefined ? "remove the plugin" : "the plugin that starts the bridge to your inbox";
    files.push({ path: plugin, before, after, about: [about] });
  }

  const current = readJsonText(settings, { mcp: "an object" });
  if (!current.ok) problems.push(current.problem);
  else {
    const { mcp } = jsonIn(current.text);
    const present = isRecord(mcp) ? mcp.askline : undefined;
    const wanted = options && mcpEntry(options);
    if (!sameServer(present, wanted)) {
      let text = setValue(current.text?.trim() ? current.text : "{}\n", ["mcp", "askline"], wanted);
      if (wanted === undefined) text = withoutEmpty(text, ["mcp"]);
      const about = wanted === undefined ? "remove the MCP server askline" : "the MCP server askline";
      files.push({ path: settings, before: current.text, after: text, about: [about] });
    }
  }
  return { files, commands: [], problems };
}

function mcpEntry({ command, flags }: PlanOptions): Readonly<Record<string, unknown>> {
  return { type: "local", command: [...command, "mcp", ...flags] };
}

/** Whether it starts the same command; `enabled` and the like belong to the user. */
function sameServer(present: unknown, wanted: Readonly<Record<string, unknown>> | undefined): boolean {
  if (!isRecord(present) || wanted === undefined) return present === wanted;
  return JSON.stringify(present.command) === JSON.stringify(wanted.command);
}
