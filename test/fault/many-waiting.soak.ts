import { expect, it } from "vitest";
import { gatherCrowd } from "./crowd.ts";

const COUNT = 4_000;
const ROUNDS = 3;
/** Of /docs/performance.md: a waiting request, or an idle stream. */
const MOST_BYTES = 12 * 1024;

it(`${COUNT} waiting requests and ${COUNT} idle streams, woken in time, again and again`, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { wrong, ...figures } = await gatherCrowd(COUNT);
    console.log(JSON.stringify(figures));
    expect(wrong).toEqual([]);
    expect(figures.bytesAWait).toBeLessThan(MOST_BYTES);
    expect(figures.bytesAStream).toBeLessThan(MOST_BYTES);
    // Each within two seconds of its own answer, and all of them within a time that a busy machine keeps too.
    expect(figures.longestWakeMs).toBeLessThan(2_000);
    expect(figures.longestEventMs).toBeLessThan(2_000);
    expect(figures.allWokenMs).toBeLessThan(20_000);
  }
});
