// Two nodes on one PostgreSQL behind a real nginx, with the blocks of docs/deploy.md. Only addresses and paths differ.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, expect, it, onTestFinished } from "vitest";
import { findProgram } from "../../scripts/prerequisites/programs.mjs";
import { readCredentials } from "../../src/cli/connect/credentials.js";
import { endProcesses } from "../cli/processes.ts";
import { newFolder, removeFolders, type ServeProcess, serve } from "../cli/servers.ts";
import { until } from "../server/open-server.ts";
import { freePort } from "../support/postgres.ts";
import { sharedPostgres } from "../support/shared-postgres.ts";
import { codeBlocks } from "./code-blocks.ts";
import { root } from "./repository.ts";

const HELD = 20;
const POSTING = 4;
const RESTARTS = 3;

afterEach(endProcesses);
afterAll(removeFolders);

it("gives no client a 502 while one of two nodes is restarted, and asks nothing twice", async () => {
  const db = await newDatabase();
  const proxy = await freePort();
  const url = `http://127.0.0.1:${proxy}`;
  const data = newFolder();
  const args = ["--db", db, "--person", "ana", "--public-url", url, "--trusted-proxy", "127.0.0.1"];
  const start = (port: number): Promise<ServeProcess> => serve(data, { port: String(port), args });
  const ports = [await freePort(), await freePort()] as const;
  let restarted = await start(ports[0]);
  await start(ports[1]);
  await startNginx(proxy, ports);
  const tokens = readCredentials(data, `http://127.0.0.1:${ports[0]}`);

  const refused: string[] = [];
  const send = async (path: string, role: "agent" | "person", body?: object): Promise<Sent> => {
    const response = await fetch(`${url}/v1${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${tokens?.[role]}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (response.ok) return (await response.json()) as Sent;
    refused.push(`${response.status} ${path} ${await response.text()}`);
    return { ask: { id: "refused", status: "refused" } };
  };
  const post = (key: string, wait = ""): Promise<Sent> =>
    send(`/asks${wait}`, "agent", { questions: [{ question: `Ship ${key}?` }], key });

  const hold = async (key: string): Promise<string> => {
    const { ask } = await post(key, "?wait=25");
    return ask.status === "pending" ? hold(key) : ask.status;
  };
  const held = Array.from({ length: HELD }, (_, index) => hold(`held${index}`));
  await until(async () => (await send("/asks?status=pending", "agent")).asks?.length === HELD);

  let restarting = true;
  let posted = 0;
  const posting = Array.from({ length: POSTING }, async (_, worker) => {
    for (let index = 0; restarting; index += 1) {
      const { ask } = await post(`${worker}-${index}`);
      await send(`/asks/${ask.id}/withdraw`, "agent", {});
      posted += 1;
    }
  });
  for (let restart = 0; restart < RESTARTS; restart += 1) {
    const before = posted;
    restarted.running.child.kill("SIGTERM");
    expect(await restarted.running.ended).toMatchObject({ code: 0 });
    // The other node alone serves for a while.
    await until(() => posted > before + POSTING);
    restarted = await start(ports[0]);
  }
  restarting = false;
  await Promise.all(posting);

  const { asks = [] } = await send("/asks?status=pending", "person");
  for (const { id } of asks)
    await send(`/asks/${id}/answer`, "person", { answers: [{ question: "q1", text: "Yes" }] });
  const ends = await Promise.all(held);
  expect(refused).toEqual([]);
  expect(ends).toEqual(held.map(() => "answered"));
  const client = new pg.Client({ connectionString: db });
  await client.connect();
  const { rows } = await client.query("select count(*)::int as asks from askline.asks");
  await client.end();
  expect(rows).toEqual([{ asks: posted + HELD }]);
});

interface Sent {
  readonly ask: { readonly id: string; readonly status: string };
  readonly asks?: readonly { readonly id: string }[];
}

async function startNginx(port: number, nodes: readonly number[]): Promise<void> {
  const program = findProgram("nginx");
  if (program === undefined) throw new Error("nginx is not installed; npm run check installs it");
  const blocks = codeBlocks(readFileSync(join(root, "docs/deploy.md"), "utf8"))
    .filter(({ language }) => language === "nginx")
    .map(({ text }) => text);
  const [site = "", several = ""] = blocks;
  let node = 0;
  const upstream = several.replaceAll(/[\d.]+:4780/g, () => `127.0.0.1:${nodes[node++]}`);
  const folder = newFolder();
  const config = site
    .replace(/^upstream askline \{[^}]*\}$/m, upstream)
    .replace("listen 443 ssl", `listen 127.0.0.1:${port}`)
    .replaceAll(/^.*\bssl_.*$/gm, "");
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  writeFileSync(
    join(folder, "nginx.conf"),
    `daemon off;\npid ${folder}/pid;\nevents {}\nhttp {\naccess_log off;\n${temporary.join("\n")}\n${config}\n}\n`,
  );
  const child = spawn(program, ["-e", "stderr", "-c", join(folder, "nginx.conf")], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  onTestFinished(async () => {
    child.kill("SIGTERM");
    if (child.exitCode === null) await once(child, "exit");
  });
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`nginx ended: ${log}`);
    return (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.ok === true;
  });
}

async function newDatabase(): Promise<string> {
  const shared = await sharedPostgres();
  const name = `nginx_${randomBytes(6).toString("hex")}`;
  const client = new pg.Client({ connectionString: shared });
  await client.connect();
  await client.query(`create database ${name}`);
  onTestFinished(async () => {
    await client.query(`drop database ${name} with (force)`);
    await client.end();
  });
  const url = new URL(shared);
  url.pathname = `/${name}`;
  return url.href;
}
