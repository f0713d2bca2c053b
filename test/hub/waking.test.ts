import { describe, expect, it } from "vitest";
import { memoryStore, type Store } from "../../src/hub/index.js";
import { AsklineError } from "../../src/index.js";
import { ana, codeOf, openHub, question, yes } from "./open-hub.js";

/** A store that two hubs share, each as if it were another process: the second's commits are news to the first. */
function sharedStore(): { readonly first: Store; readonly second: Store; tell(): void } {
  // Each of two processes is told of its own commits only, which one store in memory cannot tell apart.
  const { onCommit: _, ...inner } = memoryStore();
  const listeners = new Set<() => void>();
  const first: Store = {
    ...inner,
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const second: Store = { ...inner, open: async () => undefined, close: async () => undefined };
  return {
    first,
    second,
    tell() {
      for (const listener of listeners) listener();
    },
  };
}

describe("an answer in another process", () => {
  it("wakes who waits here even if it could not be read at first and nothing more happens", async () => {
    const { first, second, tell } = sharedStore();
    let fail = false;
    const logs: Store["logs"] = {
      ...first.logs,
      read: (log, query) =>
        fail ? Promise.reject(new AsklineError("store_busy", "locked")) : first.logs.read(log, query),
    };
    const here = await openHub({ ...first, logs });
    const there = await openHub(second, here.clock);
    const { id } = await here.hub.post({ questions: [question] });
    const waiting = here.hub.wait(id);
    await here.hub.get(id);
    await there.hub.answer(id, yes, ana);
    fail = true;
    tell();
    await new Promise(setImmediate);
    expect(here.logged).toHaveLength(1);
    fail = false;
    await here.clock.advance(5_000);
    expect((await waiting).kind).toBe("answered");
    await here.hub.close();
  });

  it("wakes who waits here without a look at everything that this process did before", async () => {
    const { first, second, tell } = sharedStore();
    let reads = 0;
    const logs: Store["logs"] = {
      ...first.logs,
      read(log, query) {
        reads += 1;
        return first.logs.read(log, query);
      },
    };
    const here = await openHub({ ...first, logs });
    const there = await openHub(second, here.clock);
    const { id } = await here.hub.post({ questions: [question] });
    const waiting = here.hub.wait(id);
    await here.hub.get(id);
    const later = Array.from({ length: 5_000 }, () => ({ log: "events", type: "ask.opened" }));
    await first.logs.append(later);
    await there.hub.answer(id, yes, ana);
    tell();
    expect((await waiting).kind).toBe("answered");
    await new Promise(setImmediate);
    expect(reads).toBe(1);
    const next = await there.hub.post({ questions: [question] });
    const other = here.hub.wait(next.id);
    await here.hub.get(next.id);
    await there.hub.withdraw(next.id);
    tell();
    expect((await other).kind).toBe("withdrawn");
    await here.hub.close();
  });

  it("does not end an ask that is just being stored when others were pruned unread", async () => {
    const { first, second, tell } = sharedStore();
    let store = (): void => undefined;
    const asks: Store["asks"] = {
      ...first.asks,
      async insert(...args) {
        if (args[0].ask.session === "slow") {
          await new Promise<void>((resolve) => {
            store = resolve;
          });
        }
        return first.asks.insert(...args);
      },
    };
    const here = await openHub({ ...first, asks });
    const there = await openHub(second, here.clock);
    const asked = here.hub.ask({ questions: [question], session: "slow" });
    const { id } = await there.hub.post({ questions: [question] });
    await there.hub.withdraw(id);
    await here.clock.advance(1);
    await there.hub.prune({ settledBefore: first.now() });
    tell();
    await new Promise(setImmediate);
    store();
    await new Promise(setImmediate);
    const [ask] = (await here.hub.list()).asks;
    await here.hub.answer(ask?.id ?? "", yes, ana);
    expect((await asked).kind).toBe("answered");
    await here.hub.close();
  });

  it("does not leave anyone waiting where its events were pruned before they were read", async () => {
    const { first, second, tell } = sharedStore();
    const here = await openHub(first);
    const there = await openHub(second, here.clock);
    const gone = await here.hub.post({ questions: [question] });
    const kept = await here.hub.post({ questions: [question] });
    const waiting = codeOf(here.hub.wait(gone.id));
    const others = here.hub.wait(kept.id);
    await here.hub.get(kept.id);
    await there.hub.answer(gone.id, yes, ana);
    await here.clock.advance(1);
    await there.hub.prune({ settledBefore: first.now() });
    tell();
    expect(await waiting).toBe("not_found");
    expect(here.hub.isAwaited(kept.id)).toBe(true);
    await there.hub.answer(kept.id, yes, ana);
    tell();
    expect((await others).kind).toBe("answered");
    await here.hub.close();
  });
});
