// Plays docs/deploy.md as its reader would: the settings, the script, the unit and the commands are those of the page.
// Only paths, users and the address of PostgreSQL differ.
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ASKLINE, endProcesses, type Running, start } from "../cli/processes.ts";
import { freePort } from "../support/postgres.ts";
import { sharedPostgres } from "../support/shared-postgres.ts";
import { type CodeBlock, codeBlocks } from "./code-blocks.ts";
import { root } from "./repository.ts";

const PAGE = readFileSync(join(root, "docs/deploy.md"), "utf8");
const BLOCKS = codeBlocks(PAGE);

describe("docs/deploy.md", () => {
  const folder = mkdtempSync(join(tmpdir(), "askline-deploy-"));
  const config = join(folder, "config.json");
  const database = `askline_deploy_${randomBytes(6).toString("hex")}`;
  const bin = join(folder, "bin");
  const environment = { PATH: `${bin}:${process.env.PATH}`, HOME: folder };
  let shared: string;
  let port: number;
  let server: Running;

  beforeAll(async () => {
    shared = await sharedPostgres();
    await query(shared, `create database ${database}`);
    port = await freePort();
    const settings = JSON.parse(block("json", '"data"').text);
    const url = new URL(shared);
    url.pathname = `/${database}`;
    writeFileSync(config, JSON.stringify({ ...settings, data: join(folder, "data"), db: url.href, port }));
    mkdirSync(join(folder, "data"), { mode: 0o700 });
    mkdirSync(bin);
    writeProgram("askline", `#!/bin/sh\nexec '${process.execPath}' '${ASKLINE}' "$@"\n`);
    const admin = block("sh", "exec runuser -u askline -- env").text;
    writeProgram(
      "askline-admin",
      admin.replace("runuser -u askline -- ", "").replace("/etc/askline/config.json", config),
    );
  });

  afterAll(async () => {
    server?.child.kill("SIGTERM");
    await server?.ended;
    endProcesses();
    await query(shared, `drop database ${database} with (force)`);
    rmSync(folder, { recursive: true, force: true });
  });

  it("has a doctor who finds nothing wrong before the first start", () => {
    expect(admin(line("askline-admin doctor"))).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("Everything is fine"),
    });
  });

  it("has a unit that starts a server which is ready", async () => {
    const unit = block("ini", "ExecStart").text;
    const [, variable = ""] = /^Environment=(\w+)=\/etc\/askline\/config.json$/m.exec(unit) ?? [];
    const [, args = ""] = /^ExecStart=\/usr\/bin\/env askline (.*)$/m.exec(unit) ?? [];
    server = start(ASKLINE, args.split(" "), { env: { ...environment, [variable]: config } });
    const banner = await server.prints("/v1/asks?wait=60");
    expect((await send("/readyz")).status).toBe(200);
    // What the banner says to run must work here, where the address from outside does not.
    expect(banner).toContain(`askline link --config ${config}`);
    const [, headers = ""] = /-H @(\S+)/.exec(banner) ?? [];
    expect(readFileSync(headers, "utf8")).toContain("Authorization: Bearer askline_");
    expect(banner).toContain(`http://127.0.0.1:${port}/v1/asks?wait=60`);
  });

  it("ends with a person who is signed in, and an agent that gets her answer", async () => {
    const { stdout: link, stderr } = admin(line("askline-admin link --person ana --new"));
    // Nothing answers at the public address here, but the server does.
    expect(stderr).toContain(`while the server runs at http://127.0.0.1:${port}; if the link does not open`);
    const code = new URL(link.trim()).searchParams.get("code") ?? "";
    const page = await send(`/?code=${code}`);
    const [, action = ""] = /<form method="post" action="([^"]+)"/.exec(page.text) ?? [];
    const signedIn = await send(action, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", origin: "https://ask.example.com" },
      body: `code=${code}`,
    });
    const [cookie = ""] = String(signedIn.headers["set-cookie"]).split(";");
    const inbox = String(signedIn.headers.location);
    expect((await send(inbox, { headers: { cookie } })).text).toContain("ana");

    const token = admin(line("askline-admin token create")).stdout.trim();
    const ask = block("sh", "npx askline ask").text.split("\n").at(-1) ?? "";
    const asking = start(ASKLINE, shellWords(ask.replace("npx askline ", "")), {
      env: { ...environment, ASKLINE_URL: `http://127.0.0.1:${port}`, ASKLINE_TOKEN: token },
    });
    await asking.shows("is waiting for an answer");
    const listed = await send(`${inbox}v1/asks?status=pending`, { headers: { cookie } });
    const { asks } = JSON.parse(listed.text) as { readonly asks: readonly { readonly id: string }[] };
    const answered = await send(`${inbox}v1/asks/${asks[0]?.id}/answer`, {
      method: "POST",
      headers: { cookie, "content-type": "application/json", origin: "https://ask.example.com" },
      body: JSON.stringify({ answers: [{ question: "q1", selected: ["Yes"] }] }),
    });
    expect(answered.status, answered.text).toBe(200);
    expect(await asking.ended).toMatchObject({ code: 0, stdout: "Ship it?\nYes\n" });
  });

  /** A command line of the page, which must be there. */
  function line(beginning: string): string {
    const found = BLOCKS.flatMap(({ text: lines }) => lines.split("\n")).find((text) =>
      text.startsWith(beginning),
    );
    if (found === undefined) throw new Error(`docs/deploy.md has no line "${beginning}"`);
    return found;
  }

  function admin(command: string): {
    readonly status: number | null;
    readonly stdout: string;
    readonly stderr: string;
  } {
    return spawnSync("sh", ["-c", command], { env: environment, encoding: "utf8" });
  }

  function writeProgram(name: string, contents: string): void {
    writeFileSync(join(bin, name), contents);
    chmodSync(join(bin, name), 0o755);
  }

  /** A request as the proxy passes it on. */
  function send(
    path: string,
    {
      method = "GET",
      headers = {},
      body = "",
    }: {
      readonly method?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    } = {},
  ): Promise<{
    readonly status: number | undefined;
    readonly headers: NodeJS.Dict<string | string[]>;
    readonly text: string;
  }> {
    return new Promise((resolve, reject) => {
      const { pathname, search } = new URL(path, "https://ask.example.com");
      const forwarded = { host: "ask.example.com", "x-forwarded-for": "192.0.2.1", ...headers };
      // Each on a connection of its own: `admin` stops this process for seconds, in which the server may close an idle one.
      const to = { port, host: "127.0.0.1", path: pathname + search, agent: false };
      const sent = request({ ...to, method, headers: forwarded });
      sent.on("error", reject).on("response", async (response) => {
        resolve({ status: response.statusCode, headers: response.headers, text: await text(response) });
      });
      sent.end(body);
    });
  }
});

function block(language: string, contents: string): CodeBlock {
  const found = BLOCKS.find((one) => one.language === language && one.text.includes(contents));
  if (found === undefined) throw new Error(`docs/deploy.md has no ${language} block with ${contents}`);
  return found;
}

async function query(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql);
  await client.end();
}

/** The words of a simple command line with double quotes. */
function shellWords(command: string): readonly string[] {
  return [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? "");
}
