import { get, type IncomingHttpHeaders } from "node:http";
import { gunzipSync } from "node:zlib";
import { afterEach, expect, it } from "vitest";
import { closeServers, openServer } from "../open-server.ts";

afterEach(closeServers);

interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

function fetchRaw(port: number, path: string, headers: Record<string, string> = {}): Promise<Got> {
  return new Promise((resolve, reject) => {
    get({ port, host: "127.0.0.1", path, headers }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        body: Buffer.concat(chunks),
      });
    }).on("error", reject);
  });
}

const ZIPPED = { "accept-encoding": "br;q=1.0, gzip;q=0.8" };

it("sends pages, scripts and the worker gzipped to who accepts that, and plain to others", async () => {
  const { port } = await openServer({});
  const page = await fetchRaw(port, "/");
  const [, script] = /src="(\/assets\/app-\w+\.js)"/.exec(page.body.toString()) ?? [];
  for (const path of ["/", script ?? "", "/worker.js"]) {
    const plain = await fetchRaw(port, path, { "accept-encoding": "gzip;q=0, identity" });
    const zipped = await fetchRaw(port, path, ZIPPED);
    expect([plain.status, zipped.status]).toEqual([200, 200]);
    expect([plain.headers["content-encoding"], zipped.headers["content-encoding"]]).toEqual([
      undefined,
      "gzip",
    ]);
    expect([plain.headers.vary, zipped.headers.vary]).toEqual(
      Array(2).fill(expect.stringContaining("accept-encoding")),
    );
    expect(zipped.body.length).toBeLessThan(plain.body.length * 0.7);
    // Each page has a proof of its own.
    const text = (bytes: Buffer): string => bytes.toString().replace(/data-proof="[^"]*"/, "");
    expect(text(gunzipSync(zipped.body))).toBe(text(plain.body));
  }
});

it("sends a file once: it has not changed", async () => {
  const { port } = await openServer({});
  const { headers } = await fetchRaw(port, "/worker.js", ZIPPED);
  const again = await fetchRaw(port, "/worker.js", { ...ZIPPED, "if-none-match": headers.etag ?? "" });
  expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, headers.etag]);
  const other = await fetchRaw(port, "/worker.js", { ...ZIPPED, "if-none-match": 'W/"another"' });
  expect(other.status).toBe(200);
});
