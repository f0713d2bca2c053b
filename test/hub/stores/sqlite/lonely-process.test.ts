import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { afterEach, describe, expect, it } from "vitest";
import { sqliteTests } from "./open-sqlite.ts";

const { open, other, path } = sqliteTests();
const root = join(import.meta.dirname, "../../../..");
const SCRIPT = join(import.meta.dirname, "lonely-process.mjs");

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** A process, what it has printed, and its end. */
function start(script: string, ...given: readonly string[]) {
  const child = spawn(process.execPath, [script, ...given], { stdio: "pipe" });
  children.push(child);
  let output = "";
  const take = (chunk: Buffer): void => {
    output += chunk.toString();
  };
  child.stdout.on("data", take);
  child.stderr.on("data", take);
  const ended = once(child, "close").then(() => output.trim().split("\n"));
  const said = async (line: string): Promise<void> => {
    while (!output.includes(`${line}\n`)) {
      if (child.exitCode !== null) throw new Error(`it ended and said only ${output}`);
      await once(child.stdout, "data");
    }
  };
  return { ended, said, goOn: () => child.stdin.end("go on\n") };
}

describe("a process that has nothing else to do", () => {
  it("does not end before it knows what became of its write", async () => {
    await open();
    const { said, goOn, ended } = start(SCRIPT, path(), "write");
    await said("open");
    const holder = other();
    holder.exec("BEGIN IMMEDIATE");
    goOn();
    await said("begun");
    holder.exec("ROLLBACK");
    expect(await ended).toEqual(["open", "begun", "acknowledged", "exit 0, threads 1"]);
    expect(holder.sql("SELECT value FROM records").get<{ readonly value: string }>()?.value).toBe(
      '"written"',
    );
  });

  it("ends by itself, though it watches and has closed nothing", async () => {
    const { ended } = start(SCRIPT, path(), "idle");
    expect(await ended).toEqual(["open", "exit 0, threads 1"]);
  });
});

describe("a program that is bundled into one file", () => {
  it("has no thread, and writes all the same", async () => {
    const bundle = path("bundle/program.mjs");
    const driver = join(dirname(bundle), "node_modules/@photostructure");
    mkdirSync(driver, { recursive: true });
    symlinkSync(join(root, "node_modules/@photostructure/sqlite"), join(driver, "sqlite"));
    await build({
      entryPoints: [SCRIPT],
      outfile: bundle,
      bundle: true,
      platform: "node",
      format: "esm",
      external: ["@photostructure/sqlite"],
      logLevel: "silent",
    });
    const { goOn, ended } = start(bundle, path(), "write");
    goOn();
    expect(await ended).toEqual(["open", "begun", "acknowledged", "exit 0, threads 0"]);
    const { store } = await open();
    expect((await store.records.get("n", "k"))?.value).toBe("written");
  });
});
