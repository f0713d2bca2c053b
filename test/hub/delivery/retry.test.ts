import { expect, it } from "vitest";
import type { Entry } from "../../../src/hub/delivery/outbox/entry.ts";
import { afterFailure } from "../../../src/hub/delivery/outbox/retry.ts";

const ENTRY: Entry = {
  ...{ lane: "callbacks", key: "ask_1/1", askId: "ask_1", type: "ask.answered" },
  ...{ position: 1, at: 0, attempts: 0 },
};
const HOUR = 3_600_000;

/** The times of all attempts of an entry that always fails. */
function attemptsOf(random: number, retryAfterMs = 0): readonly number[] {
  const times: number[] = [];
  let entry = ENTRY;
  for (let now: number | undefined = 1_000; now !== undefined; now = entry.nextAt) {
    times.push(now);
    entry = afterFailure(entry, { reason: "HTTP 500", retryAfterMs }, now, random);
  }
  return times;
}

it.each([0, 0.5, 1])(
  "a receiver that always fails is called for three days, with growing pauses",
  (random) => {
    const times = attemptsOf(random);
    const [first = 0, second = 0] = times;
    expect(second - first).toBeLessThanOrEqual(1_250);
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(Math.max(...pauses)).toBeLessThanOrEqual(1.25 * HOUR);
    expect(pauses.every((pause, index) => pause >= (pauses[index - 1] ?? 0))).toBe(true);
    const lasted = (times.at(-1) ?? 0) - first;
    expect(lasted).toBeGreaterThan(70 * HOUR);
    expect(lasted).toBeLessThanOrEqual(72 * HOUR);
    // After a day, it is still called at least once in 75 minutes.
    expect(times.filter((time) => time - first < 24 * HOUR).length).toBeGreaterThan(25);
  },
);

it("a receiver can ask for a longer pause", () => {
  const [first = 0, second = 0] = attemptsOf(0, 90_000);
  expect(second - first).toBe(90_000);
});

it("a final failure is the last", () => {
  const failed = afterFailure(ENTRY, { reason: "HTTP 410", final: true }, 5, 0);
  expect(failed).toMatchObject({ attempts: 1, firstAt: 5, lastError: "HTTP 410" });
  expect(failed.nextAt).toBeUndefined();
});
