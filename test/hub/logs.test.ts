import { describe, expect, it } from "vitest";
import { EVENT_LOG, memoryStore } from "../../src/hub/index.js";
import { ana, codeOf, openHub, question, yes } from "./open-hub.js";

describe("an ask with a transcript", () => {
  it("is told of there when it is stored and when it ends, however it ends", async () => {
    const { hub, clock } = await openHub();
    const post = (more: object = {}) => hub.post({ questions: [question], ...more }, { transcript: "log" });
    const answered = await post();
    const expired = await post({ timeoutMs: 1_000 });
    const approval = await hub.post({ approval: { actions: [{ name: "deploy" }] } }, { transcript: "log" });
    const unreachable = await post({ requireSurface: true });
    await hub.answer(answered.id, yes, ana);
    await hub.withdraw(approval.id);
    await clock.advance(1_000);
    const entries = await hub.logs.read("log", { after: 0, limit: 100 });
    expect(entries.map(({ type, subject, data }) => [type, subject, data])).toEqual([
      ["ask.created", answered.id, { asks: "questions" }],
      ["ask.created", expired.id, { asks: "questions" }],
      ["ask.created", approval.id, { asks: "approval" }],
      ["ask.created", unreachable.id, { asks: "questions" }],
      ["ask.unavailable", unreachable.id, undefined],
      ["ask.answered", answered.id, undefined],
      ["ask.withdrawn", approval.id, undefined],
      ["ask.expired", expired.id, undefined],
    ]);
    expect(await hub.logs.bounds("log")).toEqual({ first: 1, head: 8 });
  });

  it("is told of once, though it is asked again with its key", async () => {
    const { hub } = await openHub();
    const request = { questions: [question], key: "k1" };
    const [one, two] = [
      await hub.post(request, { transcript: "log" }),
      await hub.post(request, { transcript: "log" }),
    ];
    expect(two.id).toBe(one.id);
    expect(await hub.logs.read("log", { after: 0, limit: 10 })).toHaveLength(1);
  });

  it("cannot be made by whoever writes the request", async () => {
    const { hub } = await openHub();
    const ask = await hub.post({ questions: [question], transcript: "log" } as object);
    expect(ask.transcript).toBeUndefined();
  });
});

describe("logs", () => {
  it("wake those who wait for this log, and not those who wait for another", async () => {
    const { hub } = await openHub();
    const woken: string[] = [];
    for (const log of ["one", "two"]) void hub.logs.next(log).then(() => woken.push(log));
    await hub.logs.append([{ log: "one", type: "said" }]);
    await hub.post({ questions: [question] });
    expect(woken).toEqual(["one"]);
    await hub.post({ questions: [question] }, { transcript: "two" });
    expect(woken).toEqual(["one", "two"]);
  });

  it("wake everybody when another process has committed, and when the hub closes", async () => {
    const store = memoryStore();
    let commit = (): void => undefined;
    const { hub } = await openHub({
      ...store,
      watch(listener) {
        commit = listener;
        return () => undefined;
      },
    });
    const waiting = hub.logs.next("one");
    commit();
    await waiting;
    const again = hub.logs.next("one");
    await hub.close();
    await again;
    expect(await codeOf(hub.logs.read("one", { after: 0, limit: 1 }))).toBe("closed");
  });

  it("append once what is named", async () => {
    const { hub } = await openHub();
    const append = () => hub.logs.append([{ log: "one", type: "said" }], { once: "n1" });
    expect([await append(), await append()]).toEqual([true, false]);
    expect(await hub.logs.read("one", { after: 0, limit: 10 })).toHaveLength(1);
  });

  it("keep the log of events to the store", async () => {
    const { hub } = await openHub();
    expect(await codeOf(hub.logs.append([{ log: EVENT_LOG, type: "ask.answered" }]))).toBe("forbidden");
  });
});
