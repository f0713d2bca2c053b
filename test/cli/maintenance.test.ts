import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { sqliteStore } from "../../src/hub/stores/sqlite/index.ts";
import { type Ask, systemClock } from "../../src/index.ts";
import { answered, sampleNewAsk } from "../../src/testing/samples.ts";
import { healthy } from "./doctors.ts";
import { runHere } from "./in-process.ts";
import { ASKLINE, endProcesses, openTerminal, run } from "./processes.ts";
import { newFolder, post, removeFolders, serve, serveHere } from "./servers.ts";

afterEach(endProcesses);
afterAll(removeFolders);

const DAY = 86_400_000;

/** A store with asks that ended this many days ago, and one that is pending. */
async function oldAsks(
  ...days: readonly number[]
): Promise<{ readonly data: string; readonly pending: string }> {
  const data = newFolder();
  const store = sqliteStore({ path: join(data, "askline.db") });
  await store.open({ clock: systemClock, logger: console });
  const { ask: pending } = await store.asks.insert(sampleNewAsk(store.now()));
  for (const ago of days) {
    const settledAt = Date.now() - ago * DAY;
    const { ask } = sampleNewAsk(settledAt - 1_000);
    const ended: Ask = { ...ask, status: "answered", settledAt, outcome: answered("x") };
    const events = ["ask.created", "ask.answered"].map((type) => ({ at: settledAt, type }));
    await store.asks.restore({ ask: ended, events });
  }
  await store.close();
  return { data, pending: pending.id };
}

async function statuses(data: string): Promise<readonly string[]> {
  const store = sqliteStore({ path: join(data, "askline.db") });
  await store.open({ clock: systemClock, logger: console });
  const { asks } = await store.asks.list({ limit: 100 });
  await store.close();
  return asks.map(({ status }) => status);
}

describe("a store that does not exist", () => {
  it.each([
    ["export", "-"],
    ["prune", "--settled-before", "90d", "--yes"],
    ["backup", "copy.db"],
    ["link"],
    ["token", "list"],
    ["token", "revoke", "3f9a12bc77d0"],
  ])("is not made by askline %s, and not taken for an empty one", async (...command) => {
    const data = newFolder();
    const { code, stdout, stderr } = await runHere([...command, "--db", `sqlite:${join(data, "typo.db")}`]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(`the store ${join(data, "typo.db")} does not exist`);
    expect(readdirSync(data)).toEqual([]);
  });

  it("is not made by askline import --dry-run, which says what would be in it", async () => {
    const { data } = await oldAsks(1, 2);
    const archive = join(data, "asks.jsonl");
    await runHere(["export", archive, "--data", data]);
    const empty = newFolder();
    const target = ["--db", `sqlite:${join(empty, "new.db")}`];
    const { code, stdout } = await runHere(["import", archive, "--dry-run", "--json", ...target]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ imported: 3, dryRun: true });
    expect(readdirSync(empty)).toEqual([]);
  });
});

