import { describe, expect, it } from "vitest";
import { fakeClock } from "../../src/testing/index.ts";

describe("fakeClock", () => {
  it("stands still until it is moved", async () => {
    const clock = fakeClock({ now: 1_000 });
    const start = clock.monotonic();
    expect([clock.now(), clock.now()]).toEqual([1_000, 1_000]);
    await clock.advance(250);
    expect([clock.now(), clock.monotonic() - start]).toEqual([1_250, 250]);
  });

  it("runs due timers in order, each at its own time", async () => {
    const clock = fakeClock({ now: 0 });
    const ran: string[] = [];
    for (const delay of [30, 10, 20, 10]) clock.schedule(delay, () => ran.push(`${delay} at ${clock.now()}`));
    clock.schedule(31, () => ran.push("too late"));
    await clock.advance(30);
    expect(ran).toEqual(["10 at 10", "10 at 10", "20 at 20", "30 at 30"]);
    expect(clock.timers).toBe(1);
  });

  it("lets promises settle before it advances, so that they can schedule timers in time", async () => {
    const clock = fakeClock({ now: 0 });
    const ran: number[] = [];
    const repeat = async (): Promise<void> => {
      ran.push(clock.now());
      await Promise.resolve();
      await Promise.resolve();
      clock.schedule(10, () => void repeat());
    };
    clock.schedule(10, () => void repeat());
    await clock.advance(45);
    expect(ran).toEqual([10, 20, 30, 40]);
    expect(clock.now()).toBe(45);
  });

  it("does not run cancelled timers, and a second cancel does nothing", async () => {
    const clock = fakeClock();
    let ran = 0;
    const cancel = clock.schedule(10, () => {
      ran += 1;
    });
    cancel();
    cancel();
    await clock.advance(100);
    expect([ran, clock.timers]).toEqual([0, 0]);
  });

  it("jumps only the wall clock, in either direction, without running timers", async () => {
    const clock = fakeClock({ now: 1_000_000 });
    const start = clock.monotonic();
    let ran = 0;
    clock.schedule(10, () => {
      ran += 1;
    });
    clock.jumpWall(500_000);
    clock.jumpWall(-900_000);
    expect([clock.now(), clock.monotonic() - start, ran]).toEqual([600_000, 0, 0]);
    await clock.advance(10);
    expect([clock.now(), ran]).toEqual([600_010, 1]);
  });

  it("resolves when enough timers are scheduled", async () => {
    const clock = fakeClock();
    let ready = false;
    const scheduled = clock.scheduled(2).then(() => {
      ready = true;
    });
    clock.schedule(1, () => undefined);
    await Promise.resolve();
    expect(ready).toBe(false);
    clock.schedule(1, () => undefined);
    await scheduled;
    expect(ready).toBe(true);
  });

  it("passes on errors of a timer", async () => {
    const clock = fakeClock();
    clock.schedule(1, () => {
      throw new Error("broken timer");
    });
    await expect(clock.advance(1)).rejects.toThrow("broken timer");
  });

  it("runs timers without a delay on the next advance", async () => {
    const clock = fakeClock();
    let ran = 0;
    clock.schedule(-5, () => {
      ran += 1;
    });
    expect(ran).toBe(0);
    await clock.advance(0);
    expect(ran).toBe(1);
  });
});
