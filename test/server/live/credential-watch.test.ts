import { describe, expect, it } from "vitest";
import type { Credential } from "../../../src/server/access/principal.js";
import { createCredentialWatch } from "../../../src/server/live/credential-watch.js";
import { fakeClock } from "../../../src/testing/index.js";

const token = (id: string): Credential => ({ kind: "token", id });

describe("watching the credentials of open connections", () => {
  it("took 16 turns for 4,000 streams: ends all of them in one check", async () => {
    const clock = fakeClock();
    const revoked = new Set<string>();
    let checks = 0;
    const isValid = (credential: Credential): boolean => {
      checks += 1;
      return credential.kind === "token" && !revoked.has(credential.id);
    };
    const watch = createCredentialWatch({ isValid }, clock, console);
    let ended = 0;
    const unwatch = Array.from({ length: 4_000 }, (_, index) =>
      watch.add(token(String(index % 4)), () => {
        ended += 1;
      }),
    );
    await clock.advance(500);
    expect(checks).toBe(4);
    for (const id of ["0", "1", "2", "3"]) revoked.add(id);
    await clock.advance(500);
    expect([ended, checks]).toEqual([4_000, 8]);
    for (const stop of unwatch) stop();
    await clock.advance(5_000);
    expect(checks).toBe(8);
  });

  it("ends what has different tokens in one check too", async () => {
    const clock = fakeClock();
    let valid = true;
    const watch = createCredentialWatch({ isValid: () => Promise.resolve(valid) }, clock, console);
    let ended = 0;
    for (let index = 0; index < 4_000; index += 1) {
      watch.add(token(String(index)), () => {
        ended += 1;
      });
    }
    valid = false;
    await clock.advance(500);
    expect(ended).toBe(4_000);
  });

  it("waits for a check that hangs instead of starting another", async () => {
    const clock = fakeClock();
    let begun = 0;
    let answer = (_valid: boolean): void => undefined;
    const isValid = (): Promise<boolean> => {
      begun += 1;
      return new Promise((resolve) => {
        answer = resolve;
      });
    };
    const stop = createCredentialWatch({ isValid }, clock, console).add(token("a"), () => undefined);
    await clock.advance(5_000);
    expect(begun).toBe(1);
    answer(true);
    await clock.advance(500);
    expect(begun).toBe(2);
    stop();
    answer(true);
    await clock.advance(5_000);
    expect(begun).toBe(2);
  });

  it("logs an outage once, and the next one again", async () => {
    const clock = fakeClock();
    const warned: unknown[] = [];
    const logger = {
      warn: (_text: string, error?: unknown) => void warned.push(error),
      error: console.error,
    };
    let why: string | undefined = "first";
    const isValid = (): Promise<boolean> => (why === undefined ? Promise.resolve(true) : Promise.reject(why));
    const stop = createCredentialWatch({ isValid }, clock, logger).add(token("a"), () => undefined);
    await clock.advance(2_000);
    why = undefined;
    await clock.advance(500);
    why = "second";
    await clock.advance(2_000);
    stop();
    expect(warned).toEqual(["first", "second"]);
  });
});
