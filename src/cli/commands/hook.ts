import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { setTimeout as pause } from "node:timers/promises";
import { isRecord } from "../../core/index.js";
import { defined, messageOf } from "../../core/kit/tools.js";
import { ASKING_EVENTS } from "../../dialects/claude/hooks.js";
import { HOLD_SECONDS, runCodexHook } from "../agents/codex-hook.js";
import { codexAddress, isBridged } from "../agents/codex-place.js";
import { type Connection, readConnection } from "../agents/connection.js";
import { ensureLocalServer, findLocalServer } from "../connect/background.js";
import { namedUrl } from "../connect/named-url.js";
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
there is no server, it prints nothing, and the agent goes on by itself.
${examples("askline hook claude < event.json", "askline hook codex --hold 10 < event.json")}`;

interface HookFlags extends SettingFlags {
  readonly url?: string;
  readonly token?: string;
  readonly defer?: string;
  readonly hold?: string;
}

const MOST_BYTES = 2 * 1024 * 1024;
const RETRY_MS = 500;

/** `askline hook`: one event, from stdin to stdout. Never decides by itself. */
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
      openServer: () => serverOf(flags, settings, connection, true, world),
      world,
    });
    return 0;
  }
  const isAsking = ASKING_EVENTS.includes(event.hook_event_name);
  const query = flags.defer === undefined ? "" : `?defer=${flags.defer}`;
  for (;;) {
    const server = await serverOf(flags, settings, connection, isAsking, world).catch((error: unknown) => {
      world.stderr.write(`askline: ${messageOf(error)}\n`);
      return undefined;
    });
    if (server === undefined) return 0;
    try {
      const { status, text, retry } = await post(`${server.url}/v1/hooks/claude${query}`, server.token, body);
      if (status === 200) world.stdout.write(text);
      if (status === 200 || (status === 204 && !retry) || !isAsking) return 0;
      if (status !== 204 && status < 500) {
        const fix = status === 401 ? '; run "askline connect" again' : "";
        world.stderr.write(`askline: the server answered ${status}: ${text.slice(0, 300)}${fix}\n`);
        return 1;
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
    return { url: named.replace(/\/$/, ""), token };
  }
  const serveFlags = Object.entries(
    defined({ "--data": flags.data, "--config": flags.config, "--person": connection?.person }) as Readonly<
      Record<string, string>
    >,
  ).flat();
  const found = isAsking
    ? await ensureLocalServer({ settings, flags: serveFlags })
    : await findLocalServer(settings);
  return found && { url: found.url, token: own ?? found.credentials.agent };
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

interface Reply {
  readonly status: number;
  readonly text: string;
  readonly retry: boolean;
}

/** Not fetch, which gives up after five minutes without a response. */
function post(url: string, token: string, body: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = url.startsWith("https:") ? requestHttps : requestHttp;
    const sent = request(url, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
      },
    });
    sent.on("error", reject);
    sent.on("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          text: Buffer.concat(chunks).toString("utf8"),
          retry: response.headers["askline-retry"] !== undefined,
        }),
      );
    });
    sent.end(body);
  });
}
