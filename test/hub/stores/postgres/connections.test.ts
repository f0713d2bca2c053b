import { createServer } from "node:net";
import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Store } from "../../../../src/hub/seam/store.js";
import { type PostgresStoreOptions, postgresStore } from "../../../../src/hub/stores/postgres/index.ts";
import type { AsklineError } from "../../../../src/index.ts";
import { answered, sampleNewAsk, settle } from "../../../../src/testing/samples.ts";
import { freePort } from "../../../support/postgres.ts";
import { freshSchema, sharedPostgres } from "../../../support/shared-postgres.ts";
import { startProxy, type TcpProxy } from "../../../support/tcp-proxy.ts";
import { connectTo, counter, openStore } from "./open-store.ts";

const PASSWORD = "hunter2-and-more";

describe("a server that cannot be used", () => {
  /** One that answers is waited for as long as by default: its refusal may take a while. */
  async function failure(url: string, options: { openTimeoutMs?: number } = {}): Promise<AsklineError> {
    const error = await openStore({ url, ...options }).then(
      () => undefined,
      (reason: AsklineError) => reason,
    );
    expect(error?.code).toBe("store_unavailable");
    expect(`${error?.message} ${JSON.stringify(error?.cause)}`).not.toContain(PASSWORD);
    return error as AsklineError;
  }

  it("is refused where nobody listens", async () => {
    const url = `postgres://ana:${PASSWORD}@127.0.0.1:${await freePort()}/db`;
    const { message } = await failure(url, { openTimeoutMs: 300 });
    expect(message).toMatch(/PostgreSQL did not answer for .* ECONNREFUSED/);
  });

  it("is waited for where its socket is not there yet", async () => {
    const { message } = await failure("postgres:///db?user=ana&host=/nowhere/askline", {
      openTimeoutMs: 300,
    });
    expect(message).toMatch(/PostgreSQL did not answer for .* ENOENT/);
  });

  it("is given up when it takes the connection and says nothing", async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void silent.close());
    silent.on("connection", (socket) => onTestFinished(() => void socket.destroy()));
    await new Promise((resolve) => silent.once("listening", resolve));
    const { port } = silent.address() as { readonly port: number };
    const url = `postgres://ana:${PASSWORD}@127.0.0.1:${port}/db`;
    const { message } = await failure(url, { openTimeoutMs: 300 });
    expect(message).toMatch(/PostgreSQL did not answer for/);
  });

  it("says what is wrong with the login, at once and without the password", async () => {
    const url = new URL(await sharedPostgres());
    url.password = PASSWORD;
    const { message } = await failure(url.href);
    expect(message).toMatch(/refused the password: check the user and the password/);
  });

  it("says that a database is missing", async () => {
    const url = new URL(await sharedPostgres());
    url.pathname = "/nowhere";
    expect((await failure(url.href)).message).toMatch(/does not exist: create it first/);
  });

  it.each([
    `not a url ${PASSWORD}`,
    `mysql://ana:${PASSWORD}@host/db`,
    `postgres://ana:${PASSWORD}@host:x/db`,
  ])("does not repeat the URL %#", (url) => {
    expect(() => postgresStore({ url })).toThrow(/^invalid PostgreSQL URL/);
    expect(() => postgresStore({ url })).not.toThrow(PASSWORD);
  });

  it("says that it takes no writes", async () => {
    const schema = freshSchema();
    await openStore({ schema });
    const url = new URL(await sharedPostgres());
    url.searchParams.set("options", "-c default_transaction_read_only=on");
    const store = await openStore({ schema, url: url.href });
    await expect(store.asks.insert(sampleNewAsk(0))).rejects.toMatchObject({ code: "store_readonly" });
    expect(await store.asks.list({ limit: 1 })).toEqual({ asks: [] });
  });
});

