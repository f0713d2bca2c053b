import { createHmac } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import { signedIn } from "./browser.ts";
import { call, closeServers, openServer, posted, refusal } from "./open-server.ts";

afterEach(closeServers);

const NONCE = "n".repeat(22);
const ID = "i".repeat(43);

describe("GET /proof", () => {
  it("answers a nonce under the key of the id, for the address that the connection reached", async () => {
    const open = await openServer();
    const key = (await open.auth.proofKey(ID)) ?? "";
    const expected = createHmac("sha256", key).update(`${NONCE}\n127.0.0.1:${open.port}`).digest("base64url");
    const path = `GET /proof?id=${ID}&nonce=${NONCE}`;
    // Whatever name the sender gives it.
    for (const headers of [{}, { "x-forwarded-host": "127.0.0.1:1" }]) {
      const { status, body } = await call(open, undefined, path, undefined, headers);
      expect([status, body]).toEqual([200, { proof: expected }]);
    }
    // Another server of the store, on another port.
    const other = await openServer({ store: open.store, hub: open.hub });
    expect(await other.auth.proofKey(ID)).toBe(key);
    expect((await call(other, undefined, path)).body).not.toEqual({ proof: expected });
    // Another store has another secret.
    expect(await (await openServer()).auth.proofKey(ID)).not.toBe(key);
  });

  it.each([
    "",
    `?id=${ID}`,
    `?nonce=${NONCE}`,
    `?id=${ID}&nonce=short`,
    `?id=${"i".repeat(65)}&nonce=${NONCE}`,
  ])("refuses /proof%s", async (query) => {
    expect(refusal(await call(await openServer(), undefined, `GET /proof${query}`))).toBe(
      "400 invalid_request",
    );
  });

  it("is limited for an address, as everything else", async () => {
    const open = await openServer({ trustedProxies: ["127.0.0.1"], limits: { addressBurst: 3 } });
    const from = { "x-forwarded-for": "203.0.113.9" };
    const statuses: number[] = [];
    for (let count = 0; count < 4; count += 1) {
      statuses.push(
        (await call(open, undefined, `GET /proof?id=${ID}&nonce=${NONCE}`, undefined, from)).status,
      );
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  it("is unsupported where the host identifies callers", async () => {
    const { createHub, memoryStore } = await import("../../src/hub/index.js");
    const { createServer } = await import("../../src/server/index.js");
    const hub = await createHub({ store: memoryStore() });
    const server = createServer({ hub, authenticate: () => undefined });
    const response = await server.fetch(new Request(`http://localhost/proof?id=${ID}&nonce=${NONCE}`));
    expect(response.status).toBe(501);
    await server.close();
    await hub.close();
  });
});

it("each page gets a key of its own", async () => {
  const open = await openServer();
  await posted(open, await open.token());
  const page = await signedIn(open);
  const texts = await Promise.all(
    [`${page.base}/`, `${page.base}/`, "/shell"].map(async (path) => {
      const response = await fetch(`${open.url}${path}`, { headers: { cookie: page.cookie ?? "" } });
      return /data-proof="([^"]*)"/.exec(await response.text())?.[1] ?? "";
    }),
  );
  for (const text of texts) {
    const [id = "", key, address] = text.split(" ");
    expect([key, address]).toEqual([await open.auth.proofKey(id), `127.0.0.1:${open.port}`]);
  }
  expect(new Set(texts).size).toBe(3);
});

it("the server knows when a browser was here last", async () => {
  const open = await openServer();
  await call(open, await open.token(), "GET /v1/asks");
  expect(open.server.browserSeenAt).toBeUndefined();
  const page = await signedIn(open);
  await call(open, undefined, `GET ${page.base}/v1/asks`, undefined, { cookie: page.cookie ?? "" });
  expect(open.server.browserSeenAt).toBe(open.clock.monotonic());
});
