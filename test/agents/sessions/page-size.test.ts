import { expect, it } from "vitest";
import { followSession, openSession, readHistory } from "../../../src/agents/sessions/index.js";
import { memoryStore, type Store } from "../../../src/hub/index.js";
import { withParts } from "../../../src/hub/seam/store-kit.js";
import { openHub } from "../../hub/open-hub.js";
import { takeEvents } from "./open.js";

const LARGEST = 8 * 1024 * 1024;

/** A store that notes the largest read of a log. */
function measured(): { readonly store: Store; readonly largest: () => number } {
  const store = memoryStore();
  let largest = 0;
  const logs: Store["logs"] = {
    ...store.logs,
    async read(log, query) {
      const entries = await store.logs.read(log, query);
      largest = Math.max(largest, JSON.stringify(entries).length);
      return entries;
    },
  };
  return { store: withParts(store, { logs }), largest: () => largest };
}

it("was read into memory as a whole for one page of its history", async () => {
  const { store, largest } = measured();
  const { hub } = await openHub(store);
  const session = await openSession({ hub, sessionId: "s" });
  for (let count = 0; count < 40; count += 1) await session.text(`${count} ${"x".repeat(500_000)}`);
  const sizes: number[] = [];
  const texts: string[] = [];
  let charged = 0;
  for (let after: string | undefined; ; ) {
    const page = await readHistory(hub, "s", {
      onRead: (characters) => {
        charged += characters;
      },
      ...(after !== undefined && { after }),
    });
    sizes.push(JSON.stringify(page.messages).length);
    for (const message of page.messages) texts.push(/"(\d+) x/.exec(JSON.stringify(message))?.[1] ?? "");
    after = page.next;
    if (after === undefined) break;
  }
  expect(new Set(texts).size).toBe(40);
  expect(texts).toHaveLength(40);
  expect(sizes.length).toBeGreaterThan(2);
  expect(Math.max(...sizes)).toBeLessThan(LARGEST);
  expect(charged).toBeGreaterThan(2 * 40 * 500_000);
  const events = await takeEvents(followSession(hub, "s", { after: "0" }), 120);
  expect(new Set(events.map(({ id }) => id)).size).toBe(120);
  expect(largest()).toBeLessThan(LARGEST);
});
