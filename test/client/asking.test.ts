import { describe, expect, it, onTestFinished } from "vitest";
import type { connect } from "../../src/client/index.js";
import { errorOf, openClient, question } from "./open-client.js";
import {
  answered,
  askOf,
  delivered,
  error,
  json,
  lost,
  outcome,
  pending,
  type Respond,
  type ScriptedServer,
  scriptedServer,
  silent,
} from "./scripted-server.js";
import { type WatchedClock, watchedClock } from "./watched-clock.js";

const withdrawn = { kind: "withdrawn" } as const;
const taken: Respond = json(200, { ask: askOf({ outcome: withdrawn }) });

describe("an agent that waits", () => {
  it("asks the server again while the ask is pending", async () => {
    const { server, clock, client } = await setUp(pending, pending, answered);
    const asked = client.ask(question);
    // A server that does not hold is not asked in a loop.
    await clock.set(125);
    await clock.advance(125);
    expect(await asked).toEqual(delivered);
    expect(server.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /v1/asks",
      "GET /v1/asks/ask_1",
      "GET /v1/asks/ask_1",
    ]);
    expect(server.seen.map(({ query }) => query.get("wait"))).toEqual(["25", "25", "25"]);
  });

  it("is held as long as it wants", async () => {
    const server = await scriptedServer(pending, answered);
    const { client } = openClient({ url: server.url, holdSeconds: 3 });
    await client.ask(question);
    expect(server.seen.map(({ query }) => query.get("wait"))).toEqual(["3", "3"]);
  });

  it("gets the outcome of an ask from an earlier process, or not_found", async () => {
    const server = await scriptedServer(answered, error(404, "not_found"));
    const { client } = openClient({ url: server.url });
    expect(await client.wait("ask_1")).toEqual(delivered);
    expect((await errorOf(client.wait("ask_1"))).code).toBe("not_found");
  });

  it("refuses a response about another ask", async () => {
    const server = await scriptedServer(json(200, { ask: askOf({ id: "ask_2", outcome }) }));
    const { client } = openClient({ url: server.url });
    expect((await errorOf(client.wait("ask_1"))).message).toMatch(/it contains ask_2 instead of ask_1/);
  });

  it("withdraws nothing when it stops waiting", async () => {
    const { server, client } = await setUp(silent);
    const controller = new AbortController();
    const waiting = client.wait("ask_1", { signal: controller.signal });
    await server.request(1);
    controller.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    await expect(client.wait("ask_1", { signal: controller.signal })).rejects.toThrow("enough");
    expect(server.seen).toHaveLength(1);
  });
});

