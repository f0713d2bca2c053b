import { expect, it } from "vitest";
import { fuzzServer } from "./fuzz/fuzz.ts";

const REQUESTS = 1_000_000;

it(`${REQUESTS} broken requests to one server`, async () => {
  const given = process.env.ASKLINE_FUZZ_SEED;
  // Another part of all that could be sent, each time; who finds something is told which.
  const seed = given === undefined ? Math.floor(Date.now() / 1_000) : Number(given);
  const report = await fuzzServer({ requests: REQUESTS, seed, warmUp: 20_000 });
  console.log(`fuzz: seed ${seed}, ${REQUESTS} requests`, JSON.stringify(report));
  expect(report.asks).toBeGreaterThan(REQUESTS / 50);
});
