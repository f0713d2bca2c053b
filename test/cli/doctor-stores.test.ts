import { chmodSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { openDatabase } from "../../src/stores/sqlite/driver.ts";
import { diagnose, healthy } from "./doctors.ts";
import { endProcesses, start } from "./processes.ts";
import { removeFolders, serve } from "./servers.ts";

afterEach(endProcesses);
afterAll(removeFolders);

function change(path: string, sql: string): void {
  const database = openDatabase(path);
  database.exec(sql);
  database.close();
}

const HOLD = `
  import { DatabaseSync } from "@photostructure/sqlite";
  const database = new DatabaseSync(process.argv[1]);
  database.exec("PRAGMA locking_mode = EXCLUSIVE; CREATE TABLE held (a)");
  console.log("held");
  setInterval(() => database.isOpen, 1000);`;

describe("askline doctor finds wrong with a store", () => {
  it("a folder where the store belongs", async () => {
    const patient = await healthy();
    rmSync(patient.db);
    mkdirSync(patient.db);
    const { ill } = await diagnose(patient);
    expect(ill).toMatchObject([{ check: "store", level: "wrong", message: `${patient.db} is no file` }]);
  });

  it.each([
    [
      "that is no database",
      (path: string) => writeFileSync(path, "not a database, but long enough to be read as one"),
    ],
    ["that was cut off", (path: string) => truncateSync(path, 20_000)],
  ])("a store %s", async (_name, damage) => {
    const patient = await healthy();
    damage(patient.db);
    const { code, ill } = await diagnose(patient);
    expect(ill).toMatchObject([
      {
        check: "store",
        level: "wrong",
        message: expect.stringMatching(/is damaged/),
        mend: expect.stringMatching(/put a backup/),
      },
    ]);
    expect(code).toBe(1);
  });

  it("a store with a page overwritten", async () => {
    const patient = await healthy();
    const bytes = readFileSync(patient.db);
    bytes.fill(0xa5, 4_096 * 3, 4_096 * 5);
    writeFileSync(patient.db, bytes);
    const { ill } = await diagnose(patient);
    expect(ill).toMatchObject([
      { check: "store", level: "wrong", message: expect.stringMatching(/is damaged/) },
    ]);
  });

  it("an ask without its content", async () => {
    const patient = await healthy();
    change(patient.db, "DELETE FROM ask_contents");
    const { code, ill } = await diagnose(patient);
    expect(ill).toMatchObject([
      {
        ...{ check: "store", level: "wrong", message: `${patient.db} is damaged: 1 ask has no content` },
        mend: expect.stringMatching(/put a backup/),
      },
    ]);
    expect(code).toBe(1);
  });

  it("contents of asks that are gone", async () => {
    const patient = await healthy();
    change(patient.db, "INSERT INTO ask_contents (position, content) VALUES (0, 'x'), (-7, 'y')");
    const { code, ill } = await diagnose(patient);
    expect(ill).toMatchObject([
      {
        ...{ check: "store", level: "warning", message: expect.stringMatching(/holds 2 contents of asks/) },
        mend: expect.stringMatching(/^askline prune --settled-before 90d/),
      },
    ]);
    expect(code).toBe(0);
  });

  it("a database of another program", async () => {
    const patient = await healthy();
    rmSync(patient.db);
    change(patient.db, "CREATE TABLE theirs (a)");
    const { ill } = await diagnose(patient);
    expect(ill).toMatchObject([
      {
        check: "store",
        level: "wrong",
        message: expect.stringMatching(/another program/),
        mend: "choose another path",
      },
    ]);
  });

  it("a store of a newer program", async () => {
    const patient = await healthy();
    change(patient.db, "UPDATE meta SET version = 99, requires = 98");
    const { ill } = await diagnose(patient);
    expect(ill).toMatchObject([{ check: "migrations", level: "wrong", mend: "npm install askline@latest" }]);
  });

  it("a store that another process has locked", async () => {
    const { running, data } = await serve();
    running.child.kill("SIGTERM");
    await running.ended;
    const holding = start("--input-type=module", ["-e", HOLD, join(data, "askline.db")]);
    await holding.prints("held");
    const { ill } = await diagnose({ data });
    expect(ill).toMatchObject([{ check: "store", level: "wrong", mend: expect.stringMatching(/lsof/) }]);
  });

  it("a store that others can read, as a warning", async () => {
    const patient = await healthy();
    chmodSync(patient.db, 0o644);
    const { ill } = await diagnose(patient);
    expect(ill).toMatchObject([{ check: "store", level: "warning", mend: `chmod 600 ${patient.db}` }]);
  });
});
