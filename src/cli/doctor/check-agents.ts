import { AGENTS } from "../../agents/set-up/agents.js";
import { readConnection } from "../../agents/set-up/connection.js";
import { findLocalServer } from "../connect/background.js";
import { remoteTokenProblem, tokenProblem } from "../connect/caller.js";
import type { Settings } from "../settings/settings.js";
import type { World } from "../world/world.js";
import { callerIn } from "./check-credentials.js";
import { type Finding, ok, type StoreContents, warning, wrong } from "./finding.js";

/** Checks that the agents which `askline connect` set up still have what it wrote, and a token that fits. */
export async function checkAgents(
  settings: Settings,
  contents: StoreContents | undefined,
  { home, environment, clock }: World,
): Promise<Finding> {
  const { data } = settings;
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
  const running = (await findLocalServer(settings))?.url;
  for (const { name, title } of connected) {
    const { url, token = "" } = readConnection(data, name) ?? {};
    const asked = url ?? running;
    // The server that the agent would use decides, whatever store is configured here.
    const problem =
      asked !== undefined
        ? await remoteTokenProblem(data, asked, token)
        : contents && tokenProblem(await callerIn(contents, token, clock.now()));
    const fix = url === undefined ? "askline connect" : `askline connect ${name} --url ${url} --token …`;
    if (problem !== undefined) return wrong("agents", `${title}: ${problem}`, fix);
  }
  if (lost.length === 0) return ok("agents", `${titles(connected)} is connected`);
  return warning("agents", `${titles(lost)} has lost its hooks or settings`, "askline connect");
}
