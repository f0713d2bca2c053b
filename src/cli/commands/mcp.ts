import { once } from "node:events";
import { createServer as createNodeServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, resolve } from "node:path";
import { Option } from "commander";
import type { McpOptions } from "../../agents/mcp/mcp-server.js";
import { connect } from "../../client/local-server.js";
import type { Logger } from "../../core/kit/logger.js";
import { defined } from "../../core/kit/tools.js";
import { openAgentPort } from "../connect/agent-port.js";
import { readCardFile } from "../connect/card-file.js";
import { announcedServer } from "../connect/local-server.js";
import { mcpSecret } from "../connect/mcp-secret.js";
import { namedUrl } from "../connect/named-url.js";
import type { RemoteFlags } from "../connect/open-client.js";
import { serverFetch } from "../connect/server-fetch.js";
import { collect, type Define, examples, withStartedServer } from "../input/command.js";
import { requireDuration } from "../input/time-flags.js";
import { stderrLogger } from "../output/logger.js";
import { readSettings, type Settings } from "../settings/settings.js";
import { CommandError } from "../world/exit.js";
import { packageVersion } from "../world/package-version.js";
import type { Interruption, World } from "../world/world.js";

export const define: Define = (command, { world, end }) => {
  withStartedServer(command)
    .option("--http", "serve Streamable HTTP on loopback, at /mcp, instead of stdio")
    .option("--port <port>", "with --http: the port (4781); 0 takes any free one")
    .option(
      "--wait <duration>",
      "how long a call waits before it returns pending (by client; see docs/mcp.md)",
    )
    .addOption(
      new Option("--tasks <when>", "when to return an MCP task to clients that take them")
        .choices(["auto", "always", "never"])
        .default("auto"),
    )
    .option("--elicit", "ask in the client's own form, if it shows forms; the inbox otherwise")
    .option("--race", "ask in the client's own form and in the inbox at once; the first answer counts")
    .option("--no-server", "ask in the client's own form only, without a server; nothing is stored")
    .option("--trust-client", "let approvals be given in the client's own form or card, too")
    .option("--session <id>", "the conversation of the asks")
    .option("--recipient <person>", "who may answer; repeatable (everyone)", collect)
    .option("--project <folder>", "the project shown to the person (CLAUDE_PROJECT_DIR; the current folder)")
    .addHelpText("after", HELP)
    .action(async () => end(await runMcp(command.optsWithGlobals(), world)));
};

const HELP = `
For MCP clients such as Claude Code, Cursor, VS Code or Codex, which start it themselves. The model asks with a tool,
and the person answers on any surface: "askline list", the inbox page, a phone. A call that waits too long for its
client returns "pending", and the question stays open. Clients that show cards or forms of their own can be answered there
too: docs/mcp.md says what that means. With --http, clients send a token of the server as
Authorization: Bearer. "askline serve" has the same at /mcp.
${examples("askline mcp", "askline mcp --url https://ask.example.com --token $TOKEN", "askline mcp --race", "askline mcp --http --port 4781")}`;

interface McpFlags extends RemoteFlags {
  readonly http?: boolean;
  readonly port?: string;
  readonly wait?: string;
  readonly tasks: NonNullable<McpOptions["tasks"]>;
  readonly elicit?: boolean;
  readonly race?: boolean;
  readonly server: boolean;
  readonly trustClient?: boolean;
  readonly session?: string;
  readonly recipient?: readonly string[];
  readonly project?: string;
}

/** `askline mcp`: serves MCP until its client closes stdin, or a signal ends it. */
async function runMcp({ port: httpPort, ...flags }: McpFlags, world: World): Promise<number> {
  const settings = await readSettings(flags, world);
  const logger = stderrLogger(world);
  const named = namedUrl(flags, world);
  const options: Omit<McpOptions, "port"> = {
    ...(flags.wait !== undefined && { waitMs: requireDuration("--wait", flags.wait) }),
    tasks: flags.tasks,
    ask: defined({ session: flags.session, recipients: flags.recipient }),
    version: packageVersion(),
    where: 'with "askline list" or in the inbox page (askline link --open)',
    elicit: flags.race ? "race" : flags.elicit || !flags.server ? "only" : "no",
    trustClient: flags.trustClient === true,
    card: readCardFile,
  };
  checkForms(flags, named);
  const interruption = world.interruption();
  try {
    if (flags.http) return await serveHttp(flags, httpPort, settings, options, logger, interruption, world);
    const project = projectFolder(flags, world);
    const { port, ...more } = await openPort(flags, settings, logger, world);
    const { createMcp } = await import("../../agents/mcp/mcp-server.js");
    const { serveStdio, StdioServerTransport } = await import("@modelcontextprotocol/server/stdio");
    const stateSecret = flags.server ? mcpSecret(settings.data) : undefined;
    const mcp = createMcp({ ...options, ...more, ...defined({ stateSecret, project }), port });
    const transport = new StdioServerTransport(world.stdin as never, world.stdout);
    const handle = serveStdio(() => mcp.createServer(), {
      transport,
      onerror: (error) => logger.warn(`MCP: ${error.message}`),
    });
    // Started now rather than at the first question, so that the first question does not wait for it.
    if (named === undefined && flags.server)
      void port.list({ status: "pending" }, { limit: 1 }).catch(() => undefined);
    await ended(world, interruption.signal);
    await handle.close();
    await port.close();
    return 0;
  } finally {
    interruption.dispose();
  }
}

