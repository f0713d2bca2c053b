import { cpSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, onTestFinished } from "vitest";
import { postgresStore } from "../../src/hub/stores/postgres/index.ts";
import { systemClock } from "../../src/index.ts";
import { sampleNewAsk } from "../../src/testing/samples.ts";
import { connectTo, quiet } from "../hub/stores/postgres/open-store.ts";
import { startPostgres } from "../support/postgres.ts";
import { freshSchema, sharedPostgres } from "../support/shared-postgres.ts";
import { diagnose } from "./doctors.ts";
import { endProcesses, ROOT, run } from "./processes.ts";
import { newFolder, removeFolders } from "./servers.ts";

afterEach(endProcesses);
afterAll(removeFolders);

/** A database of its own on the shared server. */
async function newDatabase(): Promise<string> {
  const url = new URL(await sharedPostgres());
  const name = freshSchema();
  await (await connectTo(url.href)).query(`create database ${name}`);
  url.pathname = `/${name}`;
  return url.href;
}

async function filled(url: string): Promise<void> {
  const store = postgresStore({ url });
  await store.open({ clock: systemClock, logger: quiet });
  await store.asks.insert(sampleNewAsk(store.now()));
  await store.close();
}

const nowhere = () => ({ data: join(newFolder(), "data") });

describe("askline doctor on PostgreSQL", () => {
  it("is green on an empty database, and creates no tables", async () => {
    const url = await newDatabase();
    const { code, findings, faults } = await diagnose(nowhere(), ["--db", url]);
    expect(faults).toEqual([]);
    expect(findings.find(({ check }) => check === "migrations")?.message).toMatch(/no tables yet/);
    expect(code).toBe(0);
    const { rows } = await (await connectTo(url)).query("select from pg_namespace where nspname = 'askline'");
    expect(rows).toEqual([]);
    expect(JSON.stringify(findings)).not.toContain(new URL(url).password);
  });

  it("is green on one in use", async () => {
    const url = await newDatabase();
    await filled(url);
    const { findings, faults } = await diagnose(nowhere(), ["--db", url]);
    expect(faults).toEqual([]);
    expect(findings.find(({ check }) => check === "store")?.message).toMatch(/, PostgreSQL \d+/);
  });
});

describe("askline doctor finds wrong with PostgreSQL", () => {
  it("that it is stopped", async () => {
    const server = await startPostgres();
    onTestFinished(() => server.remove());
    await server.stop();
    const { code, faults } = await diagnose(nowhere(), ["--db", server.url]);
    expect(faults).toMatchObject([
      {
        check: "store",
        level: "wrong",
        message: expect.stringMatching(/cannot be reached \(.*ECONNREFUSED/),
      },
    ]);
    expect(code).toBe(1);
  });

  it("that it accepts the connection and does not respond", async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as { readonly port: number };
    const { faults } = await diagnose(nowhere(), ["--db", `postgres://a:geheim@127.0.0.1:${port}/x`]);
    expect(faults).toMatchObject([{ check: "store", level: "wrong" }]);
    expect(JSON.stringify(faults)).not.toContain("geheim");
  });

  it("a password", async () => {
    const url = new URL(await newDatabase());
    url.password = "geheim";
    const { faults } = await diagnose(nowhere(), ["--db", url.href]);
    expect(faults).toMatchObject([
      { check: "store", message: expect.stringMatching(/refused the password/) },
    ]);
    expect(JSON.stringify(faults)).not.toContain("geheim");
  });

  it("a database that does not exist", async () => {
    const url = new URL(await sharedPostgres());
    url.pathname = "/nowhere";
    const { faults } = await diagnose(nowhere(), ["--db", url.href]);
    expect(faults).toMatchObject([{ check: "store", message: expect.stringMatching(/does not exist/) }]);
  });

  it("a schema of a newer program", async () => {
    const url = await newDatabase();
    await filled(url);
    await (await connectTo(url)).query("update askline.meta set version = 99, requires = 98");
    const { faults } = await diagnose(nowhere(), ["--db", url]);
    expect(faults).toMatchObject([
      { check: "migrations", level: "wrong", fix: "npm install askline@latest" },
    ]);
  });

  it.each([
    ["that the user may make no schema", false, /may not create a schema/],
    ["that the user may not use the tables", true, /may not delete on ask_recipients, insert on/],
  ])("%s", async (_name, full, message) => {
    const url = new URL(await newDatabase());
    if (full) await filled(url.href);
    const role = freshSchema();
    await (await connectTo(url.href)).query(`create role ${role} login password 'x'`);
    url.username = role;
    url.password = "x";
    const { faults } = await diagnose(nowhere(), ["--db", url.href]);
    expect(faults).toMatchObject([
      { check: "store", level: "wrong", message: expect.stringMatching(message) },
    ]);
  });

  it("that it is read-only", async () => {
    const url = await newDatabase();
    const database = new URL(url).pathname.slice(1);
    await (await connectTo(url)).query(`alter database ${database} set default_transaction_read_only = on`);
    const { faults } = await diagnose(nowhere(), ["--db", url]);
    expect(faults).toMatchObject([
      { check: "store", level: "wrong", message: expect.stringMatching(/is read-only/) },
    ]);
  });

  it("that its clock differs, as a warning", async () => {
    const url = await newDatabase();
    const clock = { ...systemClock, now: () => Date.now() - 60_000 };
    const { code, faults } = await diagnose(nowhere(), ["--db", url], { world: { clock } });
    expect(faults).toMatchObject([
      { check: "clock", level: "warning", message: expect.stringMatching(/behind PostgreSQL's/) },
    ]);
    expect(code).toBe(0);
  });

  it("that the package pg is missing", async () => {
    const folder = installedWithout("pg");
    const args = ["doctor", "--json", "--port", "0", "--data", join(folder, "data")];
    const script = join(folder, "node_modules/askline/dist/bin/askline.js");
    const { stdout, code } = await run(script, [...args, "--db", "postgres://a@127.0.0.1:1/x"]);
    expect(JSON.parse(stdout).findings).toContainEqual(
      expect.objectContaining({ check: "pg", level: "wrong", fix: "npm install pg" }),
    );
    expect(code).toBe(1);
    expect(JSON.parse((await run(script, args)).stdout)).toMatchObject({ ok: true });
  });
});

/** A folder where askline is installed with all packages but one. */
function installedWithout(left: string): string {
  const folder = newFolder();
  const packages = join(folder, "node_modules");
  mkdirSync(join(packages, "askline"), { recursive: true });
  for (const name of ["dist", "package.json"]) {
    cpSync(join(ROOT, name), join(packages, "askline", name), { recursive: true });
  }
  for (const name of readdirSync(join(ROOT, "node_modules"))) {
    if (name === left || name === "askline" || name.startsWith(".")) continue;
    symlinkSync(join(ROOT, "node_modules", name), join(packages, name));
  }
  return folder;
}
