import {
  chmodSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { migrationFinding } from "../../src/cli/doctor/check-sqlite.ts";
import { openDatabase } from "../../src/hub/stores/sqlite/file/driver.js";
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
    const { faults } = await diagnose(patient);
    expect(faults).toMatchObject([
      { check: "store", level: "wrong", message: `${patient.db} is not a file` },
    ]);
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
    const { code, faults } = await diagnose(patient);
    expect(faults).toMatchObject([
      {
        check: "store",
        level: "wrong",
        message: expect.stringMatching(/is damaged/),
        fix: expect.stringMatching(/restore a backup/),
      },
    ]);
    expect(code).toBe(1);
  });

  it("a store with a page overwritten", async () => {
    const patient = await healthy();
    const bytes = readFileSync(patient.db);
    bytes.fill(0xa5, 4_096 * 3, 4_096 * 5);
    writeFileSync(patient.db, bytes);
    const { faults } = await diagnose(patient);
    expect(faults).toMatchObject([
      { check: "store", level: "wrong", message: expect.stringMatching(/is damaged/) },
    ]);
  });

  it("a database of another program", async () => {
    const patient = await healthy();
    rmSync(patient.db);
    change(patient.db, "CREATE TABLE theirs (a)");
    const { faults } = await diagnose(patient);
    expect(faults).toMatchObject([
      {
        check: "store",
        level: "wrong",
        message: expect.stringMatching(/another program/),
        fix: "choose another path",
      },
    ]);
  });

  it("a damaged write-ahead log", async () => {
    const patient = await healthy();
    writeFileSync(`${patient.db}-wal`, Buffer.alloc(5_000, 0xa5));
    const { faults } = await diagnose(patient);
    expect(faults).toMatchObject([
      {
        check: "store",
        level: "wrong",
        message: expect.stringMatching(/-wal is damaged: it has 5000 bytes/),
      },
    ]);
  });

  it("a write-ahead log above 1 GB", async () => {
    const patient = await healthy();
    const database = openDatabase(patient.db);
    database.exec("PRAGMA journal_mode = WAL; PRAGMA user_version = 7");
    // Sparse: its end takes no room on the disk, and SQLite stops at the first entry that is not valid.
    truncateSync(`${patient.db}-wal`, 1.5 * 1024 ** 3);
    const { faults } = await diagnose(patient);
    database.close();
    expect(faults).toMatchObject([
      { check: "store", level: "warning", message: expect.stringMatching(/-wal has 1\.5 GB/) },
    ]);
  });

  it("behind a symbolic link, a schema that is only in the log", async () => {
    const patient = await healthy();
    const database = openDatabase(patient.db);
    database.exec("PRAGMA journal_mode = WAL; UPDATE meta SET version = 99, requires = 98");
    const link = `${patient.db}.link`;
    symlinkSync(patient.db, link);
    const { faults } = await diagnose(patient, ["--db", `sqlite:${link}`]);
    database.close();
    expect(faults.find(({ check }) => check === "migrations")).toMatchObject({ level: "wrong" });
  });

  it("a store that the next start migrates", () => {
    expect(migrationFinding("a.db", { version: 6, known: 7 })).toEqual({
      check: "migrations",
      level: "warning",
      message: "schema 6; the next start migrates it to 7, and older versions of Askline then refuse it",
      fix: "make sure the disk has room for a copy, a.db.before-7, which is made first",
    });
  });

  it("a store of an older program", async () => {
    const patient = await healthy();
    change(patient.db, "UPDATE meta SET version = 2, requires = 2");
    const { faults } = await diagnose(patient);
    expect(faults).toMatchObject([
      {
        ...{
          check: "store",
          level: "wrong",
          message: expect.stringMatching(/has schema 2, and this askline/),
        },
        fix: expect.stringMatching(/^open it once with the askline of 18 November 2026/),
      },
    ]);
  });

  it("a store of a newer program", async () => {
    const patient = await healthy();
    change(patient.db, "UPDATE meta SET version = 99, requires = 98");
    const { faults } = await diagnose(patient);
    expect(faults).toMatchObject([
      { check: "migrations", level: "wrong", fix: "npm install askline@latest" },
    ]);
  });

  it("a store that another process has locked", async () => {
    const { running, data } = await serve();
    running.child.kill("SIGTERM");
    await running.ended;
    const holding = start("--input-type=module", ["-e", HOLD, join(data, "askline.db")]);
    await holding.prints("held");
    const { faults } = await diagnose({ data });
    expect(faults).toMatchObject([{ check: "store", level: "wrong", fix: expect.stringMatching(/lsof/) }]);
  });

  it("a store that others can read, as a warning", async () => {
    const patient = await healthy();
    chmodSync(patient.db, 0o644);
    const { faults } = await diagnose(patient);
    expect(faults).toMatchObject([{ check: "store", level: "warning", fix: `chmod 600 ${patient.db}` }]);
  });
});
