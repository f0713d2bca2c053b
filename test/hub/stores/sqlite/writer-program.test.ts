import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { writerProgram } from "../../../../src/hub/stores/sqlite/write/thread-writer.js";

const ROOT = join(import.meta.dirname, "../../../..");

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A program beside an installed askline; the driver is put in its place by `putDriver`. */
function program(putDriver: (at: string) => void): string {
  const folder = mkdtempSync(join(tmpdir(), "askline-program-"));
  folders.push(folder);
  const driver = join(folder, "node_modules/@photostructure/sqlite");
  mkdirSync(dirname(driver), { recursive: true });
  symlinkSync(ROOT, join(folder, "node_modules/askline"));
  putDriver(driver);
  return join(folder, "program.mjs");
}

it("is that of the installed package, where both have the same copy of SQLite", () => {
  const from = program((at) => symlinkSync(join(ROOT, "node_modules/@photostructure/sqlite"), at));
  expect(writerProgram(from)).toMatch(/dist\/hub\/stores\/sqlite\/write\/writer-program\.js$/);
});

it("is none where the program has another copy of SQLite than the thread would have", () => {
  const from = program((at) => {
    mkdirSync(at);
    writeFileSync(join(at, "package.json"), JSON.stringify({ name: "other", main: "index.js" }));
    writeFileSync(join(at, "index.js"), "");
  });
  expect(writerProgram(from)).toBeUndefined();
});

it("is none where the package is not installed", () => {
  expect(writerProgram(join(tmpdir(), "nowhere/program.mjs"))).toBeUndefined();
});
