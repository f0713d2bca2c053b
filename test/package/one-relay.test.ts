import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./repository.ts";

/** What turns prompts of agents into asks, besides the relay. */
const files = ["src/agents", "src/server/api"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".ts") && !/^src\/agents\/(relay|sessions|shapes|tool)\//.test(path))
    .filter((path) => !path.startsWith("src/server/api/") || path.endsWith("/hooks.ts")),
);

/** The files whose code has the pattern; comments do not count. */
function having(pattern: RegExp): readonly string[] {
  return files.filter((path) =>
    pattern.test(readFileSync(join(root, path), "utf8").replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, "")),
  );
}

describe("only the relay of adapters", () => {
  it("looks at the files that it should", () => {
    expect(files.length).toBeGreaterThan(50);
    expect(files).toContain("src/agents/claude/relay.ts");
  });

  it.each([
    ["claims the lease of a run", /\bclaimResume\(/],
    ["knows that an ask has ended before", /already_settled/],
    ["counts the rounds of a prompt", /\brounds?\s*\+=|\bround\s*\+\s*1\b/],
    ["writes the path of an agent", /\bagentPath\b(?!")/],
    ["writes the folder of an agent", /\bmetadata:\s*\{[^}]*\b(project|cwd)\b/],
  ])("%s", (_what, pattern) => {
    expect(having(pattern)).toEqual([]);
  });
});
