// Real PostgreSQL servers for tests: each in a temporary folder, on a free port of the loopback, under an
// account that is not root, which PostgreSQL demands.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { chmod, chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findPostgres } from "../../scripts/prerequisites/postgres.mjs";

export interface PostgresServer {
  /** Connects as the server's owner, with a password. */
  readonly url: string;
  readonly port: number;
  start(): Promise<void>;
  /** Ends it in order; connections are cut. */
  stop(): Promise<void>;
  /** Kills the server and everything it started, at once, as a power cut would. */
  kill9(): Promise<void>;
  /** Stops it and removes its folder. */
  remove(): Promise<void>;
}

export interface PostgresOptions {
  /** Settings of the server, as in postgresql.conf. */
  readonly settings?: Readonly<Record<string, string>>;
}

const HOST = "127.0.0.1";
const OWNER = "askline";

/** Makes a database cluster and starts a server on it. */
export async function startPostgres({ settings = {} }: PostgresOptions = {}): Promise<PostgresServer> {
  const programs = postgresPrograms();
  const account = unprivilegedAccount();
  const folder = await mkdtemp(join(tmpdir(), "askline-postgres-"));
  const password = randomBytes(12).toString("hex");
  try {
    const data = await initialise({ programs, account, folder, password });
    const port = await freePort();
    const run: Run = { programs, account, data, port, settings };
    let child: ChildProcess | undefined = await launch(run);
    const end = async (how: (child: ChildProcess) => void): Promise<void> => {
      const ending = child;
      child = undefined;
      if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return;
      const ended = new Promise((resolve) => ending.once("exit", resolve));
      how(ending);
      await ended;
    };
    const stop = (): Promise<void> => end((ending) => ending.kill("SIGINT"));
    return {
      url: `postgres://${OWNER}:${password}@${HOST}:${port}/postgres`,
      port,
      stop,
      kill9: () => end(killTree),
      async start() {
        child ??= await launch(run);
      },
      async remove() {
        await stop();
        await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

interface Run {
  readonly programs: string;
  readonly account: Account;
  readonly data: string;
  readonly port: number;
  readonly settings: Readonly<Record<string, string>>;
}

function postgresPrograms(): string {
  const found = findPostgres();
  if (found === undefined) throw new Error("PostgreSQL is not on this machine; `npm test` installs it");
  return found;
}

export function unprivilegedAccount(): Account {
  if (process.getuid?.() !== 0) return {};
  const accounts = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  for (const wanted of ["postgres", "nobody"]) {
    const [, , uid, gid] = accounts.find(([name]) => name === wanted) ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error("PostgreSQL does not run as root, and there is no account postgres or nobody to run it");
}

async function initialise({
  programs,
  account,
  folder,
  password,
}: Omit<Run, "data" | "port" | "settings"> & {
  readonly folder: string;
  readonly password: string;
}): Promise<string> {
  const data = join(folder, "data");
  const passwordFile = join(folder, "password");
  await writeFile(passwordFile, password);
  await chmod(passwordFile, 0o600);
  if (account.uid !== undefined && account.gid !== undefined) {
    await chown(folder, account.uid, account.gid);
    await chown(passwordFile, account.uid, account.gid);
  }
  const login = ["--username", OWNER, "--pwfile", passwordFile, "--auth", "scram-sha-256"];
  await promisify(execFile)(
    join(programs, "initdb"),
    ["--pgdata", data, ...login, "--no-sync", "--encoding", "UTF8", "--locale", "C"],
    { ...account, cwd: folder },
  );
  return data;
}

// A server that was killed may hold its port or its shared memory for a moment longer.
async function launch(run: Run): Promise<ChildProcess> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await launchOnce(run);
    } catch (error) {
      if (attempt === 20) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

function launchOnce({ programs, account, data, port, settings }: Run): Promise<ChildProcess> {
  const all = {
    listen_addresses: HOST,
    port: String(port),
    unix_socket_directories: "",
    max_connections: "300",
    ...settings,
  };
  const child = spawn(
    join(programs, "postgres"),
    ["-D", data, ...Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    { ...account, cwd: data, stdio: ["ignore", "ignore", "pipe"] },
  );
  const killOnExit = (): void => {
    child.kill("SIGQUIT");
  };
  process.once("exit", killOnExit);
  child.once("exit", () => process.off("exit", killOnExit));
  return new Promise((resolve, reject) => {
    let log = "";
    child.stderr.setEncoding("utf8");
    // Read to the end of its life: a full pipe would stop the server.
    child.stderr.on("data", (text: string) => {
      log = (log + text).slice(-4000);
      if (log.includes("ready to accept connections")) resolve(child);
    });
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`postgres ended with ${code}: ${log}`)));
  });
}

function killTree(child: ChildProcess): void {
  const children = childrenOf(child.pid);
  child.kill("SIGKILL");
  for (const pid of children) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended by itself when its parent did.
    }
  }
}

// PostgreSQL's processes leave the process group of the first. Where there is no /proc they end by
// themselves as soon as they see that it is gone.
function childrenOf(parent: number | undefined): readonly number[] {
  if (parent === undefined || !existsSync("/proc/self/stat")) return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === parent)
    .map(Number);
}

function parentOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return undefined;
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, HOST, () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
