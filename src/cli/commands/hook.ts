import { setTimeout as pause } from "node:timers/promises";
import { HOLD_SECONDS, runCodexHook } from "../../agents/codex/hook.js";
import { type Connection, readConnection } from "../../agents/set-up/connection.js";
import { ASKING_EVENTS, unaskedDecision } from "../../agents/shapes/claude/hooks.js";
import { isRecord } from "../../core/kit/json.js";
import { defined, messageOf } from "../../core/kit/tools.js";
import { ensureLocalServer, findLocalServer } from "../connect/background.js";
import { codexAddress, isBridged } from "../connect/codex-place.js";
import { namedUrl } from "../connect/named-url.js";
import { patientFetch, type ServerFetch } from "../connect/server-fetch.js";
import { type Define, examples, withRemote } from "../input/command.js";
import { readSettings, type SettingFlags, type Settings } from "../settings/settings.js";
import { CommandError } from "../world/exit.js";
import type { World } from "../world/world.js";

export const define: Define = (command, { world, end }) => {
  withRemote(command, "the one on this machine, started in the background if none runs")
    .argument("<agent>", "which agent sends the event: claude or codex")
    .option("--defer <seconds>", "claude, for PreToolUse: park the run if nobody has decided by then")
    .option("--hold <seconds>", `codex: then its own dialog goes on (${HOLD_SECONDS})`)
    .addHelpText("after", HELP)
    .action(async (agent: string) =>
      end(await runHook(agent, command.optsWithGlobals() as HookFlags, world)),
    );
};

const HELP = `
Reads an event on stdin, has the server answer it, and prints what the agent reads. "askline connect" sets it up. If
no server answers within 5 seconds, it prints nothing, and the agent goes on by itself; a PreToolUse gate of claude
(connect --exclusive) is denied. Once the server has been reached, it waits through every outage.
${examples("askline hook claude < event.json", "askline hook codex --hold 10 < event.json")}`;

interface HookFlags extends SettingFlags {
  readonly url?: string;
  readonly token?: string;
  readonly defer?: string;
  readonly hold?: string;
}

const MOST_BYTES = 2 * 1024 * 1024;
const RETRY_MS = 500;
const REACH_MS = 5_000;

/** `askline hook`: one event, from stdin to stdout. Never allows anything by itself. */
async function runHook(agent: string, flags: HookFlags, world: World): Promise<number> {
  const own = { claude: "defer", codex: "hold" }[agent];
  if (own === undefined) throw new CommandError(`there are no hooks for "${agent}"; use claude or codex`);
  for (const flag of ["defer", "hold"] as const) {
    const value = flags[flag];
    if (value === undefined) continue;
    if (flag !== own) throw new CommandError(`--${flag} is not for ${agent}; omit it`);
    if (!/^\d{1,5}$/.test(value)) throw new CommandError(`--${flag} "${value}" is not a number of seconds`);
  }
  const body = await readEvent(world);
  const event = body === undefined ? undefined : eventIn(body);
  if (body === undefined || event === undefined) return 0;
  const settings = await readSettings(flags, world);
  const connection = readConnection(settings.data, agent);
  if (agent === "codex") {
    const address = codexAddress(undefined, { ...world, platform: process.platform });
    if (isBridged(settings.data, address)) return 0;
    await runCodexHook({
      event,
      holdMs: Number(flags.hold ?? HOLD_SECONDS) * 1_000,
      person: connection?.person,
      openServer: () => reachServer(() => serverOf(flags, settings, connection, true, world)),
      world,
    });
    return 0;
  }
  const isAsking = ASKING_EVENTS.includes(event.hook_event_name);
  const query = flags.defer === undefined ? "" : `?defer=${flags.defer}`;
  const find = () => serverOf(flags, settings, connection, isAsking, world);
  const unasked = (why: string, code: number): number => {
    world.stderr.write(`askline: ${why}\n`);
    const denied = unaskedDecision(event, why);
    if (denied === undefined) return code;
    world.stdout.write(JSON.stringify(denied));
    return 0;
  };
  for (let isReached = !isAsking; ; isReached = true) {
    const server = await (isReached ? find() : reachServer(find)).catch(messageOf);
    if (typeof server === "string") return unasked(server, 0);
    if (server === undefined) return 0;
    try {
      const { url, token, fetch } = server;
      const response = await fetch(`${url}/v1/hooks/claude${query}`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body,
        ...(!isAsking && { signal: AbortSignal.timeout(REACH_MS) }),
      });
      const { status } = response;
      const text = await response.text();
      const retry = response.headers.has("askline-retry");
      if (status === 200) world.stdout.write(text);
      if (status === 200 || (status === 204 && !retry) || !isAsking) return 0;
      if (status !== 204 && status < 500) {
        const fix = status === 401 ? '; run "askline connect" again' : "";
        return unasked(`the server answered ${status}: ${text.slice(0, 300)}${fix}`, 1);
      }
    } catch {
      // The server is gone, and the ask is kept: the next server takes it up.
      if (!isAsking) return 0;
    }
    await pause(RETRY_MS);
  }
}

