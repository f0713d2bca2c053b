import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type AskStore, memoryStore } from "../../src/hub/index.js";
import { IDS_LOOKED_AT } from "../../src/hub/seam/store.js";
import { sqliteStore } from "../../src/hub/stores/sqlite/index.js";
import { codeOf, openHub, question } from "./open-hub.js";

describe("a part of an id", () => {
  it("was looked for in the contents of all asks", async () => {
    const store = memoryStore();
    const read: string[] = [];
    const getMany: AskStore["getMany"] = (ids, size) => {
      read.push(...ids);
      return store.asks.getMany(ids, size);
    };
    const list: AskStore["list"] = () => expect.unreachable();
    const { hub } = await openHub({ ...store, asks: { ...store.asks, getMany, list } });
    const ids: string[] = [];
    for (let count = 0; count < 50; count += 1) {
      ids.push((await hub.post({ questions: [question] }, { asker: "builder" })).id);
    }
    const wanted = ids[20] ?? "";
    const part = wanted.slice(-12);
    expect((await hub.list({ id: part })).asks.map(({ id }) => id)).toEqual([wanted]);
    expect(read).toEqual([wanted]);
    expect((await hub.list({ id: part, asker: "other" })).asks).toEqual([]);
    expect((await hub.list({ id: "ask_" })).asks).toHaveLength(5);
    expect(await codeOf(hub.list({ id: "abc" }))).toBe("invalid_request");
    await hub.close();
  });

  it("is found beyond the first ids that a store looks at", async () => {
    const folder = mkdtempSync(join(tmpdir(), "askline-ids-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const { hub, store } = await openHub(sqliteStore({ path: join(folder, "askline.db") }));
    const template = (await hub.get((await hub.post({ questions: [question] })).id)) as never as object;
    const idOf = (count: number): string => `ask_${String(count).padStart(8, "0")}-ffff`;
    await Promise.all(
      Array.from({ length: IDS_LOOKED_AT + 5 }, (_, count) =>
        store.asks.insert({ ask: { ...template, id: idOf(count) } as never }),
      ),
    );
    const last = idOf(IDS_LOOKED_AT + 3);
    expect((await hub.list({ id: last.slice(4) })).asks.map(({ id }) => id)).toEqual([last]);
    await expect(hub.list({ id: "ffff", asker: "nobody" })).rejects.toThrow('too many ids contain "ffff"');
    await hub.close();
  });
});