describe("an aborted ask", () => {
  it("is not sent if it was aborted before", async () => {
    const { server, client } = await setUp(answered);
    expect(await client.ask(question, { signal: AbortSignal.abort() })).toEqual(withdrawn);
    expect(server.seen).toEqual([]);
  });

  it("is withdrawn by its id if that is known", async () => {
    const { server, client } = await setUp(pending, silent, taken);
    const controller = new AbortController();
    const asked = client.ask(question, { signal: controller.signal });
    await server.request(2);
    controller.abort();
    expect(await asked).toEqual(withdrawn);
    expect(server.seen[2]).toMatchObject({ method: "POST", path: "/v1/asks/ask_1/withdraw" });
  });

  it("is found by its key if the first response has not come", async () => {
    const { server, client } = await setUp(silent, pending, taken);
    const controller = new AbortController();
    const asked = client.ask(question, { signal: controller.signal });
    await server.request(1);
    controller.abort();
    expect(await asked).toEqual(withdrawn);
    expect(server.seen.map(({ path }) => path)).toEqual(["/v1/asks", "/v1/asks", "/v1/asks/ask_1/withdraw"]);
    expect(server.seen[1]?.body).toEqual(server.seen[0]?.body);
    expect(server.seen[1]?.query.get("wait")).toBe(null);
  });

  it.each([
    ["and that is known by its key", [silent, answered]],
    ["and the withdrawal comes too late", [silent, pending, error(409, "already_settled", { outcome })]],
  ])("is answered if it was answered before, %s", async (_how, script) => {
    const { server, client } = await setUp(...script);
    const controller = new AbortController();
    const asked = client.ask(question, { signal: controller.signal });
    await server.request(1);
    controller.abort();
    expect(await asked).toEqual(delivered);
    expect(server.seen).toHaveLength(script.length);
  });

  it("ends at once while the client only waits for its next try", async () => {
    const { server, clock, client } = await setUp(lost, pending, taken);
    const controller = new AbortController();
    const asked = client.ask(question, { signal: controller.signal });
    await clock.set(125);
    controller.abort();
    expect(await asked).toEqual(withdrawn);
    expect(server.seen).toHaveLength(3);
  });

  it("does not keep the agent when the network is gone, and is still withdrawn in the background", async () => {
    const { server, clock, client } = await setUp(pending, silent, lost, silent, taken);
    const controller = new AbortController();
    const asked = client.ask(question, { signal: controller.signal });
    await server.request(2);
    controller.abort();
    await server.request(3);
    await clock.set(125);
    await clock.advance(125);
    await server.request(4);
    await clock.advance(3_000);
    expect(await asked).toEqual(withdrawn);
    await clock.advance(12_000);
    await clock.set(250);
    await clock.advance(250);
    const last = await server.request(5);
    expect(last.path).toBe("/v1/asks/ask_1/withdraw");
    // Each try is the same attempt.
    const attempts = server.seen.slice(2).map(({ headers }) => headers["idempotency-key"]);
    expect(new Set(attempts).size).toBe(1);
  });

  it("is given up after a minute, with a warning", async () => {
    const server = await scriptedServer(pending, silent, lost);
    let tell: (message: string) => void = () => undefined;
    const told = new Promise<string>((resolve) => {
      tell = (message) => (message.startsWith("ask_1") ? resolve(message) : undefined);
    });
    const { client, clock } = openClient({ url: server.url, logger: { warn: tell, error: tell } });
    const controller = new AbortController();
    const asked = client.ask(question, { signal: controller.signal });
    await server.request(2);
    controller.abort();
    expect(await asked).toEqual(withdrawn);
    expect(await told).toMatch(/^ask_1 could not be withdrawn and may still be shown: cannot reach/);
    expect(clock.waited.reduce((sum, delay) => sum + delay)).toBeGreaterThan(50_000);
  });

  it("rejects if it may not be withdrawn", async () => {
    const { server, client } = await setUp(pending, silent, error(403, "forbidden"));
    const controller = new AbortController();
    const asked = client.ask(question, { signal: controller.signal });
    await server.request(2);
    controller.abort();
    expect((await errorOf(asked)).code).toBe("forbidden");
  });
});

describe("a closed client", () => {
  it("rejects waiting calls at any step, and withdraws nothing", async () => {
    const { server, clock, client } = await setUp(silent, silent, silent, lost);
    const calls = [client.ask(question), client.wait("ask_1"), client.get("ask_1")];
    await server.request(3);
    const retrying = client.post(question);
    await clock.set(125);
    await client.close();
    for (const call of [...calls, retrying]) {
      expect(await errorOf(call)).toMatchObject({ code: "closed", message: /stays pending/ });
    }
    expect(server.seen).toHaveLength(4);
    expect(clock.timers).toBe(0);
  });

  it("refuses every call", async () => {
    const { server, client } = await setUp(answered);
    await client.close();
    await client.close();
    const aborted = { signal: AbortSignal.abort() };
    const calls = [client.ask(question), client.ask(question, aborted), client.wait("ask_1"), client.list()];
    for (const call of calls) expect((await errorOf(call)).code).toBe("closed");
    const next = client.events()[Symbol.asyncIterator]().next();
    expect((await errorOf(next)).code).toBe("closed");
    expect(server.seen).toEqual([]);
  });
});

describe("many asks at once", () => {
  it("cause no leak warning in Node", async () => {
    const warnings: string[] = [];
    const warn = (warning: Error): void => void warnings.push(warning.name);
    process.on("warning", warn);
    onTestFinished(() => void process.off("warning", warn));
    const { server, client } = await setUp(silent);
    const asks = Array.from({ length: 50 }, () => client.ask(question));
    await server.request(50);
    await client.close();
    for (const ask of asks) expect((await errorOf(ask)).code).toBe("closed");
    expect(warnings).toEqual([]);
  });
});

describe("a signal that lives long", () => {
  it("keeps no listener of finished asks", async () => {
    const server = await scriptedServer(answered);
    const { client } = openClient({ url: server.url });
    const { signal } = new AbortController();
    let listeners = 0;
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      listeners += 1;
      addEventListener.apply(signal, args);
    };
    signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      listeners -= 1;
      removeEventListener.apply(signal, args);
    };
    for (let i = 0; i < 5; i += 1) await client.ask(question, { signal });
    expect(listeners).toBe(0);
  });
});

async function setUp(...script: readonly Respond[]): Promise<{
  readonly server: ScriptedServer;
  readonly clock: WatchedClock;
  readonly client: ReturnType<typeof connect>;
}> {
  const server = await scriptedServer(...script);
  const clock = watchedClock();
  const { client } = openClient({ url: server.url, clock });
  return { server, clock, client };
}