/** A client starts us in its project; some start every server in the root or in the home folder, which say nothing. */
function projectFolder({ project }: McpFlags, { environment, folder, home }: World): string | undefined {
  const named = project ?? environment.CLAUDE_PROJECT_DIR;
  if (named !== undefined) return resolve(folder, named);
  return folder === home || dirname(folder) === folder ? undefined : folder;
}

function checkForms({ elicit, race, server, http }: McpFlags, named: string | undefined): void {
  if (elicit && race) throw new CommandError("choose one of --elicit and --race");
  if (server) return;
  const other = race ? "--race" : http ? "--http" : named === undefined ? undefined : "--url";
  if (other !== undefined) throw new CommandError(`--no-server cannot be combined with ${other}`);
}

type OpenPort = Pick<McpOptions, "port" | "hasInbox" | "person"> & {
  readonly port: { close(): Promise<void> };
};

/** Where the asks go: to a server, to the one of this machine, or with --no-server nowhere but to the client. */
async function openPort(
  flags: McpFlags,
  settings: Settings,
  logger: Logger,
  world: World,
): Promise<OpenPort> {
  if (!flags.server) {
    const { createHub } = await import("../../hub/hub.js");
    const { memoryStore } = await import("../../hub/stores/memory/memory-store.js");
    const hub = await createHub({ store: memoryStore(), clock: world.clock, logger });
    return { port: hub, hasInbox: false, person: settings.person };
  }
  const { port } = await openAgentPort(flags, settings, world, { reports: true });
  return { port };
}

/** Resolves when the client has closed stdin, or at a signal. */
function ended({ stdin }: World, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stream = stdin as unknown as NodeJS.ReadableStream;
    for (const event of ["end", "close", "error"]) stream.once(event, () => resolve());
    signal.addEventListener("abort", () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
}

const USUAL_HTTP_PORT = 4_781;

/** Streamable HTTP in front of a server: each request carries a token of that server. */
async function serveHttp(
  flags: McpFlags,
  port: string | undefined,
  settings: Settings,
  options: Omit<McpOptions, "port">,
  logger: Logger,
  { signal }: Interruption,
  world: World,
): Promise<number> {
  const wanted = port === undefined ? USUAL_HTTP_PORT : Number(port);
  if (!Number.isInteger(wanted) || wanted < 0 || wanted > 65_535) {
    throw new CommandError(`--port "${port}" is not a port; use 0 to 65535`);
  }
  const named = namedUrl(flags, world);
  const url = named?.replace(/\/$/, "") ?? (await announcedServer(flags, settings, world)).url;
  const { createMcpHttp } = await import("../../agents/mcp/http.js");
  const fetch = serverFetch(settings.data, url);
  const http = createMcpHttp({
    ...options,
    portOf: (token) => connect({ url, token, surface: "mcp", fetch, logger, clock: world.clock }),
  });
  const { nodeFetchHandler } = await import("../connect/mcp-endpoint.js");
  const nodeServer = createNodeServer(nodeFetchHandler(http, url, fetch));
  await once(nodeServer.listen(wanted, "127.0.0.1"), "listening");
  const { port: bound } = nodeServer.address() as AddressInfo;
  world.stderr.write(`askline: MCP at http://127.0.0.1:${bound}/mcp for the server at ${url}\n`);
  if (!signal.aborted) await once(signal, "abort");
  await http.close();
  nodeServer.closeAllConnections();
  await once(nodeServer.close(), "close");
  return 0;
}
