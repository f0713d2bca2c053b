import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { codeBlocks } from "../package/code-blocks.ts";
import { root } from "../package/repository.ts";

const folder = join(root, "examples/adapters");
const examples = readdirSync(folder).filter((file) => file !== "setting.mjs");

async function run(path: string): Promise<{ readonly code: number; readonly output: string }> {
  const child = spawn(process.execPath, ["--import", join(import.meta.dirname, "register.mjs"), path]);
  let output = "";
  const collect = (chunk: Buffer): void => {
    output += chunk;
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  const [code] = await once(child, "close");
  return { code, output };
}

describe("the examples of the adapters", () => {
  it.concurrent.each(examples)(
    "%s checks itself",
    async (file) => {
      const { code, output } = await run(join(folder, file));
      expect(output).toMatch(/^[\w -]+: .*answered.*\.\n$/);
      expect(code).toBe(0);
    },
    60_000,
  );

  it.concurrent("agent: a loop of its own is answered over HTTP", async () => {
    const { code, output } = await run(join(root, "examples/agent/main.mjs"));
    expect(output).toContain("The agent was answered over HTTP, and says: I set up SQLite.\n");
    expect(code).toBe(0);
  });

  it("are what docs/adapters.md shows, line by line", () => {
    const sources = examples.map((file) => readFileSync(join(folder, file), "utf8")).join("\n");
    const blocks = codeBlocks(readFileSync(join(root, "docs/adapters.md"), "utf8")).filter(
      ({ language }) => language === "js",
    );
    expect(blocks.length).toBeGreaterThan(8);
    expect(blocks.filter(({ text }) => !sources.includes(text)).map(({ text }) => text)).toEqual([]);
  });
});
