import { describe, expect, it } from "vitest";
import { createHub, type Hub, memoryStore } from "../../src/hub/index.ts";
import { type Script, scriptedAnswerer } from "../../src/testing/index.ts";

const questions = [{ question: "Ship it?", options: ["Yes", "No"] }];
const logger = { warn: () => undefined, error: () => undefined };

async function withHub(run: (hub: Hub) => Promise<void>): Promise<void> {
  const hub = await createHub({ store: memoryStore(), logger });
  try {
    await run(hub);
  } finally {
    await hub.close();
  }
}

const decline: Script = () => ({ type: "decline" });

describe("scriptedAnswerer", () => {
  it("settles existing and later asks, as its person and surface", () =>
    withHub(async (hub) => {
      const before = await hub.post({ questions });
      const answerer = scriptedAnswerer(hub, decline, { person: "ana", surface: "desk" });
      const by = { kind: "person", id: "ana", surface: "desk" };
      expect(await hub.wait(before.id)).toEqual({ kind: "declined", by });
      expect(await hub.ask({ questions })).toEqual({ kind: "declined", by });
      expect(answerer.seen.map(({ id }) => id)[0]).toBe(before.id);
      expect(answerer.seen.length).toBe(2);
      await answerer.close();
    }));

  it("sees only asks that its person may answer, within its filter", () =>
    withHub(async (hub) => {
      await hub.post({ questions, recipients: ["ben"] });
      await hub.post({ questions, session: "other" });
      const answerer = scriptedAnswerer(hub, decline, { person: "ana", filter: { session: "s" } });
      await hub.ask({ questions, session: "s" });
      expect(answerer.seen.length).toBe(1);
      await answerer.close();
    }));

  it("leaves asks alone once it is closed", () =>
    withHub(async (hub) => {
      const answerer = scriptedAnswerer(hub, decline, { person: "ana" });
      await answerer.close();
      const ask = await hub.post({ questions });
      expect((await hub.get(ask.id)).status).toBe("pending");
    }));

  it("ignores asks that were settled meanwhile", () =>
    withHub(async (hub) => {
      const script: Script = async () => {
        await hub.withdraw(ask.id);
        return { type: "reply", text: "too late" };
      };
      const ask = await hub.post({ questions });
      const answerer = scriptedAnswerer(hub, script, { person: "ana" });
      expect((await hub.wait(ask.id)).kind).toBe("withdrawn");
      await answerer.close();
    }));

  it("rejects at the close if its script threw", () =>
    withHub(async (hub) => {
      const ask = await hub.post({ questions });
      const called = deferred();
      const script: Script = () => {
        called.resolve();
        throw new Error("broken script");
      };
      const answerer = scriptedAnswerer(hub, script, { person: "ana" });
      await called.promise;
      await expect(answerer.close()).rejects.toThrow("broken script");
      expect((await hub.get(ask.id)).status).toBe("pending");
    }));

  it("gives up on a script whose every ending is refused", () =>
    withHub(async (hub) => {
      await hub.post({ questions });
      const seen = deferred();
      let turns = 0;
      const script: Script = () => {
        turns += 1;
        if (turns === 20) seen.resolve();
        return { type: "answer", answers: [] };
      };
      const answerer = scriptedAnswerer(hub, script, { person: "ana" });
      await seen.promise;
      await new Promise((resolve) => setImmediate(resolve));
      await expect(answerer.close()).rejects.toThrow(/gave 20 endings for ask .* all were refused/);
      expect(turns).toBe(20);
    }));
});

function deferred(): { readonly promise: Promise<void>; resolve(): void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
