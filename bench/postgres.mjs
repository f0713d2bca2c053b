// A PostgreSQL server of our own for as long as a measurement takes: default settings, so a commit is on disk
// when it is acknowledged; on a free port of the loopback; in a temporary folder. It outlives nobody: however
// the bench ends, killed or not, the server stops and the folder goes.
import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, existsSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { delimiter, join } from "node:path";
import { temporaryFolder } from "./temporary-folder.mjs";

const HOST = "127.0.0.1";
const USER = "bench";

/** Starts a server and gives `{ url, close }`. Throws where there is no PostgreSQL on this machine. */
export async function startPostgres() {
  const programs = findPrograms();
  const folder = temporaryFolder();
  try {
    const account = unprivilegedAccount();
    if (account.uid !== undefined) chownSync(folder.path, account.uid, account.gid);
    const data = join(folder.path, "data");
    const password = randomBytes(16).toString("hex");
    initialise({ programs, folder: folder.path, data, password, account });
    const port = await freePort();
    const close = await serve({ programs, folder: folder.path, data, port, account });
    return { url: `postgres://${USER}:${password}@${HOST}:${port}/postgres`, close };
  } catch (error) {
    folder.remove();
    throw error;
  }
}

function findPrograms() {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((one, other) => other - one) : [];
  const folders = [
    ...(process.env.PATH ?? "").split(delimiter),
    ...versions.map((version) => join(debian, version, "bin")),
  ];
  const found = folders.find(
    (path) => existsSync(join(path, "initdb")) && existsSync(join(path, "postgres")),
  );
  if (found === undefined) {
    throw new Error("PostgreSQL was not found; put its initdb and postgres on the PATH");
  }
  return found;
}

// PostgreSQL refuses to run as root, so root lends it the account that its package or the system has made.
function unprivilegedAccount() {
  if (process.getuid?.() !== 0) return {};
  for (const name of ["postgres", "nobody"]) {
    const [uid, gid] = ["-u", "-g"].map((flag) => spawnSync("id", [flag, name], { encoding: "utf8" }));
    if (uid.status === 0 && gid.status === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  }
  throw new Error(
    "PostgreSQL cannot run as root, and there is no user postgres or nobody; run the bench as another user",
  );
}

function initialise({ programs, folder, data, password, account }) {
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, password);
  chmodSync(passwordFile, 0o600);
  if (account.uid !== undefined) chownSync(passwordFile, account.uid, account.gid);
  const options = ["--username", USER, "--pwfile", passwordFile, "--auth", "scram-sha-256", "--no-sync"];
  const { status, stderr, error } = spawnSync(
    join(programs, "initdb"),
    ["--pgdata", data, ...options, "--encoding", "UTF8", "--locale", "C"],
    { ...account, cwd: folder, encoding: "utf8", timeout: 60_000 },
  );
  if (error !== undefined || status !== 0) throw new Error(`initdb failed: ${error?.message ?? stderr}`);
}

// Holds the server until its standard input ends, which is when we close it or when we are gone. SIGINT asks
// PostgreSQL to end at once but in order.
const KEEPER = `
  trap '' INT TERM HUP
  folder=$1; shift
  "$@" </dev/null &
  cat >/dev/null
  kill -INT $!
  wait $!
  rm -rf "$folder"`;

async function serve({ programs, folder, data, port, account }) {
  const settings = [`listen_addresses=${HOST}`, `port=${port}`, "unix_socket_directories="];
  const command = [
    join(programs, "postgres"),
    ...["-D", data],
    ...settings.flatMap((setting) => ["-c", setting]),
  ];
  const keeper = spawn("/bin/sh", ["-c", KEEPER, "keeper", folder, ...command], {
    ...account,
    cwd: "/",
    stdio: ["pipe", "ignore", "pipe"],
  });
  const ended = new Promise((resolve) => keeper.once("close", resolve));
  async function close() {
    keeper.stdin.end();
    await ended;
  }
  try {
    await ready(keeper);
  } catch (error) {
    await close();
    throw error;
  }
  return close;
}

function ready(keeper) {
  return new Promise((resolve, reject) => {
    let log = "";
    const refuse = (reason) => reject(new Error(`PostgreSQL did not start (${reason}): ${log}`));
    const timer = setTimeout(refuse, 30_000, "after 30 seconds");
    keeper.once("error", refuse);
    keeper.stderr.setEncoding("utf8");
    // Read to the end of its life: a full pipe would stop the server.
    keeper.stderr.on("data", (text) => {
      log = (log + text).slice(-4000);
      if (log.includes("ready to accept connections")) resolve();
      if (log.includes("FATAL:")) refuse("it said why");
    });
    keeper.once("close", () => refuse("it ended"));
    // The timer would keep the bench from ending.
    timer.unref();
  });
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, HOST, () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
