// A PostgreSQL server of our own for as long as a measurement takes: default settings, so a commit is on disk
// when it is acknowledged; on a free port of the loopback; in a temporary folder.
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
    const server = await serve({ programs, data, port, account });
    return {
      url: `postgres://${USER}:${password}@${HOST}:${port}/postgres`,
      async close() {
        await server.stop();
        folder.remove();
      },
    };
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
    throw new Error("PostgreSQL is not on this machine: put its initdb and postgres on the PATH");
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
  throw new Error("PostgreSQL does not run as root, and there is no account postgres or nobody to run it");
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

async function serve({ programs, data, port, account }) {
  const settings = [`listen_addresses=${HOST}`, `port=${port}`, "unix_socket_directories="];
  const server = spawn(
    join(programs, "postgres"),
    ["-D", data, ...settings.flatMap((setting) => ["-c", setting])],
    { ...account, cwd: data, stdio: ["ignore", "ignore", "pipe"] },
  );
  const ended = new Promise((resolve) => server.once("close", resolve));
  // SIGINT asks PostgreSQL to end at once but in order. Should the bench die first, its server dies too.
  const stop = () => server.kill("SIGINT");
  process.once("exit", stop);
  await ready(server);
  return {
    async stop() {
      stop();
      await ended;
      process.off("exit", stop);
    },
  };
}

function ready(server) {
  return new Promise((resolve, reject) => {
    let log = "";
    server.stderr.setEncoding("utf8");
    server.stderr.on("data", (text) => {
      // Read to the end of its life: a full pipe would stop the server.
      log = (log + text).slice(-4000);
      if (log.includes("ready to accept connections")) resolve();
    });
    server.once("error", reject);
    server.once("exit", (code) => reject(new Error(`postgres ended with ${code}: ${log}`)));
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
