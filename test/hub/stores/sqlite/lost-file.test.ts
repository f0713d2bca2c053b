import { copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Store } from "../../../../src/hub/seam/store.js";
import { isDamaged } from "../../../../src/hub/stores/sqlite/file/write-ahead-log.js";
import { sqliteStore } from "../../../../src/hub/stores/sqlite/index.ts";
import type { AsklineError } from "../../../../src/index.ts";
import { fakeClock } from "../../../../src/testing/index.ts";
import { errorOf, newAsk, sqliteTests } from "./open-sqlite.ts";

const { open, path } = sqliteTests();

async function openWithThread(): Promise<{ store: Store; warnings: string[] }> {
  return openAt(path());
}

async function openAt(at: string): Promise<{ store: Store; warnings: string[] }> {
  const store = sqliteStore({ path: at });
  onTestFinished(() => store.close());
  const warnings: string[] = [];
  const warn = (message: string): void => void warnings.push(message);
  await store.open({ clock: fakeClock(), logger: { warn, error: warn } });
  return { store, warnings };
}

const brokenReason = (store: Store): Promise<AsklineError> =>
  new Promise((resolve) => store.onBroken?.(resolve));

describe("a file that was removed or replaced while everything went on being acknowledged", () => {
  const remove = (): void => rmSync(path());
  const replace = (): void => {
    copyFileSync(path(), path("copy.db"));
    renameSync(path("copy.db"), path());
  };

  it.each([
    ["removed", "a thread", remove, openWithThread],
    ["removed", "this thread", remove, open],
    ["replaced", "a thread", replace, openWithThread],
    ["replaced", "this thread", replace, open],
  ])(
    "%s, with writes in %s: refuses writes, is not ready, and says why",
    async (how, _writer, lose, openStore) => {
      const { store } = await openStore();
      await store.asks.insert(newAsk());
      const broken = brokenReason(store);
      lose();
      expect(await errorOf(store.asks.insert(newAsk()))).toMatchObject({
        code: "store_unavailable",
        message: expect.stringContaining(`the file ${path()} was ${how} while the store was open`),
      });
      expect((await broken).message).toContain(`the file ${path()} was ${how}`);
      expect((await errorOf(store.check?.() ?? Promise.resolve())).code).toBe("store_unavailable");
      expect((await errorOf(store.asks.insert(newAsk()))).code).toBe("store_unavailable");
    },
  );

  it("is noticed by a store that nobody writes to", async () => {
    const { store } = await openWithThread();
    const broken = brokenReason(store);
    remove();
    expect((await broken).message).toContain("was removed");
  });
});

describe("a write-ahead log with bytes and no valid entry", () => {
  /** A file and its log as a power cut leaves them, and what happened to the log since. */
  async function afterPowerCut(damage: (log: Buffer) => void): Promise<string[]> {
    const { store } = await openAt(path("first.db"));
    const { ask } = newAsk();
    await store.asks.insert({ ask });
    const log = readFileSync(path("first.db-wal"));
    damage(log);
    copyFileSync(path("first.db"), path());
    writeFileSync(path("askline.db-wal"), log);
    const { warnings } = await openWithThread();
    return warnings;
  }

  it("is not what a process that was killed leaves", async () => {
    expect(await afterPowerCut(() => undefined)).toEqual([]);
  });

  it.each([
    ["a header of zeros", (log: Buffer) => log.fill(0, 0, 32)],
    ["another magic number", (log: Buffer) => log.writeUInt32BE(0x12345678, 0)],
    ["a changed page", (log: Buffer) => log.writeUInt32BE(0xdeadbeef, 32 + 24 + 100)],
    ["another salt", (log: Buffer) => log.writeUInt32BE(7, 32 + 8)],
  ])("was passed over in silence: %s", async (_what, damage) => {
    expect(await afterPowerCut((log) => void damage(log)).catch((error: Error) => [error.message])).toEqual([
      expect.stringMatching(/^the write-ahead log \S+-wal is damaged: it has \d+ bytes and no valid entry/),
    ]);
  });

  it("failed the start of a process while another one emptied or removed the log", () => {
    const seen = { path: path("askline.db-wal"), size: 4_152 };
    expect(isDamaged(seen)).toBe(false);
    for (const bytes of [0, 32]) {
      writeFileSync(seen.path, Buffer.alloc(bytes));
      expect(isDamaged(seen)).toBe(false);
    }
  });
});
