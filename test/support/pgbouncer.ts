// The real PgBouncer, in front of a PostgreSQL.

import { spawn } from "node:child_process";
import { chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram } from "../../scripts/prerequisites/programs.mjs";
import { freePort, unprivilegedAccount } from "./postgres.ts";
import type { Pooler } from "./transaction-pooler.ts";

export async function startPgbouncer(url: string, mode: "transaction" | "session"): Promise<Pooler> {
  const program = findProgram("pgbouncer");
  if (program === undefined) throw new Error("PgBouncer is not installed; npm run check installs it");
  const target = new URL(url);
  const account = unprivilegedAccount();
  const folder = await mkdtemp(join(tmpdir(), "askline-pgbouncer-"));
  const file = join(folder, "pgbouncer.ini");
  const port = await freePort();
  const { hostname, username, password } = target;
  await writeFile(
    file,
    `[databases]
* = host=${hostname} port=${target.port} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
`,
  );
  if (account.uid !== undefined && account.gid !== undefined) {
    await chown(folder, account.uid, account.gid);
    await chown(file, account.uid, account.gid);
  }
  const child = spawn(program, [file], {
    ...account,
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  await new Promise<void>((resolve, reject) => {
    let log = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      log += text;
      if (log.includes("process up")) resolve();
    });
    child.once("exit", () => reject(new Error(`pgbouncer ended: ${log}`)));
  });
  target.port = String(port);
  return {
    url: target.href,
    async close() {
      child.kill("SIGTERM");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
