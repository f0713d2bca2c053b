import { describe, expect, it } from "vitest";
import { createBuckets } from "../../../src/server/access/buckets.js";
import { fakeClock } from "../../../src/testing/fake-clock.js";

describe("a bucket", () => {
  it("gives what fits at once, then what flows in", async () => {
    const clock = fakeClock();
    const buckets = createBuckets(clock, { rate: 10, burst: 3 });
    expect([1, 2, 3].map(() => buckets.take("ana"))).toEqual([0, 0, 0]);
    expect(buckets.take("ana")).toBeCloseTo(100, 0);
    expect(buckets.take("bob")).toBe(0);
    await clock.advance(50);
    expect(buckets.take("ana")).toBeCloseTo(50, 0);
    await clock.advance(50);
    expect(buckets.take("ana")).toBe(0);
    expect(buckets.take("ana")).toBeGreaterThan(0);
    await clock.advance(60_000);
    expect([1, 2, 3, 4].map(() => buckets.take("ana") === 0)).toEqual([true, true, true, false]);
  });

  it("loses nothing to rounding, however odd the rate", () => {
    const buckets = createBuckets(fakeClock(), { rate: 3, burst: 3_000 });
    const taken = Array.from({ length: 3_001 }, () => buckets.take("ana") === 0);
    expect(taken.lastIndexOf(true)).toBe(2_999);
  });

  it("can owe something, but not for ever", async () => {
    const clock = fakeClock();
    const buckets = createBuckets(clock, { rate: 10, burst: 10 });
    buckets.charge("ana", 15);
    expect(buckets.take("ana")).toBeCloseTo(600, 0);
    for (let count = 0; count < 1_000; count += 1) buckets.charge("ana", 1_000);
    expect(buckets.take("ana")).toBeLessThan(61_000);
    await clock.advance(61_001);
    expect(buckets.take("ana")).toBe(0);
  });

  it("is dropped when it is full again", async () => {
    const clock = fakeClock();
    const buckets = createBuckets(clock, { rate: 10, burst: 10 });
    for (let count = 0; count < 1_000; count += 1) buckets.take(`caller ${count}`);
    expect(buckets.size).toBe(1_000);
    await clock.advance(1_000);
    buckets.take("ana");
    expect(buckets.size).toBe(1);
  });

  it("is shared by newcomers when there are too many, and the others keep theirs", () => {
    const buckets = createBuckets(fakeClock(), { rate: 10, burst: 2, most: 100 });
    expect(buckets.take("ana")).toBe(0);
    const given = Array.from({ length: 10_000 }, (_, count) => buckets.take(`attacker ${count}`) === 0);
    expect(given.filter(Boolean)).toHaveLength(99 + 2);
    expect(buckets.size).toBe(101);
    expect(buckets.take("ana")).toBe(0);
    expect(buckets.take("ana")).toBeGreaterThan(0);
  });

  it("without a bound gives whatever is wanted", () => {
    const { POSITIVE_INFINITY: none } = Number;
    for (const options of [
      { rate: none, burst: 1 },
      { rate: none, burst: none },
      { rate: 1, burst: none },
    ]) {
      const buckets = createBuckets(fakeClock(), options);
      const given = Array.from({ length: 10_000 }, () => buckets.take("ana"));
      expect(given.every((wait) => wait === 0)).toBe(true);
    }
  });
});
