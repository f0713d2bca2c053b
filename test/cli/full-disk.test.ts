import { execFileSync, spawnSync } from "node:child_process";
import { rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, onTestFinished } from "vitest";
import { readCredentials } from "../../src/cli/connect/credentials.js";
import { type Database, openDatabase } from "../../src/hub/stores/sqlite/file/driver.js";
import { call, refusal } from "../server/open-server.ts";
import { endProcesses } from "./processes.ts";
import { newFolder, removeFolders, type ServeProcess, serve } from "./servers.ts";

afterEach(endProcesses);
afterAll(removeFolders);

const NOT_READY = 'not ready: check "store" failed: the store';

interface Trouble {
  begin(): void;
  end(): void;
}

/** What one asks, reads and hears of readiness before, during and after. */
async function through(server: ServeProcess, trouble: Trouble, told: string, because: string): Promise<void> {
  const { agent, person } = readCredentials(server.data, server.url) ?? {};
  const ask = (key: string) =>
    call(server, agent, "POST /v1/asks", {
      key,
      questions: [{ question: "Ship it?", options: ["Yes", "No"] }],
    });
  const ready = async () => {
    const reply = await call(server, undefined, "GET /readyz");
    return `${reply.status} ${reply.body.error?.message ?? ""}`;
  };
  const first = (await ask("first")).body.ask?.id;
  const answer = () =>
    call(server, person, `POST /v1/asks/${first}/answer`, {
      answers: [{ question: "q1", selected: ["o1"] }],
    });
  expect(await ready()).toBe("200 ");
  trouble.begin();
  const refused = await ask("second");
  expect(refusal(refused)).toBe(told);
  expect(refused.body.error?.message).toMatch(
    told.endsWith("store_full")
      ? /^the server has no disk space left, so nothing was stored; /
      : /^the store failed; /,
  );
  expect(refusal(await answer())).toBe(told);
  expect(await ready()).toBe(`503 ${NOT_READY} ${because}`);
  expect(refusal(await call(server, undefined, "GET /healthz"))).toBe("200 no error");
  // What is there can be read, and is as it was.
  expect((await call(server, agent, `GET /v1/asks/${first}`)).body.ask?.status).toBe("pending");
  trouble.end();
  // Nobody has written since: the look itself finds out.
  expect(await ready()).toBe("200 ");
  expect((await answer()).body.ask?.status).toBe("answered");
  expect((await ask("second")).status).toBe(201);
  expect((await call(server, agent, "GET /v1/asks?status=pending")).body.asks).toHaveLength(1);
  server.running.child.kill("SIGTERM");
  expect((await server.running.ended).code).toBe(0);
}

/** A disk of 32 MB, where this user may mount one. */
function smallDisk(folder: string): boolean {
  return spawnSync("mount", ["-t", "tmpfs", "-o", "size=32m", "tmpfs", folder]).status === 0;
}

describe("askline serve: a disk", () => {
  it("that was full counted as ready until a write had failed", async ({ skip }) => {
    const data = newFolder();
    if (!smallDisk(data)) skip("needs the right to mount a small disk");
    onTestFinished(() => void execFileSync("umount", ["--lazy", data]));
    const server = await serve(data);
    const ready = async (): Promise<string> => refusal(await call(server, undefined, "GET /readyz"));
    expect(await ready()).toBe("200 no error");
    const ballast = join(data, "ballast");
    expect(() => writeFileSync(ballast, Buffer.alloc(33 * 1024 * 1024))).toThrow(/ENOSPC/);
    expect(await ready()).toBe("503 store_unavailable");
    rmSync(ballast);
    expect(await ready()).toBe("200 no error");
    server.running.child.kill("SIGTERM");
    expect((await server.running.ended).code).toBe(0);
  });

  it("that is full is reported as full, is not ready, and is ready again when there is room", async () => {
    const server = await serve();
    const file: Database = openDatabase(join(server.data, "askline.db"));
    onTestFinished(() => file.close());
    // A table whose last number is taken is full, like a disk.
    const tables = ["log_entries", "records"];
    await through(
      server,
      {
        begin: () =>
          file.exec(`
            CREATE TABLE numbers (n INTEGER PRIMARY KEY AUTOINCREMENT);
            INSERT INTO numbers VALUES (9223372036854775807);
            ${tables.map((table) => `CREATE TRIGGER fill_${table} BEFORE INSERT ON ${table} BEGIN INSERT INTO numbers VALUES (NULL); END;`).join("\n")}
          `),
        end: () =>
          file.exec(`${tables.map((table) => `DROP TRIGGER fill_${table};`).join("")} DROP TABLE numbers;`),
      },
      "507 store_full",
      "cannot be written",
    );
  });

  it("that takes no more bytes is an error of it, is not ready, and is ready when it takes them again", async () => {
    const server = await serve();
    const limit = (size: number | "unlimited"): void => {
      const pid = String(server.running.child.pid);
      execFileSync("prlimit", ["--pid", pid, `--fsize=${size}:unlimited`]);
    };
    await through(
      server,
      {
        // From the kernel: nothing may be written behind the end that the log has now.
        begin: () => limit(statSync(join(server.data, "askline.db-wal")).size),
        end: () => limit("unlimited"),
      },
      "503 store_unavailable",
      "does not respond",
    );
  });
});
