import { AGENTS } from "../agents/agents.js";
import { readConnection } from "../agents/connection.js";
import type { Settings } from "../settings/settings.js";
import type { World } from "../world/world.js";
import { type Finding, ok, warning } from "./finding.js";

/** Checks that the agents which `askline connect` set up still have what it wrote. */
export function checkAgents({ data }: Settings, { home, environment }: World): Finding {
  const place = { home, environment, platform: process.platform };
  const connected = AGENTS.filter(({ name }) => readConnection(data, name) !== undefined);
  if (connected.length === 0) {
    const found = AGENTS.filter((agent) => agent.find(place) !== undefined).map(({ title }) => title);
    const hint = found.length === 0 ? "" : `; found ${found.join(", ")}: "askline connect" connects it`;
    return ok("agents", `none is connected${hint}`);
  }
  const lost = connected.filter((agent) => {
    const { files, commands } = agent.disconnect(place);
    return files.length + commands.length === 0;
  });
  const titles = (agents: readonly { readonly title: string }[]): string =>
    agents.map(({ title }) => title).join(", ");
  if (lost.length === 0) return ok("agents", `${titles(connected)} is connected`);
  return warning("agents", `${titles(lost)} has lost its hooks or settings`, "askline connect");
}
