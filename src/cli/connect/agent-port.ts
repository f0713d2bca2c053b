import { stderrLogger } from "../output/logger.js";
import type { Settings } from "../settings/settings.js";
import type { World } from "../world/world.js";
import { createLocalPort, type LocalPort } from "./local-port.js";
import { announcedServer } from "./local-server.js";
import { namedUrl } from "./named-url.js";
import { openRemote, type RemoteFlags } from "./open-client.js";

export interface AgentPort {
  /** Its owner closes it. */
  readonly port: LocalPort;
  /** Flags that a printed command line needs to reach the same server; often empty. */
  readonly hint: string;
}

/** What differs at the server of this machine. */
export interface LocalOptions {
  /** The agent's token, instead of the one in the file of this machine. */
  readonly token?: string;
  /** Reports count as the person's where they may (`local-reports.ts`). */
  readonly reports?: boolean;
}

/**
 * Where a command sends the asks of its agent: to the server that the flags name, or to the one of this machine, which is
 * started when it is first needed.
 */
export async function openAgentPort(
  flags: RemoteFlags,
  settings: Settings,
  world: World,
  { token, reports = false }: LocalOptions = {},
): Promise<AgentPort> {
  const logger = stderrLogger(world);
  if (namedUrl(flags, world) !== undefined) {
    const { client, hint } = await openRemote(flags, "agent", settings, world, { logger });
    return { port: client, hint };
  }
  const port = createLocalPort(
    async () => {
      const server = await announcedServer(flags, settings, world);
      return token === undefined
        ? server
        : { ...server, credentials: { ...server.credentials, agent: token } };
    },
    settings.data,
    logger,
  );
  if (!reports) return { port, hint: "" };
  const { withLocalReports } = await import("./local-reports.js");
  return { port: withLocalReports(port, flags, settings, world), hint: "" };
}
