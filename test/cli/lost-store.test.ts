import { copyFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { readCredentials } from "../../src/cli/connect/credentials.js";
import { endProcesses } from "./processes.ts";
import { newFolder, removeFolders, type ServeProcess, serve } from "./servers.ts";

afterEach(endProcesses);
afterAll(removeFolders);

async function post({ url, data }: ServeProcess, key: string): Promise<number | "gone"> {
  const headers = {
    authorization: `Bearer ${readCredentials(data, url)?.agent}`,
    "content-type": "application/json",
  };
  const body = JSON.stringify({ questions: [{ question: "Ship it?" }], session: "s", key });
  try {
    return (await fetch(`${url}/v1/asks`, { method: "POST", headers, body })).status;
  } catch {
    return "gone";
  }
}

async function readiness({ url }: ServeProcess): Promise<number | "gone"> {
  try {
    return (await fetch(`${url}/readyz`)).status;
  } catch {
    return "gone";
  }
}

describe("askline serve went on acknowledging when its database file was", () => {
  const remove = (db: string): void => rmSync(db);
  const replace = (db: string): void => {
    copyFileSync(db, `${db}.copy`);
    renameSync(`${db}.copy`, db);
  };

  it.each([
    ["removed", "at the next write", remove],
    ["removed", "within a second, without one", remove],
    ["replaced", "at the next write", replace],
    ["replaced", "within a second, without one", replace],
  ])("%s: %s it is not ready, refuses, and ends with a message", async (how, when, lose) => {
    const server = await serve(newFolder(), { args: ["--log-format", "text", "--log-level", "warn"] });
    expect([await post(server, "before"), await readiness(server)]).toEqual([201, 200]);
    const db = join(server.data, "askline.db");
    lose(db);
    // A server that is already gone refuses too.
    if (when === "at the next write") expect([503, "gone"]).toContain(await post(server, "after"));
    else await expect.poll(() => readiness(server)).not.toBe(200);
    const { code, stderr } = await server.running.ended;
    expect([503, "gone"]).toContain(await post(server, "later"));
    expect(stderr).toMatch(/the store can no longer be written, so this server stops; start it again/);
    expect(stderr).toContain(`the file ${db} was ${how} while the store was open`);
    expect(code).toBe(1);
  });
});
