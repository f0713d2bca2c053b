import { expect, it } from "vitest";
import { gatherCrowd } from "./crowd.ts";

const COUNT = 1_000;
/** Of /docs/performance.md: a waiting request, or an idle stream. */
const MOST_BYTES = 12 * 1024;

it(`${COUNT} waiting requests and ${COUNT} idle streams on one process, and one answer for each`, async () => {
  const { wrong, ...figures } = await gatherCrowd(COUNT);
  console.log(JSON.stringify(figures));
  expect(wrong).toEqual([]);
  expect(figures.bytesAWait).toBeLessThan(MOST_BYTES);
  expect(figures.bytesAStream).toBeLessThan(MOST_BYTES);
});
