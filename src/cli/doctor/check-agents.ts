import { AGENTS } from "../../agents/set-up/agents.js";
import { readConnection } from "../../agents/set-up/connection.js";
import { findLocalServer } from "../connect/background.js";
import { remoteTokenProblem, tokenProblem } from "../connect/caller.js";
import type { Settings } from "../settings/settings.js";
import type { World } from "../world/world.js";
import { callerIn } from "./check-credentials.js";
import { type Finding, findings, type StoreContents } from "./finding.js";

const CONNECTED = findings("agents");

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
    return CONNECTED.ok(`none is connected${hint}`);
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
    if (problem !== undefined) return CONNECTED.wrong(`${title}: ${problem}`, fix);
  }
  if (lost.length === 0) return CONNECTED.ok(`${titles(connected)} is connected`);
  return CONNECTED.warning(`${titles(lost)} has lost its hooks or settings`, "askline connect");
}