describe("askline backup", () => {
  it("copies a store that a server is using, for its owner alone, and says what is in it", async () => {
    const server = await serveHere();
    const { id } = await post(server, { questions: [{ question: "Kept?" }] });
    const copy = join(newFolder(), "copy.db");
    const { code, stdout } = await runHere(["backup", copy, "--data", server.data]);
    expect(stdout).toMatch(new RegExp(`^${copy}: 1 ask, 1 event, \\d+ KB, verified\n$`));
    expect(code).toBe(0);
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(copy))).toEqual(["copy.db"]);
    const again = await serveHere(newFolder(), { args: ["--db", `sqlite:${copy}`] });
    expect((await again.run(["show", id, "--json"])).stdout).toContain("Kept?");
  });

  it("replaces a file only with --force", async () => {
    const { data } = await healthy();
    const copy = join(newFolder(), "copy.db");
    writeFileSync(copy, "mine");
    const refused = await runHere(["backup", copy, "--data", data]);
    expect(refused.stderr).toMatch(/already exists.*--force/);
    expect(refused.code).toBe(1);
    expect(readFileSync(copy, "utf8")).toBe("mine");
    const { code, stdout } = await runHere(["backup", copy, "--data", data, "--force", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ path: copy, asks: 1, events: 1 });
    expect(code).toBe(0);
    expect(statSync(copy).mode & 0o777).toBe(0o600);
  });

  it("leaves nothing behind where the store is damaged", async () => {
    const { data, db } = await healthy();
    const bytes = readFileSync(db);
    bytes.fill(0xa5, 4_096 * 3, 4_096 * 5);
    writeFileSync(db, bytes);
    const folder = newFolder();
    const { code, stderr } = await runHere(["backup", join(folder, "copy.db"), "--data", data]);
    expect(stderr).toMatch(/^askline: [^\n]*(not whole|damaged)[^\n]*\n$/);
    expect(code).toBe(1);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each<readonly [string, (data: string) => readonly string[], RegExp, number]>([
    [
      "the store itself, even by force",
      (data) => [join(data, "askline.db"), "--force"],
      /the store itself/,
      2,
    ],
    ["a folder", (data) => [data], /is a folder/, 2],
    ["a folder that does not exist", (data) => [join(data, "no/copy.db")], /the folder .* does not exist/, 1],
    [
      "a store that does not exist",
      () => ["/tmp/x.db", "--db", "sqlite:/nowhere/x.db"],
      /the store .* does not exist/,
      1,
    ],
    ["memory", () => ["/tmp/x.db", "--db", "memory:"], /has no file to copy/, 1],
    [
      "PostgreSQL, and says what does it, without the password",
      () => ["/tmp/my copy", "--db", "postgres://ana:geheim@db.example/askline"],
      /pg_dump --format=custom --schema=askline --file='\/tmp\/my copy' postgres:\/\/ana@db\.example\/askline \(/,
      1,
    ],
  ])("refuses %s", async (_name, args, message, expected) => {
    const { data, db } = await healthy();
    const before = readFileSync(db);
    const { code, stderr } = await runHere(["backup", "--data", data, ...args(data)]);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain("geheim");
    expect(code).toBe(expected);
    expect(readFileSync(db).equals(before)).toBe(true);
  });
});

describe("askline prune", () => {
  it("removes what ended before a time, and says how many", async () => {
    const { data } = await oldAsks(200, 100, 10);
    const looked = await runHere(["prune", "--settled-before", "90d", "--dry-run", "--data", data]);
    expect(looked.stdout).toMatch(/^2 asks that ended before 20.*Z would be removed\.\n$/);
    expect(await statuses(data)).toHaveLength(4);
    const { code, stdout } = await runHere(["prune", "--settled-before", "90d", "--yes", "--data", data]);
    expect(stdout).toBe("2 asks removed.\n");
    expect(code).toBe(0);
    expect(await statuses(data)).toEqual(["pending", "answered"]);
    const again = await runHere(["prune", "--settled-before", "90d", "--data", data, "--json"]);
    expect(JSON.parse(again.stdout)).toMatchObject({ found: 0, removed: 0 });
  });

  it("lets the names of what it removed expire on the gateway, and no others", async () => {
    const { data, pending } = await oldAsks(200);
    const open = async () => {
      const store = sqliteStore({ path: join(data, "askline.db") });
      await store.open({ clock: systemClock, logger: console });
      return store;
    };
    const before = await open();
    const [old] = (await before.asks.list({ limit: 1, status: "settled" })).asks;
    await before.records.put("gateway.name", "exec-1", old?.id ?? "");
    await before.records.put("gateway.name", "exec-2", pending);
    await before.close();
    await runHere(["prune", "--settled-before", "90d", "--yes", "--data", data]);
    const after = await open();
    const [removed, kept] = await after.records.list("gateway.name", { limit: 3 });
    await after.close();
    expect((removed?.expiresAt ?? 0) - Date.now()).toBeGreaterThan(29 * DAY);
    expect(kept).toMatchObject({ key: "exec-2", value: pending });
    expect(kept).not.toHaveProperty("expiresAt");
  });

  it("removes the transcripts of sessions that have no ask left, and says how many", async () => {
    const { data } = await oldAsks(200);
    const at = Date.now() - 200 * DAY;
    const entries = [
      { at, type: "opened", data: { recipients: [] } },
      { at, type: "user", data: { text: "My secret" } },
    ];
    const store = sqliteStore({ path: join(data, "askline.db") });
    await store.open({ clock: systemClock, logger: console });
    const { asks } = await store.asks.list({ limit: 1, status: "settled" });
    for (const log of ["session/", "session/alone", "session/written"])
      await store.logs.restore(log, { head: 0, first: 1, entries });
    await store.logs.append([{ log: "session/written", type: "user", data: { text: "Lately" } }]);
    await store.asks.insert(sampleNewAsk(store.now(), { session: "asked" }));
    await store.logs.restore("session/asked", { head: 0, first: 1, entries });
    await store.close();
    // The pending ask of oldAsks keeps the transcript of the session without a name.
    expect(asks).toMatchObject([{ session: "" }]);
    const args = ["prune", "--settled-before", "90d", "--data", data];
    const looked = await runHere([...args, "--dry-run"]);
    expect(looked.stdout).toMatch(
      /^1 ask that ended before .*Z, and 1 transcript of sessions without other asks, would be removed\.\n$/,
    );
    const json = await runHere([...args, "--dry-run", "--json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({ found: 1, transcripts: { found: 1, removed: 0 } });
    expect((await runHere([...args, "--yes"])).stdout).toBe("1 ask and 1 transcript removed.\n");
    const after = sqliteStore({ path: join(data, "askline.db") });
    await after.open({ clock: systemClock, logger: console });
    const left = (await after.logs.list({ prefix: "session/", limit: 9 })).map(({ log }) => log);
    await after.close();
    expect(left).toEqual(["session/", "session/asked", "session/written"]);
    expect((await runHere([...args, "--yes"])).stdout).toMatch(/^No asks ended before/);
  });

  it("takes a date, a limit, and removes in batches", async () => {
    const { data } = await oldAsks(...Array.from({ length: 1_200 }, (_, index) => 400 + index / 100));
    const date = new Date(Date.now() - 300 * DAY).toISOString().slice(0, 10);
    const args = ["prune", "--settled-before", date, "--yes", "--data", data, "--json"];
    const first = await runHere([...args, "--limit", "700"]);
    expect(JSON.parse(first.stdout)).toMatchObject({ found: 700, removed: 700 });
    expect(JSON.parse((await runHere(args)).stdout)).toMatchObject({ found: 500, removed: 500 });
  });

  it("asks on a terminal, and takes only a yes", async () => {
    const { data } = await oldAsks(200);
    const line = `"$NODE" "$ASKLINE" prune --settled-before 90d --data ${data}; echo "code $?"`;
    const no = openTerminal(line);
    await no.shows("Continue? [y/N]");
    no.type("\r");
    await no.ended;
    expect(no.text()).toMatch(/Nothing was removed\.\ncode 0/);
    expect(await statuses(data)).toHaveLength(2);
    const yes = openTerminal(line);
    await yes.shows("Continue? [y/N]");
    yes.type("y\r");
    await yes.ended;
    expect(yes.text()).toMatch(/1 ask removed\.\ncode 0/);
    expect(await statuses(data)).toEqual(["pending"]);
  });

  it("removes nothing without a terminal to confirm at", async () => {
    const { data } = await oldAsks(200);
    const { code, stderr } = await runHere(["prune", "--settled-before", "90d", "--data", data]);
    expect(stderr).toMatch(/1 ask .* add --yes/);
    expect(code).toBe(2);
    expect(await statuses(data)).toHaveLength(2);
  });

  it("works while a server runs, whose event readers are notified", async () => {
    const { data } = await oldAsks(200, 100);
    const server = await serveHere(data);
    const { code } = await run(ASKLINE, ["prune", "--settled-before", "90d", "--yes", "--data", data]);
    expect(code).toBe(0);
    expect(JSON.parse((await server.run(["list", "--status", "all", "--json"])).stdout).asks).toHaveLength(1);
  });

  it("withdraws pending asks whose agents are gone, and leaves the others", async () => {
    const data = newFolder();
    const store = sqliteStore({ path: join(data, "askline.db") });
    await store.open({ clock: systemClock, logger: console });
    const createdAt = Date.now() - 40 * DAY;
    const events = [{ at: createdAt, type: "ask.created" }];
    const [gone, waited] = [sampleNewAsk(createdAt).ask, sampleNewAsk(createdAt).ask];
    for (const ask of [gone, waited]) await store.asks.restore({ ask, events });
    await store.records.put("touched", `${waited.id}/agent`, Date.now() - DAY);
    const { ask: young } = await store.asks.insert(sampleNewAsk(store.now()));
    await store.close();
    const server = await serveHere(data);
    const args = ["prune", "--abandoned", "30d", "--data", data];
    const looked = await runHere([...args, "--dry-run"]);
    expect(looked.stdout).toMatch(
      /^1 pending ask whose agent was last there before .*Z would be withdrawn\.\n$/,
    );
    expect((await runHere(args)).stderr).toMatch(/add --yes/);
    const { code, stdout } = await runHere([...args, "--yes", "--json"]);
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { found: 1, withdrawn: 1 }]);
    const { asks } = JSON.parse((await server.run(["list", "--status", "all", "--json"])).stdout);
    const byId = new Map(asks.map((ask: Ask) => [ask.id, ask]));
    expect(byId.get(gone.id)).toMatchObject({
      status: "withdrawn",
      outcome: { reason: expect.stringContaining("no agent has waited for it since") },
    });
    for (const id of [waited.id, young.id]) expect(byId.get(id)).toMatchObject({ status: "pending" });
    expect((await runHere([...args, "--yes"])).stdout).toMatch(/^No pending ask is abandoned since/);
  });

  it("is done by a server with --retain, and its banner says so", async () => {
    const { data, pending } = await oldAsks(200, 10);
    const server = await serve(data, { args: ["--retain", "90d"] });
    const ids = async (): Promise<readonly Pick<Ask, "id" | "status">[]> =>
      JSON.parse((await server.run(["list", "--status", "all", "--json"])).stdout).asks;
    await expect.poll(ids).toMatchObject([{ id: pending }, { status: "answered" }]);
    server.running.child.kill("SIGTERM");
    const { stdout, code } = await server.running.ended;
    expect([code, JSON.parse(stdout.split("\n")[0] ?? "")]).toMatchObject([0, { retention: "90d" }]);
  });

  it.each([
    ["nothing to prune", [], /--settled-before 90d, or --abandoned 30d/],
    ["both at once", ["--settled-before", "1d", "--abandoned", "1d"], /one after the other/],
    ["a moment of absence", ["--abandoned", "5m"], /too short.*use 1h or more/],
    ["an absence without a unit of time", ["--abandoned", "long"], /"long" is not a duration/],
    ["something else than a time", ["--settled-before", "soon"], /"soon" is not a time; write it like 90d/],
    ["a bare number, which may be meant as days", ["--settled-before", "90"], /"90" is not a time/],
    ["an invalid day", ["--settled-before", "2026-02-77"], /is not a time/],
    ["the future", ["--settled-before", "2999-01-01"], /is in the future/],
    ["no limit", ["--settled-before", "1d", "--limit", "0"], /--limit "0" must be/],
    ["a memory store", ["--settled-before", "1d", "--db", "memory:"], /exists only inside its server/],
  ])("refuses %s", async (_name, args, message) => {
    const { code, stderr } = await runHere(["prune", "--data", newFolder(), ...args]);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });
});