describe("a network that breaks", () => {
  async function throughProxy(
    options: Partial<PostgresStoreOptions> = {},
  ): Promise<{ readonly store: Store; readonly proxy: TcpProxy; readonly schema: string }> {
    const url = new URL(await sharedPostgres());
    const proxy = await startProxy({ host: url.hostname, port: Number(url.port) });
    onTestFinished(() => proxy.close());
    url.port = String(proxy.port);
    const schema = freshSchema();
    const store = await openStore({ schema, ...options, url: url.href } as PostgresStoreOptions);
    return { store, proxy, schema };
  }

  it("is noticed when its connections are half open", async () => {
    const { store, proxy } = await throughProxy({ queryTimeoutMs: 300 });
    await Promise.all(Array.from({ length: 20 }, () => store.records.get("n", "k")));
    proxy.goSilent();
    const created = sampleNewAsk(store.now());
    expect((await store.asks.insert(created)).kind).toBe("created");
    expect(await store.asks.get(created.ask.id)).toEqual(created.ask);
  });

  it("ends all calls in about the time of one when it is gone for good", async () => {
    const { store, proxy } = await throughProxy({ retryMs: 400 });
    await proxy.close();
    const lasting = async (count: number): Promise<number> => {
      const started = performance.now();
      const calls = Array.from({ length: count }, () => store.asks.insert(sampleNewAsk(store.now())));
      for (const result of await Promise.allSettled(calls)) {
        expect(result).toMatchObject({ status: "rejected", reason: { code: "store_unavailable" } });
      }
      return performance.now() - started;
    };
    // One after the other they would take forty times as long, on any machine.
    const one = await lasting(1);
    expect(await lasting(40)).toBeLessThan(20 * one);
  });

  it("is noticed by who watches", async () => {
    const { store, proxy, schema } = await throughProxy({ queryTimeoutMs: 300, pollMs: 50 });
    const other = await openStore({ schema });
    const calls = counter();
    store.watch(calls);
    await calls.reached(1);
    proxy.goSilent();
    await other.records.put("n", "k", 1);
    await calls.reached(2);
  });

  it("loses no insert and repeats none when the result of its commit is lost", async () => {
    const { store, proxy } = await throughProxy();
    const created = sampleNewAsk(store.now(), { session: "s", key: "k" });
    proxy.loseNextReply();
    expect(await store.asks.insert(created)).toEqual({ kind: "created", ask: created.ask });
    expect((await store.logs.bounds("events")).head).toBe(1);
  });

  it("recognises its own settlement", async () => {
    const { store, proxy } = await throughProxy();
    const created = sampleNewAsk(store.now());
    await store.asks.insert(created, [{ log: "l", type: "t" }]);
    proxy.loseNextReply();
    const changed = await store.asks.change(created.ask.id, settle(answered("yes")), [
      { log: "l", type: "t" },
    ]);
    expect(changed).toMatchObject({ applied: true, ask: { status: "answered" } });
    expect((await store.logs.bounds("events")).head).toBe(2);
    expect((await store.logs.bounds("l")).head).toBe(2);
  });

  it("recognises that it extended, and that it marked overdue", async () => {
    const { store, proxy } = await throughProxy();
    const created = sampleNewAsk(store.now() - 60_000, { timeoutMs: 1_000 });
    await store.asks.insert(created);
    const deadline = store.now() - 1_000;
    proxy.loseNextReply();
    expect(
      await store.asks.change(created.ask.id, { kind: "extend", deadline, when: "anytime" }),
    ).toMatchObject({
      applied: true,
      ask: { deadline },
    });
    proxy.loseNextReply();
    expect(await store.asks.change(created.ask.id, { kind: "overdue" })).toMatchObject({ applied: true });
    expect((await store.logs.bounds("events")).head).toBe(3);
  });

  it("appends once", async () => {
    const { store, proxy } = await throughProxy();
    await store.logs.append(["a", "b"].map((log) => ({ log, type: "t" })));
    proxy.loseNextReply();
    const entries = ["a", "a", "b", "a"].map((log) => ({ log, type: "t" }));
    expect(await store.logs.append(entries)).toEqual([2, 3, 2, 4]);
    expect(await store.logs.bounds("a")).toEqual({ first: 1, head: 4 });
  });

  it("puts and deletes once", async () => {
    const { store, proxy } = await throughProxy();
    await store.logs.append([{ log: "l", type: "t" }]);
    proxy.loseNextReply();
    expect(await store.records.put("n", "k", 1, { expect: null })).toEqual({ ok: true, version: 1 });
    proxy.loseNextReply();
    expect(await store.records.put("n", "k", 2)).toEqual({ ok: true, version: 2 });
    proxy.loseNextReply();
    const append = [{ log: "l", type: "t" }];
    expect(await store.records.put("n", "k", 3, { expect: 2, append })).toEqual({ ok: true, version: 3 });
    expect((await store.logs.bounds("l")).head).toBe(2);
    proxy.loseNextReply();
    expect(await store.records.delete("n", "k")).toBe(true);
    expect(await store.records.delete("n", "k")).toBe(false);
    expect(await store.records.put("n", "k", 4)).toEqual({ ok: true, version: 1 });
  });

  it("is told to the caller when it does not come back", async () => {
    const { store, proxy } = await throughProxy({ retryMs: 200 });
    await proxy.close();
    await expect(store.asks.get("a")).rejects.toMatchObject({ code: "store_unavailable" });
  });
});

it("refuses a pool of one connection, which listening would use up", () => {
  const pool = new pg.Pool({ max: 1 });
  expect(() => postgresStore({ pool })).toThrow(/a pool of at least two connections/);
});

it("uses a pool of the caller's and leaves it open", async () => {
  const pool = new pg.Pool({ connectionString: await sharedPostgres() });
  onTestFinished(() => pool.end());
  const schema = freshSchema();
  const store = postgresStore({ pool, schema });
  await store.open({
    clock: { now: Date.now, monotonic: () => performance.now(), schedule: () => () => undefined },
    logger: console,
  });
  const calls = counter();
  store.watch(calls);
  await calls.reached(1);
  const created = sampleNewAsk(store.now());
  await store.asks.insert(created);
  expect(await store.asks.get(created.ask.id)).toEqual(created.ask);
  await store.close();
  expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
});

it("closes every connection of its own", async () => {
  const schema = freshSchema();
  const url = new URL(await sharedPostgres());
  url.searchParams.set("application_name", schema);
  const store = await openStore({ schema, url: url.href });
  const calls = counter();
  store.watch(calls);
  await calls.reached(1);
  const begun = Array.from({ length: 50 }, () => store.asks.insert(sampleNewAsk(store.now())));
  await store.close();
  expect((await Promise.all(begun)).every(({ kind }) => kind === "created")).toBe(true);
  const admin = await connectTo(await sharedPostgres());
  // A backend leaves the list when it has ended, which is a moment after its client has gone.
  const backends = async (): Promise<readonly unknown[]> => {
    const { rows } = await admin.query(
      "select from pg_stat_activity where query like $1 and pid <> pg_backend_pid()",
      [`%${schema}%`],
    );
    return rows;
  };
  await expect.poll(backends).toEqual([]);
});