interface Server {
  readonly url: string;
  readonly token: string;
  /** Not the usual one, which gives up after five minutes without a response. */
  readonly fetch: ServerFetch;
  /** It has not been looked at yet. */
  readonly isNamed?: true;
}

/** The server once it has answered, so that a dead one does not hold the agent for ever. */
async function reachServer(find: () => Promise<Server | undefined>): Promise<Server | undefined> {
  const server = await find();
  if (server?.isNamed === undefined) return server;
  const late = AbortSignal.timeout(REACH_MS);
  for (;;) {
    const answer = await server.fetch(`${server.url}/healthz`, { signal: late }).catch(() => undefined);
    await answer?.text().catch(() => undefined);
    if (answer !== undefined && answer.status < 500) return server;
    if (late.aborted) {
      throw new CommandError(`no server answered at ${server.url} within ${REACH_MS / 1_000} seconds`);
    }
    await pause(RETRY_MS);
  }
}

/** Undefined if no server runs and the event is not worth starting one. */
async function serverOf(
  flags: HookFlags,
  settings: Settings,
  connection: Connection | undefined,
  isAsking: boolean,
  world: World,
): Promise<Server | undefined> {
  const named = flags.url ?? connection?.url ?? namedUrl(flags, world);
  const own = flags.token ?? connection?.token;
  if (named !== undefined) {
    const token = own ?? world.environment.ASKLINE_TOKEN;
    if (token === undefined) throw new CommandError(`no token for ${named}; run "askline connect"`);
    const url = named.replace(/\/$/, "");
    return { url, token, fetch: patientFetch(settings.data, url), isNamed: true };
  }
  const serveFlags = Object.entries(
    defined({ "--data": flags.data, "--config": flags.config, "--person": connection?.person }) as Readonly<
      Record<string, string>
    >,
  ).flat();
  const found = isAsking
    ? await ensureLocalServer({ settings, flags: serveFlags })
    : await findLocalServer(settings);
  if (found === undefined) return undefined;
  const { url, credentials } = found;
  return { url, token: own ?? credentials.agent, fetch: patientFetch(settings.data, url) };
}

/** Undefined for an event above the bound, such as a large output of a tool. */
async function readEvent({ stdin }: World): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stdin as unknown as AsyncIterable<Buffer | string>) {
    const bytes = Buffer.from(chunk as string);
    length += bytes.length;
    if (length > MOST_BYTES) chunks.length = 0;
    else chunks.push(bytes);
  }
  return length > MOST_BYTES ? undefined : Buffer.concat(chunks).toString("utf8");
}

interface HookEvent extends Readonly<Record<string, unknown>> {
  readonly hook_event_name: string;
}

function eventIn(text: string): HookEvent | undefined {
  try {
    const event: unknown = JSON.parse(text);
    return isRecord(event) && typeof event.hook_event_name === "string" ? (event as HookEvent) : undefined;
  } catch {
    return undefined;
  }
}
