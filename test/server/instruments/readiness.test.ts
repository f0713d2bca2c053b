import { afterEach, describe, expect, it } from "vitest";
import { AsklineError } from "../../../src/index.ts";
import { call, closeServers, openServer, type Reply, until } from "../open-server.ts";

afterEach(closeServers);

const told = ({ status, body }: Reply): string => `${status} ${body.error?.code} ${body.error?.message}`;

describe("/readyz", () => {
  it("is ready while the store answers", async () => {
    const open = await openServer();
    expect(await call(open, undefined, "GET /readyz")).toMatchObject({
      status: 200,
      body: { status: "ready" },
    });
  });

  it("says that the store is away, and not where it is", async () => {
    const open = await openServer();
    open.hub.check = () =>
      Promise.reject(
        new AsklineError("store_unavailable", "connect ECONNREFUSED db.internal:5432 /var/lib/asks.db"),
      );
    const reply = await call(open, undefined, "GET /readyz");
    expect(told(reply)).toBe(
      '503 store_unavailable not ready: check "store" failed: the store does not respond',
    );
    expect(open.logged.join()).toContain("db.internal");
    expect(reply.headers.get("retry-after")).toBe("1");
  });

  it("logs why once, however often anybody looks, and again after it was well", async () => {
    const open = await openServer();
    const away = (why: string) => () => Promise.reject(new AsklineError("store_unavailable", why));
    const { check } = open.hub;
    for (const now of [away("one"), away("one"), away("two"), away("two"), check, away("two")]) {
      open.hub.check = now;
      await call(open, undefined, "GET /readyz");
    }
    const reasons = open.logged.flatMap((line) => /readiness check failed.*(one|two)/.exec(line)?.[1] ?? []);
    expect(reasons).toEqual(["one", "two", "two"]);
  });

  it("says that the store's migrations are not those of this program", async () => {
    const open = await openServer();
    open.hub.check = () => Promise.reject(new AsklineError("schema_newer", "/secret/asks.db has schema 9"));
    expect(told(await call(open, undefined, "GET /readyz"))).toMatch(
      /^503 store_unavailable not ready: check "migrations" failed: [^/]*$/,
    );
  });

  it("waits two seconds for a store that hangs, and asks it once however many want to know", async () => {
    const open = await openServer();
    let asked = 0;
    let answer = (): void => undefined;
    open.hub.check = () => {
      asked += 1;
      return new Promise((resolve) => {
        answer = resolve;
      });
    };
    let replied = 0;
    const probe = async (): Promise<Reply> => {
      const reply = await call(open, undefined, "GET /readyz");
      replied += 1;
      return reply;
    };
    const armed = open.clock.timers;
    const probes = Array.from({ length: 50 }, probe);
    await until(() => open.clock.timers === armed + 50);
    await open.clock.advance(1_999);
    expect(replied).toBe(0);
    await open.clock.advance(1);
    for (const reply of await Promise.all(probes)) {
      expect(told(reply)).toMatch(/^503 store_unavailable .* did not respond within 2 seconds$/);
    }
    expect(asked).toBe(1);
    expect(open.clock.timers).toBe(armed);
    const next = probe();
    await until(() => open.clock.timers === armed + 1);
    answer();
    expect((await next).status).toBe(200);
    expect(asked).toBe(1);
    open.hub.check = () => Promise.resolve();
    expect((await probe()).status).toBe(200);
  });

  it("is not ready once the server stops, though the store is well", async () => {
    const open = await openServer();
    await open.server.close();
    expect((await call(open, undefined, "GET /readyz")).status).toBe(503);
    await open.hub.check();
  });
});
