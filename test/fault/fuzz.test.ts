import { expect, it } from "vitest";
import { fuzzServer } from "./fuzz/fuzz.ts";

const REQUESTS = 4_000;

it(`${REQUESTS} broken requests: every response is ours, the server stays well, and the store holds valid asks`, async () => {
  const seed = Number(process.env.ASKLINE_FUZZ_SEED ?? 1);
  const report = await fuzzServer({ requests: REQUESTS, seed, warmUp: 2_000 });
  console.log(JSON.stringify(report));
  // Requests got beyond the door, on every way.
  expect(report.asks).toBeGreaterThan(100);
  expect(report.settled).toBeGreaterThan(40);
  expect(report.frames).toBeGreaterThan(200);
  for (const status of [200, 201, 204, 400, 401, 403, 404, 405, 409, 413, 415, 421, 422]) {
    expect(report.statuses[status] ?? 0, `responses with ${status}`).toBeGreaterThan(0);
  }
});
