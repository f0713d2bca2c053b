import { spawnSync } from "node:child_process";
import { realpathSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import type { CodingAgent, Place, Plan, PlanOptions } from "../../agents/set-up/agent.js";
import { AGENTS } from "../../agents/set-up/agents.js";
import {
  type ChangedFile,
  type Connection,
  readConnection,
  removeConnection,
  restore,
  writeChange,
  writeConnection,
} from "../../agents/set-up/connection.js";
import { defined } from "../../core/kit/tools.js";
import { displayLine } from "../../core/text/display.js";
import { createAuth } from "../../server/access/auth.js";
import type { Principal } from "../../server/access/principal.js";
import { freeName } from "../connect/agent-names.js";
import { findLocalServer, type LocalServer } from "../connect/background.js";
import { remoteTokenProblem, tokenProblem } from "../connect/caller.js";
import { runningAt, withStoreOf } from "../connect/last-server.js";
import { namedUrl } from "../connect/named-url.js";
import { localUrl } from "../connect/open-client.js";
import { type Define, examples, withDatabase } from "../input/command.js";
import { print } from "../output/print.js";
import { readSettings, type SettingFlags, type Settings } from "../settings/settings.js";
import { withStore } from "../settings/store.js";
import { CommandError, FAULT_EXIT_CODE } from "../world/exit.js";
import type { World } from "../world/world.js";

export const define: Define = (command, { world, end }) => {
  withDatabase(command)
    .argument("[agent]", `which one: ${AGENTS.map(({ name }) => name).join(", ")} (all that are installed)`)
    .option("--yes", "write the changes without asking")
    .option("--remove", "take back what was written, and revoke the agent's token")
    .option("--print", "print what to add by hand, and change nothing")
    .option(
      "--exclusive",
      "hide the agent's own dialog while it waits (PreToolUse); for runs without a terminal",
    )
    .option("--http", "have the agent call the server itself, with a token in its settings (mode 600)")
    .option("--person <id>", "the person at this terminal, whose answers the agent reports (you)")
    .option("--url <url>", "a server elsewhere (ASKLINE_URL); needs --token")
    .option("--token <token>", "a token of an agent on that server, made with --reports")
    .addHelpText("after", HELP)
    .action(async (name: string | undefined) =>
      end(await runConnect(name, command.optsWithGlobals() as ConnectFlags, world)),
    );
};

const HELP = `
Sets up coding agents on this machine, so that their questions and permission prompts come to your inbox as well. Shows
what it would change, asks, and keeps a copy of each file beside it. Entries of others stay as they are.
${examples("askline connect", "askline connect claude --yes", "askline connect --print codex", "askline connect --remove")}`;

interface ConnectFlags extends SettingFlags {
  readonly yes?: boolean;
  readonly remove?: boolean;
  readonly print?: boolean;
  readonly exclusive?: boolean;
  readonly http?: boolean;
  readonly person?: string;
  readonly url?: string;
  readonly token?: string;
}

async function runConnect(name: string | undefined, flags: ConnectFlags, world: World): Promise<number> {
  const place: Place = { home: world.home, platform: process.platform, environment: world.environment };
  const chosen = AGENTS.filter((agent) => name === undefined || agent.name === name);
  if (chosen.length === 0) {
    throw new CommandError(
      `there is no agent "${displayLine(name ?? "")}"; use ${AGENTS.map((agent) => agent.name).join(", ")}`,
    );
  }
  const settings = await readSettings(flags, world);
  const options = { ...baseOptions(flags), exclusive: flags.exclusive === true };
  if (flags.print) {
    requireUse(chosen, flags);
    await print(world, false, {}, () => chosen.map((agent) => agent.print(options, place)).join("\n\n"));
    return 0;
  }
  const found = chosen.filter((agent) => flags.remove || agent.find(place) !== undefined);
  if (found.length === 0) {
    throw new CommandError(
      `${chosen.map(({ title }) => title).join(", ")} is not installed here; "askline connect --print ${chosen[0]?.name}" prints what to add by hand`,
      FAULT_EXIT_CODE,
    );
  }
  if (!flags.remove) requireUse(found, flags);
  // What is written must fit the server that runs, which may use another store than the usual one.
  const running = namedUrl(flags, world) === undefined ? await findLocalServer(settings) : undefined;
  const own = withStoreOf(flags, settings.data, running?.url);
  let code = 0;
  for (const agent of found) {
    const task = flags.remove ? disconnectAgent : connectAgent;
    code = Math.max(code, await task(agent, { place, flags: own, settings, options, running, world }));
  }
  return code;
}

/** Refuses an option that one of the agents has no use for. */
function requireUse(agents: readonly CodingAgent[], flags: ConnectFlags): void {
  for (const option of ["exclusive", "http"] as const) {
    const without = agents.find(({ takes }) => flags[option] === true && !takes.includes(option));
    if (without === undefined) continue;
    const names = AGENTS.filter(({ takes }) => takes.includes(option)).map(({ name }) => name);
    throw new CommandError(
      `${without.title} has no use for --${option}; use askline connect ${names.join(" or ")} --${option}`,
    );
  }
}

interface Work {
  readonly place: Place;
  readonly flags: ConnectFlags;
  readonly settings: Settings;
  readonly options: PlanOptions;
  /** The server of this machine, if it runs and none elsewhere is named. */
  readonly running: LocalServer | undefined;
  readonly world: World;
}

/** The installed command, never a name that a later `npx` would look up. */
function baseOptions(flags: ConnectFlags): Omit<PlanOptions, "exclusive"> {
  const named = defined({ "--data": flags.data, "--config": flags.config }) as Readonly<
    Record<string, string>
  >;
  return {
    command: [process.execPath, realpathSync(process.argv[1] ?? "")],
    flags: Object.entries(named).flat(),
  };
}

async function connectAgent(agent: CodingAgent, work: Work): Promise<number> {
  const { place, flags, settings, world } = work;
  const existing = readConnection(settings.data, agent.name);
  const stale = existing === undefined ? undefined : await staleToken(existing, work);
  // The plan does not depend on a token that does not exist yet, except where it is written into a file.
  const dry = agent.connect(place, httpOptions(work, existing?.token ?? "…"));
  say(world, `${agent.title}, ${agent.find(place)}:`);
  describe(world, dry);
  if (stale !== undefined) say(world, `  replace the token: ${stale}`);
  if (work.options.command[1].includes("_npx")) {
    say(world, "  Note: this askline is a temporary copy of npx. Install it first: npm install -g askline");
  }
  const changes = dry.files.length + dry.commands.length + (stale === undefined ? 0 : 1);
  if (changes === 0 && existing !== undefined) {
    say(
      world,
      dry.problems.length === 0 ? "  Nothing to change: it is connected." : "  Nothing else to change.",
    );
    return dry.problems.length === 0 ? 0 : FAULT_EXIT_CODE;
  }
  if (!flags.yes && !(await confirm(world))) {
    say(world, "Nothing was changed. Write it with: askline connect --yes");
    return changes === 0 ? 0 : FAULT_EXIT_CODE;
  }
  const connection = await ensureToken(agent, existing, work);
  const plan = agent.connect(place, httpOptions(work, connection.token));
  const written: ChangedFile[] = [];
  const earlier = (path: string): ChangedFile | undefined =>
    existing?.files.find((file) => file.path === path);
  // Stored first: what is written can be taken back even if this process is killed.
  writeConnection(settings.data, agent.name, connection);
  for (const change of plan.files) {
    written.push(writeChange(change, earlier(change.path), flags.http === true));
  }
  const untouched = connection.files.filter(({ path }) => !written.some((file) => file.path === path));
  writeConnection(settings.data, agent.name, { ...connection, files: [...untouched, ...written] });
  const failed = runCommands(plan, world);
  for (const { path, backup } of written) {
    say(world, `  Wrote ${path}${backup === undefined ? "" : `; as it was: ${backup}`}`);
  }
  const incomplete = failed || plan.problems.length > 0;
  say(
    world,
    incomplete
      ? "Not everything could be written; see above."
      : `Connected as "${connection.name}", which reports the answers of ${connection.person}. Restart running sessions of ${agent.title}.`,
  );
  if (incomplete) return FAULT_EXIT_CODE;
  if (agent.afterwards !== undefined) say(world, agent.afterwards);
  if (flags.url === undefined) {
    say(world, "What it asks comes to your inbox: askline inbox, or askline link --open in a browser.");
  }
  return 0;
}

function httpOptions({ flags, settings, options, running }: Work, token: string): PlanOptions {
  if (!flags.http) return options;
  const url = flags.url ?? running?.url ?? localUrl(settings);
  return { ...options, http: { url: url.replace(/\/$/, ""), token } };
}

async function disconnectAgent(agent: CodingAgent, { place, flags, settings, world }: Work): Promise<number> {
  const existing = readConnection(settings.data, agent.name);
  const plan = agent.disconnect(place);
  if (existing === undefined && plan.files.length + plan.commands.length === 0) {
    say(world, `${agent.title} is not connected.`);
    return 0;
  }
  say(world, `${agent.title}:`);
  describe(world, plan);
  if (!flags.yes && !(await confirm(world))) {
    say(world, "Nothing was changed. Write it with: askline connect --remove --yes");
    return FAULT_EXIT_CODE;
  }
  const failed = runCommands(plan, world);
  const restored = (existing?.files ?? []).filter(
    (file) => plan.files.some(({ path }) => path === file.path) && restore(file),
  );
  for (const change of plan.files) {
    if (restored.some(({ path }) => path === change.path)) continue;
    writeChange(change, undefined, false);
  }
  if (existing !== undefined) await revoke(existing, flags, world);
  removeConnection(settings.data, agent.name);
  say(world, failed ? "Not everything could be removed; see above." : "Removed.");
  return failed || plan.problems.length > 0 ? FAULT_EXIT_CODE : 0;
}

/** A token of its own for the agent, with the right to report for the person at this terminal. */
async function ensureToken(
  agent: CodingAgent,
  existing: Connection | undefined,
  { flags, settings, running, world }: Work,
): Promise<Connection> {
  const url = namedUrl(flags, world);
  const person = personOf(existing, { flags, settings });
  // Each person's agent has a name of its own: agents of one name share their asks.
  const name = `${agent.agentId}-${person}`;
  if (url !== undefined) {
    const how = `askline token create --role agent --name ${name} --owner ${person} --reports ${person}`;
    if (flags.token === undefined) {
      throw new CommandError(`a server elsewhere needs a token for ${agent.title}: ${how}, then --token`);
    }
    const problem = await remoteTokenProblem(settings.data, url.replace(/\/$/, ""), flags.token);
    if (problem !== undefined) {
      throw new CommandError(`${agent.title} was not connected: ${problem}; create another there: ${how}`);
    }
    return { token: flags.token, name, person, url: url.replace(/\/$/, ""), files: existing?.files ?? [] };
  }
  const { url: _url, token: _token, ...store } = flags;
  return withStore(store, world, async (opened) => {
    const auth = createAuth({ records: opened.records, now: () => opened.now() });
    const known = existing === undefined ? undefined : await auth.verifyToken(existing.token);
    if (existing !== undefined && known !== undefined && isFor(person, known)) {
      return { ...existing, name: known.name, person };
    }
    // A token from before there were owners keeps its name, under which its asks are stored.
    const isOld = known?.role === "agent" && known.owner === undefined;
    const created = await auth.createToken({
      ...{ role: "agent", name: isOld ? known.name : await freeName(auth, name), owner: person },
      ...{ reports: [person], automatic: true },
    });
    if (running && (await remoteTokenProblem(settings.data, running.url, created.token)) !== undefined) {
      await auth.revokeToken(created.info.id);
      const store = runningAt(settings.data, running.url)?.store ?? "unknown";
      throw new CommandError(
        `${agent.title} was not connected: the server at ${running.url} does not know the token that was made for it, because it uses another store (${store}); run this again with the --db of that server`,
        FAULT_EXIT_CODE,
      );
    }
    if (known?.credential.kind === "token") await auth.revokeToken(known.credential.id);
    return { token: created.token, name: created.info.name, person, files: existing?.files ?? [] };
  });
}

/** Who is at this terminal: named now, or when the agent was connected. */
function personOf(
  existing: Connection | undefined,
  { flags, settings }: Pick<Work, "flags" | "settings">,
): string {
  return flags.person ?? existing?.person ?? settings.person;
}

function isFor(person: string, { role, owner, reports }: Principal): boolean {
  return role === "agent" && owner === person && reports?.includes(person) === true;
}

/** Why the agent needs another token; undefined if the one that it has fits. */
async function staleToken(
  existing: Connection,
  { flags, settings, running, world }: Work,
): Promise<string | undefined> {
  const url = existing.url ?? running?.url;
  const refused = url && (await remoteTokenProblem(settings.data, url, existing.token));
  if (refused || existing.url !== undefined) return refused;
  const { url: _url, token: _token, ...store } = flags;
  return withStore(store, world, async (opened) => {
    const auth = createAuth({ records: opened.records, now: () => opened.now() });
    const known = await auth.verifyToken(existing.token);
    const person = personOf(existing, { flags, settings });
    const isFine = known !== undefined && isFor(person, known);
    return isFine ? undefined : (tokenProblem(known) ?? `it does not say that it works for ${person}`);
  });
}

async function revoke({ token, url }: Connection, flags: ConnectFlags, world: World): Promise<void> {
  const [, id] = /^askline_([0-9a-f]{12})/.exec(token) ?? [];
  if (url !== undefined || id === undefined) return;
  await withStore(flags, world, async (store) => {
    await createAuth({ records: store.records, now: () => store.now() }).revokeToken(id);
  });
}

function describe(world: World, { files, commands, problems }: Plan): void {
  for (const { path, before, after, about } of files) {
    const verb = before === undefined ? "create" : after === undefined ? "remove" : "change";
    say(world, `  ${verb} ${path}`);
    for (const line of about) say(world, `    ${line}`);
  }
  for (const { run, about } of commands) say(world, `  run: ${run.join(" ")}   (${about})`);
  for (const problem of problems) say(world, `  left alone: ${problem}`);
}

/** Returns whether one failed. */
function runCommands({ commands }: Plan, world: World): boolean {
  let failed = false;
  for (const { run, about } of commands) {
    const [program = "", ...args] = run;
    const { status, error, stderr } = spawnSync(program, args, {
      env: world.environment as NodeJS.ProcessEnv,
      encoding: "utf8",
      timeout: 60_000,
      stdio: ["ignore", "pipe", "pipe"],
    });
    if (error === undefined && status === 0) continue;
    failed = true;
    say(world, `  failed: ${about}: ${displayLine(error?.message ?? stderr.trim()).slice(0, 500)}`);
  }
  return failed;
}

function say(world: World, line: string): void {
  world.stdout.write(`${displayLine(line)}\n`);
}

async function confirm(world: World): Promise<boolean> {
  const terminal = world.stdout.isTTY === true ? world.openTerminal() : undefined;
  if (terminal === undefined) return false;
  const reader = createInterface({
    input: terminal.input as unknown as NodeJS.ReadableStream,
    output: terminal.output as unknown as NodeJS.WritableStream,
  });
  try {
    return /^y(es)?$/i.test((await reader.question("Write these changes? [y/N] ")).trim());
  } finally {
    reader.close();
    terminal.close();
  }
}
