import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { abortReason, untilAborted } from "../../src/core/rules/abort.js";

it("a signal that many wait on has one listener, and none once they are done", async () => {
  const { signal } = new AbortController();
  const ends: (() => void)[] = [];
  const waits = Array.from({ length: 20 }, (_, index) =>
    untilAborted(
      signal,
      new Promise<number>((resolve) => {
        ends.push(() => resolve(index));
      }),
    ),
  );
  // Node warns of a leak from the eleventh on.
  expect(getEventListeners(signal, "abort")).toHaveLength(1);
  for (const end of ends) end();
  expect(await Promise.all(waits)).toEqual(waits.map((_, index) => index));
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
  await untilAborted(signal, Promise.resolve());
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
});

it("an abort ends every wait on its signal, with the same reason", async () => {
  const controller = new AbortController();
  const waits = [1, 2, 3].map(() => untilAborted(controller.signal, new Promise(() => undefined)));
  const results = Promise.allSettled(waits);
  controller.abort(null);
  for (const result of await results) {
    expect(result).toEqual({ status: "rejected", reason: abortReason(controller.signal) });
  }
  expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
});
