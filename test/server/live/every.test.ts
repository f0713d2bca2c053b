import { describe, expect, it } from "vitest";
import { everyCheck } from "../../../src/server/live/every.js";
import { fakeClock } from "../../../src/testing/index.js";

describe("checking credentials again and again", () => {
  it("waits for a check that hangs instead of beginning another", async () => {
    const clock = fakeClock();
    let begun = 0;
    let answer = (): void => undefined;
    const stop = everyCheck(clock, console, () => {
      begun += 1;
      return new Promise((resolve) => {
        answer = resolve;
      });
    });
    await clock.advance(5_000);
    expect(begun).toBe(1);
    answer();
    await clock.advance(500);
    expect(begun).toBe(2);
    stop();
    answer();
    await clock.advance(5_000);
    expect(begun).toBe(2);
  });

  it("tells of an outage once, and of the next one again", async () => {
    const clock = fakeClock();
    const warned: unknown[] = [];
    const logger = {
      warn: (_text: string, error?: unknown) => void warned.push(error),
      error: console.error,
    };
    let why: string | undefined = "first";
    const stop = everyCheck(clock, logger, () =>
      why === undefined ? Promise.resolve() : Promise.reject(why),
    );
    await clock.advance(2_000);
    why = undefined;
    await clock.advance(500);
    why = "second";
    await clock.advance(2_000);
    stop();
    expect(warned).toEqual(["first", "second"]);
  });
});
