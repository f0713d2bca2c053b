import { readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { memoryStore, type Store, type StoreObserver } from "../../../src/hub/index.ts";
import { createMetrics } from "../../../src/server/metrics/index.ts";
import { readEvents } from "../event-reader.ts";
import { openRaw } from "../gateway/raw-socket.ts";
import { ROUTES, sendEverything } from "../instruments/send-everything.ts";
import { call, closeServers, openServer, posted, refusal, until } from "../open-server.ts";
import { readSession } from "../session-reader.ts";
import { openMeasured, parse, SCRAPE_TOKEN } from "./scrape.ts";

afterEach(closeServers);

describe("access to /metrics", () => {
  it("is for admins, and for the metrics secret", async () => {
    const open = await openMeasured();
    const status = async (token: string | undefined, path = "/metrics"): Promise<number> =>
      (
        await fetch(`${open.url}${path}`, {
          ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
        })
      ).status;
    expect(await status(await open.token({ role: "admin" }))).toBe(200);
    expect(await status(SCRAPE_TOKEN)).toBe(200);
    expect(await status(SCRAPE_TOKEN, "/v1/asks")).toBe(401);
    expect(await status(SCRAPE_TOKEN, "/v1/events")).toBe(401);
    expect(await status(await open.token())).toBe(403);
    expect(await status(await open.token({ role: "person" }))).toBe(403);
    expect(await status(undefined)).toBe(401);
    expect(await status(`${SCRAPE_TOKEN}x`)).toBe(401);
    expect(await status(SCRAPE_TOKEN.slice(0, -1))).toBe(401);
  });

  it("accepts no secret, not even an empty one, if none is configured", async () => {
    const metrics = await createMetrics({ process: false });
    const open = await openServer({ metrics });
    for (const authorization of ["Bearer ", "Bearer undefined", "Bearer"]) {
      const reply = await call(open, undefined, "GET /metrics", undefined, { authorization });
      expect(refusal(reply)).toBe("401 unauthorized");
    }
  });

  it("is not_found if the server has no metrics", async () => {
    const open = await openServer();
    expect(refusal(await call(open, await open.token({ role: "admin" }), "GET /metrics"))).toBe(
      "404 not_found",
    );
    expect(refusal(await call(open, undefined, "GET /metrics"))).toBe("401 unauthorized");
  });
});

describe("the metrics of requests", () => {
  it("count them by route, method and class of status", async () => {
    const open = await openMeasured();
    const agent = await open.token();
    const { id } = await posted(open, agent);
    await posted(open, agent);
    await call(open, agent, "POST /v1/asks", { questions: 1 });
    const held = call(open, agent, `GET /v1/asks/${id}?wait=20`);
    await until(() => open.hub.isAwaited(id));
    await open.clock.advance(20_000);
    await held;
    await call(open, agent, "GET /nowhere");
    const scrape = await open.scrape();
    const count = (route: string, method: string, status: string): number | undefined =>
      scrape.value("askline_http_requests_total", { route, method, status });
    expect(count("/v1/asks", "POST", "2xx")).toBe(2);
    expect(count("/v1/asks", "POST", "4xx")).toBe(1);
    expect(count("/v1/asks/{id}", "GET", "2xx")).toBe(1);
    expect(count("none", "GET", "4xx")).toBe(1);
    const time = scrape.sample("askline_http_request_duration_seconds", {
      route: "/v1/asks/{id}",
      method: "GET",
    });
    expect(time).toMatchObject({ count: "1", sum: "20", buckets: { "10": "0", "30": "1" } });
  });

  it("count rate-limited requests", async () => {
    const metrics = await createMetrics({ process: false });
    const open = await openServer({ metrics, limits: { tokenRate: 1, tokenBurst: 2 } });
    const agent = await open.token();
    for (let index = 0; index < 5; index += 1) await call(open, agent, "GET /v1/asks");
    const scrape = parse((await metrics.render({ connections: {} } as never)).text);
    expect(scrape.value("askline_rate_limited_requests_total", { by: "token" })).toBe(3);
    expect(scrape.value("askline_rate_limited_requests_total", { by: "address" })).toBe(0);
  });

  it("have labels with few known values, whatever clients send, and nothing private", async () => {
    const open = await openMeasured();
    const person = await open.token({ role: "person", name: "ana" });
    const agent = await open.token();
    const secrets = await sendEverything({
      ...{ url: open.url, port: open.port, agent, person },
      admin: await open.token({ role: "admin", name: "root" }),
      code: (await open.auth.createInboxCode("ana")).code,
    });
    await until(
      async () => (await open.scrape()).value("askline_connections", { kind: "session_socket" }) === 0,
    );
    const before = await open.scrape();
    for (let index = 0; index < 150; index += 1) {
      await call(open, agent, `GET /rubbish/${index}`);
      await call(open, agent, `GET /v1/asks/ask_${index}`);
      await rubbish(open.port, `M${index}`, `/v1/asks?${index}`);
      await posted(open, agent, { session: `s${index}`, agentId: `a${index}`, key: `k${index}` });
    }
    const after = await open.scrape();
    // The methods that nobody knows, and a list, are new: a route and method has a line a bucket, and three more.
    expect(after.series.length - before.series.length).toBeLessThanOrEqual(40);
    const known = new Set([...ROUTES.map(({ path }) => path), "none"]);
    const values = (name: string): readonly string[] => [
      ...new Set(after.series.flatMap(({ labels }) => labels[name] ?? [])),
    ];
    expect(values("route").filter((route) => !known.has(route))).toEqual([]);
    expect(values("method").filter((method) => !/^(GET|HEAD|POST|PUT|DELETE|other)$/.test(method))).toEqual(
      [],
    );
    expect(values("status").filter((status) => !/^[1-5]xx$/.test(status))).toEqual([]);
    const names = new Set(after.series.flatMap(({ labels }) => Object.keys(labels)));
    expect([...names].sort()).toEqual([
      "by",
      "channel",
      "kind",
      "le",
      "limit",
      "method",
      "operation",
      "outcome",
      "result",
      "route",
      "state",
      "status",
    ]);
    expect(secrets.filter((secret) => after.text.includes(secret))).toEqual([]);
    for (const text of [/"ana"/, /"agent"/, /ask_[0-9a-f-]{9}/]) expect(after.text).not.toMatch(text);
  });
});

/** A request whose method no client of ours would send. */
function rubbish(port: number, method: string, path: string): Promise<void> {
  return new Promise((resolve) => {
    const sent = request({
      ...{ port, path, host: "127.0.0.1" },
      method: "PROPFIND",
      headers: { "x-was": method },
    });
    sent.on("response", (response) => response.resume().on("end", resolve)).on("error", () => resolve());
    sent.end();
  });
}

describe("the metrics of connections", () => {
  it("report open connections by kind, and drop closed ones", async () => {
    const open = await openMeasured();
    const ana = await open.token({ role: "person", name: "ana" });
    const agent = await open.token();
    await call(open, agent, "POST /v1/sessions/s/events", { type: "open" });
    const { id } = await posted(open, agent);
    const events = await Promise.all(Array.from({ length: 40 }, () => readEvents(open, ana)));
    const sessions = await Promise.all(Array.from({ length: 7 }, () => readSession(open, ana, "s")));
    const hosts = await Promise.all(Array.from({ length: 5 }, () => openRaw(open, { token: agent })));
    const devices = await Promise.all(Array.from({ length: 3 }, () => openRaw(open, { token: ana })));
    const held = Array.from({ length: 60 }, () => call(open, agent, `GET /v1/asks/${id}?wait=60`));
    const connections = async (): Promise<Readonly<Record<string, number | undefined>>> => {
      const scrape = await open.scrape();
      const kinds = ["events", "session_events", "gateway_host", "gateway_device", "held_request"];
      return Object.fromEntries(kinds.map((kind) => [kind, scrape.value("askline_connections", { kind })]));
    };
    const all = { events: 40, session_events: 7, gateway_host: 5, gateway_device: 3, held_request: 60 };
    await until(async () => (await connections()).held_request === 60);
    expect(await connections()).toEqual(all);
    // Many at once, while asks are made and ended.
    const asks = Array.from({ length: 50 }, () => posted(open, agent));
    const scrapes = await Promise.all(Array.from({ length: 10 }, () => open.scrape()));
    for (const scrape of scrapes) expect(scrape.value("askline_connections", { kind: "events" })).toBe(40);
    await Promise.all(asks);
    expect((await open.scrape()).value("askline_asks_created_total", { kind: "questions" })).toBe(51);
    await open.hub.withdraw(id);
    await Promise.all(held);
    for (const reader of [...events, ...sessions]) reader.hangUp();
    await Promise.all([...hosts, ...devices].map((socket) => socket.close()));
    const none = { events: 0, session_events: 0, gateway_host: 0, gateway_device: 0, held_request: 0 };
    await until(async () => JSON.stringify(await connections()) === JSON.stringify(none));
  });

  it("report how far behind the slowest reader of events is", async () => {
    const open = await openMeasured();
    const agent = await open.token();
    const ana = await open.token({ role: "person", name: "ana" });
    expect((await open.scrape()).value("askline_events_behind")).toBe(0);
    for (let index = 0; index < 30; index += 1) await posted(open, agent);
    expect((await open.scrape()).value("askline_events_behind")).toBe(0);
    const reader = await readEvents(open, ana, "?after=0");
    await reader.count(30);
    await until(async () => (await open.scrape()).value("askline_events_behind") === 0);
    // One that takes nothing more: it stays where it is while the log goes on.
    const slow = await readEvents(open, ana);
    slow.response.pause();
    slow.response.socket.pause();
    await until(async () => {
      await posted(open, agent, { context: "x".repeat(60_000) });
      return ((await open.scrape()).value("askline_events_behind") ?? 0) > 0;
    });
    slow.hangUp();
    await until(async () => (await open.scrape()).value("askline_events_behind") === 0);
    reader.hangUp();
  });
});

describe("the metrics of the store", () => {
  it("time every operation, with failures apart", async () => {
    const store = memoryStore();
    const open = await openMeasured({ store });
    await posted(open, await open.token());
    const scrape = await open.scrape();
    const count = (operation: string, result = "ok"): string | undefined =>
      scrape.sample("askline_store_operation_seconds", { operation, result })?.count;
    expect(count("asks.insert")).toBe("1");
    expect(count("records.put")).toBe("1");
    expect(count("asks.insert", "error")).toBeUndefined();
    await open.hub.close();
    await expect(open.store.asks.get("none")).rejects.toMatchObject({ code: "closed" });
    const after = await open.scrape();
    const failed = after.sample("askline_store_operation_seconds", {
      operation: "asks.get",
      result: "error",
    });
    expect(failed?.count).toBe("1");
  });

  it("report the writes per commit", async () => {
    const store = memoryStore();
    let observer: StoreObserver | undefined;
    const observe: Store["observe"] = (given) => {
      observer = given;
    };
    const open = await openMeasured({ store: { ...store, observe } });
    observer?.committed(1, 2);
    observer?.committed(64, 2);
    const scrape = await open.scrape();
    expect(scrape.sample("askline_store_commit_writes")).toMatchObject({
      ...{ count: "2", sum: "65", buckets: { "1": "1", "32": "1", "64": "2" } },
    });
    expect(scrape.sample("askline_store_commit_seconds")).toMatchObject({ count: "2", sum: "0.004" });
  });

  it("are served without store values, and report the outage, if the store hangs or fails", async () => {
    const store = memoryStore();
    const { pendingSummary } = store.asks;
    let answer = pendingSummary;
    let asked = 0;
    const asks = {
      ...store.asks,
      pendingSummary: () => {
        asked += 1;
        return answer();
      },
    };
    const open = await openMeasured({ store: { ...store, asks } });
    expect((await open.scrape()).value("askline_store_reachable")).toBe(1);
    asked = 0;
    answer = () => new Promise(() => undefined);
    const armed = open.clock.timers;
    const scraping = [open.scrape(), open.scrape(), open.scrape()];
    await until(() => open.clock.timers === armed + 3);
    await open.clock.advance(2_000);
    for (const scrape of await Promise.all(scraping)) {
      expect(scrape.value("askline_store_reachable")).toBe(0);
      expect(scrape.value("askline_asks_pending")).toBeUndefined();
      expect(scrape.value("askline_asks_created_total", { kind: "questions" })).toBe(0);
    }
    expect(asked).toBe(1);
  });

  it("read the store at most once a second, however many scrapes come", async () => {
    const store = memoryStore();
    let asked = 0;
    const asks = {
      ...store.asks,
      pendingSummary: () => {
        asked += 1;
        return store.asks.pendingSummary();
      },
    };
    const open = await openMeasured({ store: { ...store, asks } });
    const admin = await open.token({ role: "admin" });
    const scrape = async (): Promise<string> =>
      (await fetch(`${open.url}/metrics`, { headers: { authorization: `Bearer ${admin}` } })).text();
    await Promise.all(Array.from({ length: 20 }, scrape));
    await scrape();
    expect(asked).toBe(1);
    await open.clock.advance(1_000);
    await scrape();
    expect(asked).toBe(2);
  });
});

describe("the documentation of metrics", () => {
  it("lists every metric with its kind and labels, and no others", async () => {
    const metrics = await createMetrics({ process: false });
    const { text } = await metrics.render({ connections: {} } as never);
    const there = parse(text).families.map(({ name, type }) => `${name} ${type.toLowerCase()}`);
    const page = readFileSync(join(import.meta.dirname, "../../../docs/operating.md"), "utf8");
    const told = [...page.matchAll(/^\| `(askline_\w+)` \| (\w+) \|/gm)].map(
      ([, name, type]) => `${name} ${type}`,
    );
    expect(told.sort()).toEqual([...there].sort());
    for (const [, name, , labels] of page.matchAll(/^\| `(askline_\w+)` \| (\w+) \| ([^|]*) \|/gm)) {
      const line = readFileSync(join(import.meta.dirname, "../../../src/server/metrics/catalogue.ts"), "utf8")
        .split("\n")
        .find((one) => one.includes(`"${name}"`));
      const declared = [...(line?.match(/labelNames: \[(.*?)\]/)?.[1] ?? "").matchAll(/"(\w+)"/g)].map(
        ([, one]) => one,
      );
      expect(`${name} ${[...(labels ?? "").matchAll(/`(\w+)`/g)].map(([, one]) => one).join()}`).toBe(
        `${name} ${declared.join()}`,
      );
    }
  });

  it("includes process metrics if they are enabled", async () => {
    const metrics = await createMetrics();
    const scrape = parse((await metrics.render({ connections: {} } as never)).text);
    const names = scrape.families.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(["process_resident_memory_bytes", "nodejs_eventloop_lag_seconds"]),
    );
  });
});
