import { afterEach, describe, expect, it } from "vitest";
import { isLoopback } from "../../src/server/access/hosts.js";
import { type Listening, listen } from "../../src/server/index.js";
import { closeServers, openServer } from "./open-server.ts";

const listening: Listening[] = [];
afterEach(async () => {
  for (const own of listening.splice(0)) await own.close();
  await closeServers();
});

describe("listen", () => {
  it("serves on this machine only, unless told otherwise", async () => {
    const { server } = await openServer();
    const own = await listen(server, { port: 0 });
    listening.push(own);
    expect(own.url).toBe(`http://127.0.0.1:${own.port}`);
    expect((await fetch(`${own.url}/healthz`)).status).toBe(200);
  });

  it.each(["0.0.0.0", "::", "192.168.1.5", "example.com", "127.evil.example"])(
    "refuses %s without configured tokens",
    async (host) => {
      const { server } = await openServer();
      await expect(listen(server, { host, port: 0 })).rejects.toMatchObject({
        code: "forbidden",
        message: expect.stringContaining("askline token create"),
      });
    },
  );

  it("takes every address where tokens are configured", async () => {
    const { server } = await openServer();
    const own = await listen(server, { host: "0.0.0.0", port: 0, tokensConfigured: true });
    listening.push(own);
    expect(own.url).toBe(`http://localhost:${own.port}`);
  });

  it("says which port is taken, and what to do", async () => {
    const { server, port } = await openServer();
    await expect(listen(server, { port })).rejects.toMatchObject({
      code: "address_unavailable",
      message: expect.stringMatching(new RegExp(`port ${port} on 127.0.0.1 is in use.*--port ${port + 1}`)),
    });
  });

  it("closes while somebody reads events and somebody waits", async () => {
    const open = await openServer();
    const own = await listen(open.server, { port: 0 });
    const headers = { authorization: `Bearer ${await open.token()}` };
    const events = await fetch(`${own.url}/v1/events`, { headers });
    const ask = await open.hub.post({ questions: [{ question: "Why?" }] }, { asker: "agent" });
    const waiting = fetch(`${own.url}/v1/asks/${ask.id}?wait=60`, { headers });
    while (!open.hub.isAwaited(ask.id)) await new Promise((resolve) => setImmediate(resolve));
    await own.close();
    expect(await events.text()).toContain(": resume after");
    const { status, headers: told } = await waiting;
    expect([status, told.get("retry-after"), told.get("connection")]).toEqual([503, "1", "close"]);
    await expect(fetch(`${own.url}/healthz`)).rejects.toThrow();
  });
});

describe("isLoopback", () => {
  it("knows this machine's own addresses", () => {
    expect(["localhost", "127.0.0.1", "127.9.9.9", "::1", "[::1]", "LOCALHOST"].every(isLoopback)).toBe(true);
    expect(["0.0.0.0", "::", "10.0.0.1", "", "127.0.0.1.evil.example"].some(isLoopback)).toBe(false);
  });
});
