import { expect, it } from "vitest";
import { createOutbox, entryKey } from "../../../src/hub/delivery/outbox/entry.ts";
import { type Attempt, type Channel, openLane } from "../../../src/hub/delivery/outbox/lane.ts";
import { createHub, memoryStore } from "../../../src/hub/index.ts";
import { fakeClock, whileTimePasses } from "../../../src/testing/fake-clock.ts";

/** A lane whose receiver is a function: nothing but the fake clock takes time. */
async function openTestLane(
  deliver: (askId: string) => Attempt | Promise<Attempt>,
  { timersEarlyBy = 0, failsAfterMs = 0, receiver = (_askId: string): string | undefined => "host" } = {},
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
    concurrency: 64,
    receiver: async (entry) => receiver?.(entry.askId),
    deliver: async ({ askId }) => {
      attempts.push({ askId, at: clock.monotonic() });
      const result = await deliver(askId);
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
    async add(askId: string, afterMs = 0, asker = askId) {
      const availableAt = store.now() + afterMs;
      const entry = {
        key: entryKey({ id: askId, asker }, 1),
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

it("one agent whose receivers hang took every place, and the messages of others waited for minutes", async () => {
  const hanging = new Set<() => void>();
  const lane = await openTestLane(
    (askId) =>
      askId.startsWith("flood")
        ? new Promise<Attempt>((resolve) => hanging.add(() => resolve(failed)))
        : { kind: "delivered" },
    { receiver: (askId) => askId },
  );
  for (let index = 0; index < 100; index += 1) await lane.add(`flood-${index}`, 0, "flooder");
  await lane.add("good", 0, "builder");
  await lane.add("fine", 0, "planner");
  expect(askIds(lane.attempts).filter((askId) => askId.startsWith("flood"))).toHaveLength(8);
  expect(askIds(lane.attempts).slice(8)).toEqual(["good", "fine"]);
  for (const end of hanging) end();
  await lane.close();
});

it("askers are served in turns, however many messages one of them has", async () => {
  const waiting: (() => void)[] = [];
  const lane = await openTestLane(
    () => new Promise<Attempt>((resolve) => waiting.push(() => resolve({ kind: "delivered" }))),
  );
  // Nine agents with eight attempts each would be more than there are places.
  for (let index = 0; index < 12; index += 1) {
    for (let agent = 0; agent < 9; agent += 1) await lane.add(`f${agent}-${index}`, 0, `flooder${agent}`);
  }
  expect(lane.attempts).toHaveLength(64);
  await lane.add("good", 0, "builder");
  for (let ended = 0; ended < 64 && !askIds(lane.attempts).includes("good"); ended += 1) {
    waiting.shift()?.();
    await lane.clock.advance(0);
  }
  expect(askIds(lane.attempts).indexOf("good")).toBeLessThan(64 + 10);
  while (waiting.length > 0) {
    for (const end of waiting.splice(0)) end();
    await lane.clock.advance(0);
  }
  expect(lane.attempts).toHaveLength(9 * 12 + 1);
  await lane.close();
});
