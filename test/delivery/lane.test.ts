import { expect, it } from "vitest";
import { createOutbox } from "../../src/delivery/outbox/entry.ts";
import { type Attempt, type Channel, openLane } from "../../src/delivery/outbox/lane.ts";
import { createHub, memoryStore } from "../../src/hub/index.ts";
import { fakeClock, whileTimePasses } from "../../src/testing/fake-clock.ts";

/** A lane whose receiver is a function: nothing but the fake clock takes time. */
async function openTestLane(
  deliver: (askId: string) => Attempt,
  { timersEarlyBy = 0, failsAfterMs = 0 } = {},
) {
  const store = memoryStore();
  const clock = fakeClock();
  const hub = await createHub({ store, clock });
  const outbox = createOutbox(store);
  const attempts: { readonly askId: string; readonly at: number }[] = [];
  const channel: Channel = {
    lane: "callbacks",
    kind: "callback",
    title: "callback",
    ordered: false,
    concurrency: 32,
    receiver: async () => "host",
    deliver: async ({ askId }) => {
      attempts.push({ askId, at: clock.monotonic() });
      const result = deliver(askId);
      if (result.kind === "failed" && failsAfterMs > 0) {
        await new Promise<void>((resolve) => {
          clock.schedule(failsAfterMs, resolve);
        });
      }
      return result;
    },
  };
  const early = (delayMs: number): number => (delayMs > 10 ? delayMs - timersEarlyBy : delayMs);
  const lane = openLane(channel, {
    store,
    outbox,
    clock: { ...clock, schedule: (delayMs, task) => clock.schedule(early(delayMs), task) },
    logger: { warn: () => undefined, error: () => undefined },
    isPlanned: async () => true,
  });
  return {
    clock,
    attempts,
    async add(askId: string, afterMs = 0) {
      const availableAt = store.now() + afterMs;
      const entry = {
        key: `${askId}/1`,
        askId,
        type: "ask.answered",
        position: 1,
        at: store.now(),
        availableAt,
      };
      await outbox.add(channel.lane, entry, false);
      lane.poke(availableAt);
      await clock.advance(0);
    },
    async close() {
      await whileTimePasses(clock, lane.close(), 100);
      await hub.close();
    },
  };
}

const failed: Attempt = { kind: "failed", reason: "HTTP 500" };

const askIds = (attempts: readonly { readonly askId: string }[]): readonly string[] =>
  attempts.map(({ askId }) => askId);

it("a message waited behind one to the same host that was refused", async () => {
  const lane = await openTestLane((askId) => (askId === "broken" ? failed : { kind: "delivered" }));
  await lane.add("broken");
  await lane.add("good");
  expect(askIds(lane.attempts)).toEqual(["broken", "good"]);
  await lane.close();
});

it("messages waited for ever behind one to the same host that kept hanging", async () => {
  const lane = await openTestLane((askId) => (askId === "hangs" ? failed : { kind: "delivered" }), {
    failsAfterMs: 15_000,
  });
  await lane.add("hangs");
  await lane.clock.advance(15_000);
  await lane.add("good");
  await lane.add("fine");
  // The failure pauses the host for a second; the new messages come back within another, before the one that hangs. Of
  // two that come at one moment, the second waits up to a second and a half for the first.
  await lane.clock.advance(3_800);
  expect(askIds(lane.attempts).slice(0, 2)).not.toEqual(["hangs", "hangs"]);
  expect(new Set(askIds(lane.attempts))).toEqual(new Set(["hangs", "good", "fine"]));
  await lane.close();
});

it("a message that failed is attempted again, although others to its host fail as well", async () => {
  let isBack = false;
  const lane = await openTestLane(() => (isBack ? { kind: "delivered" } : failed), { failsAfterMs: 2_000 });
  for (const askId of ["a", "b", "c"]) await lane.add(askId);
  await lane.clock.advance(60_000);
  expect(new Set(askIds(lane.attempts))).toEqual(new Set(["a", "b", "c"]));
  isBack = true;
  const before = lane.attempts.length;
  await lane.clock.advance(180_000);
  expect([...askIds(lane.attempts.slice(before))].sort()).toEqual(["a", "b", "c"]);
  await lane.close();
});

it("a message was attempted again five seconds late, because its timer came a moment too early", async () => {
  const lane = await openTestLane(() => failed, { timersEarlyBy: 1 });
  await lane.add("broken");
  await lane.clock.advance(2_000);
  expect(lane.attempts).toHaveLength(2);
  await lane.close();
});

it("a reminder came with the next look, up to five seconds late", async () => {
  const lane = await openTestLane(() => ({ kind: "delivered" }));
  await lane.add("now");
  await lane.add("reminder", 1_000);
  await lane.add("later", 60_000 * 60);
  await lane.clock.advance(1_200);
  expect(askIds(lane.attempts)).toEqual(["now", "reminder"]);
  await lane.close();
});
