import { AGENTS } from "../../agents/set-up/agents.js";
import { readConnection } from "../../agents/set-up/connection.js";
import type { Client } from "../../client/connect.js";
import { AsklineError } from "../../core/model/error.js";
import { hang } from "../../people/cells/wrap.js";
import { findLocalServer } from "../connect/background.js";
import { namedUrl } from "../connect/named-url.js";
import { openRemote, type RemoteFlags } from "../connect/open-client.js";
import { type Define, examples, withRemote } from "../input/command.js";
import { askerName } from "../output/ask-summary.js";
import { columnsOf, print } from "../output/print.js";
import { counted, relativeTime, shortDuration } from "../output/units.js";
import { readSettings } from "../settings/settings.js";
import { CommandError } from "../world/exit.js";
import { packageVersion } from "../world/package-version.js";
import type { World } from "../world/world.js";

export const define: Define = (command, { world, end }) => {
  withRemote(command)
    .addHelpText("after", examples("askline", "askline status --json"))
    .action(async () => end(await runStatus(command.optsWithGlobals(), world)));
};

/** What is running, as `--json` prints it. */
interface Status {
  readonly version: string;
  readonly server?: { readonly url: string; readonly background: boolean; readonly startedAt?: number };
  /** Coding agents that `askline connect` has set up. */
  readonly connected: readonly string[];
  /** Absent if no server runs, or this machine has no person's token for it. */
  readonly asks?: RecentAsks;
  /** Command lines to go on with. */
  readonly next: readonly string[];
}

interface RecentAsks {
  readonly pending: number;
  /** There are more pending asks than were counted. */
  readonly more: boolean;
  /** When the oldest pending ask was made. */
  readonly since?: number;
  /** Agents that asked recently, the latest first. */
  readonly agents: readonly { readonly name: string; readonly askedAt: number }[];
}

/** `askline` without arguments: what is running and what to do next, in six lines. */
async function runStatus(flags: RemoteFlags, world: World): Promise<number> {
  const settings = await readSettings(flags, world);
  const named = namedUrl(flags, world);
  const local = named === undefined ? await findLocalServer(settings) : undefined;
  const url = named ?? local?.url;
  const asks = url === undefined ? undefined : await readAsks({ ...flags, url }, world);
  const isRunning = local !== undefined || asks !== undefined;
  const connected = AGENTS.filter(({ name }) => readConnection(settings.data, name) !== undefined).map(
    ({ title }) => title,
  );
  const status: Status = {
    version: packageVersion(),
    ...(isRunning &&
      url !== undefined && {
        server: {
          url,
          background: local?.background !== undefined,
          ...(local?.background !== undefined && { startedAt: local.background.startedAt }),
        },
      }),
    connected,
    ...(asks !== undefined && { asks }),
    next: nextSteps(isRunning, connected.length > 0, asks),
  };
  await print(world, flags.json, status, () => statusText(status, named, world));
  return 0;
}

const MOST_PENDING = 500;
const RECENT = 100;

/** What a person sees at the server; undefined if it does not answer, or there is no token. */
async function readAsks(flags: RemoteFlags, world: World): Promise<RecentAsks | undefined> {
  let client: Client | undefined;
  try {
    const settings = await readSettings(flags, world);
    ({ client } = await openRemote(flags, "person", settings, world, { retryForMs: 0 }));
    const [pending, recent] = await Promise.all([
      client.list({ status: "pending" }, { limit: MOST_PENDING }),
      client.list({}, { limit: RECENT, order: "newest" }),
    ]);
    const [oldest] = pending.asks;
    const agents = new Map<string, number>();
    for (const ask of recent.asks) {
      const name = askerName(ask);
      if (!agents.has(name)) agents.set(name, ask.createdAt);
    }
    return {
      pending: pending.asks.length,
      more: pending.next !== undefined,
      ...(oldest !== undefined && { since: oldest.createdAt }),
      agents: [...agents].map(([name, askedAt]) => ({ name, askedAt })),
    };
  } catch (error) {
    if (error instanceof AsklineError || error instanceof CommandError) return undefined;
    throw error;
  } finally {
    await client?.close();
  }
}

function nextSteps(
  isRunning: boolean,
  isConnected: boolean,
  asks: RecentAsks | undefined,
): readonly string[] {
  if (!isRunning) return isConnected ? ["askline serve"] : ["askline demo", "askline connect"];
  if (asks === undefined) return ["askline link --open", "askline doctor"];
  if (asks.pending > 0) return ["askline inbox", "askline link --open"];
  return asks.agents.length > 0 || isConnected ? ["askline inbox"] : ["askline demo", "askline connect"];
}

function statusText(
  { version, server, connected, asks, next }: Status,
  named: string | undefined,
  world: World,
): string {
  const now = world.clock.now();
  const columns = columnsOf(world);
  const line = (name: string, text: string): string => hang(`  ${name.padEnd(9)}`, text, columns);
  const since = server?.startedAt === undefined ? "" : `, started ${relativeTime(server.startedAt, now)}`;
  return [
    `Askline ${version}: agents ask, you answer.`,
    line(
      "Server",
      server === undefined
        ? named === undefined
          ? "none runs on this machine"
          : `none answers at ${named}`
        : `${server.url}${server.background ? ", in the background" : ""}${since}`,
    ),
    line("Waiting", waitingText(server !== undefined, asks, now)),
    line("Agents", agentsText(connected, asks, now)),
    line("Next", next.join(" · ")),
    line("More", "askline --help"),
  ].join("\n");
}

function waitingText(isRunning: boolean, asks: RecentAsks | undefined, now: number): string {
  if (asks === undefined) {
    return isRunning ? "unknown: no person's token is on this disk" : "unknown until a server runs";
  }
  if (asks.since === undefined) return "nothing";
  const count = asks.more ? `more than ${asks.pending} asks` : counted(asks.pending, "ask");
  return `${count}, the oldest for ${shortDuration(now - asks.since)}`;
}

const MOST_AGENTS = 3;

function agentsText(connected: readonly string[], asks: RecentAsks | undefined, now: number): string {
  const known = connected.map((title) => `${title} (connected)`);
  const agents = asks?.agents ?? [];
  if (agents.length + known.length === 0)
    return asks ? "none is connected or has asked yet" : "none is connected";
  const shown = agents
    .slice(0, MOST_AGENTS)
    .map(({ name, askedAt }) => `${name} (asked ${relativeTime(askedAt, now)})`);
  return [
    ...known,
    ...shown,
    ...(agents.length > MOST_AGENTS ? [`${agents.length - MOST_AGENTS} more`] : []),
  ].join(", ");
}
