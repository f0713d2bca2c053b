import { describe, expect, it } from "vitest";
import { createHub, memoryStore } from "../../src/hub/index.js";
import { countSleep, machineClock } from "../../src/hub/seam/machine-clock.js";
import type { Clock } from "../../src/index.js";
import { createAuth } from "../../src/server/index.js";
import { type FakeClock, fakeClock } from "../../src/testing/fake-clock.js";
import { question } from "./open-hub.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A laptop: while it sleeps, its monotonic clock and its timers stand still; the uptime and the wall clock go on. */
function laptop(roundUptime: (seconds: number) => number = (seconds) => seconds): {
  readonly inner: FakeClock;
  readonly clock: Clock;
  readonly sleep: (milliseconds: number) => void;
  readonly readings: () => number;
} {
  const inner = fakeClock();
  let slept = 0;
  let readings = 0;
  const clock = countSleep(inner, () => {
    readings += 1;
    return roundUptime((inner.monotonic() + slept) / 1_000);
  });
  const sleep = (milliseconds: number): void => {
    slept += milliseconds;
    inner.jumpWall(milliseconds);
  };
  return { inner, clock, sleep, readings: () => readings };
}

describe("a laptop that slept for an hour", () => {
  it("let a deadline of ten minutes wait until it had been awake for ten minutes", async () => {
    const { inner, clock, sleep } = laptop();
    const hub = await createHub({ store: memoryStore(), clock });
    const { id } = await hub.post({ questions: [question], timeoutMs: 10 * MINUTE });
    await inner.advance(1_000);
    sleep(HOUR);
    await inner.advance(10_000);
    expect((await hub.get(id)).status).toBe("expired");
    await hub.close();
  });

  it("took a token that had expired in its sleep", async () => {
    const { clock, sleep } = laptop();
    const store = memoryStore();
    await store.open({ clock, logger: console });
    const auth = createAuth({ records: store.records, now: () => store.now() });
    const { token } = await auth.createToken({
      role: "agent",
      name: "builder",
      expiresIn: 10 * MINUTE,
    });
    expect(await auth.verifyToken(token)).toBeDefined();
    sleep(HOUR);
    expect(await auth.verifyToken(token)).toBeUndefined();
    await store.close();
  });

  it("ran a timer of ten minutes an hour late", async () => {
    const { inner, clock, sleep } = laptop();
    let ran = 0;
    clock.schedule(10 * MINUTE, () => {
      ran += 1;
    });
    await inner.advance(MINUTE);
    sleep(HOUR);
    await inner.advance(10_000);
    expect(ran).toBe(1);
    await inner.advance(HOUR);
    expect(ran).toBe(1);
  });

  it("still cancels a timer that was armed again", async () => {
    const { inner, clock, sleep } = laptop();
    const cancel = clock.schedule(10 * MINUTE, () => expect.unreachable());
    await inner.advance(MINUTE);
    cancel();
    sleep(HOUR);
    await inner.advance(HOUR);
    expect(inner.timers).toBe(0);
  });
});

describe("a machine that did not sleep", () => {
  it.each([HOUR, -HOUR])("keeps its time when somebody sets the wall clock by %i ms", async (jump) => {
    const { inner, clock } = laptop();
    const start = clock.monotonic();
    inner.jumpWall(jump);
    expect(clock.monotonic()).toBe(start);
    await inner.advance(MINUTE);
    expect(clock.monotonic()).toBe(start + MINUTE);
  });

  it("gains nothing from an uptime in whole seconds, or from one that starts again", async () => {
    for (const round of [Math.floor, (seconds: number) => seconds % 7]) {
      const { inner, clock } = laptop(round);
      const start = clock.monotonic();
      for (let step = 0; step < 100; step += 1) {
        await inner.advance(337);
        clock.monotonic();
      }
      expect(clock.monotonic()).toBe(start + 100 * 337);
    }
  });

  it("runs a timer at its time, and reads the uptime at most once a second", async () => {
    const { inner, clock, readings } = laptop();
    const start = clock.monotonic();
    let ranAt = 0;
    clock.schedule(35_500, () => {
      ranAt = clock.monotonic();
    });
    const before = readings();
    for (let step = 0; step < 400; step += 1) {
      await inner.advance(100);
      clock.monotonic();
    }
    expect(ranAt).toBe(start + 35_500);
    expect(readings() - before).toBeLessThanOrEqual(41);
  });

  it("has a real clock that agrees with this process", () => {
    const clock = machineClock();
    const offset = clock.monotonic() - performance.now();
    expect(Math.abs(clock.monotonic() - performance.now() - offset)).toBeLessThan(1_000);
  });
});
