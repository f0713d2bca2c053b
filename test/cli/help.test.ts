import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fitHelp } from "../../src/cli/program.js";
import { root } from "../package/repository.ts";
import { runHere } from "./in-process.ts";

const { stdout: HELP } = await runHere(["--help"]);
const COMMANDS = [...HELP.matchAll(/^ {2}([a-z]+)[ |].*$/gm)].map(([, name = ""]) => name);

describe("help", () => {
  it.each(COMMANDS)("of %s cuts no word of its prose at 80 columns", async (command) => {
    const { code, stdout } = await runHere([command, "--help"]);
    expect(code).toBe(0);
    const prose = stdout.split("\n").filter((line) => /^\S/.test(line));
    expect(Math.max(...prose.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it("lists the same commands as the table of docs/cli.md", () => {
    const page = readFileSync(join(root, "docs/cli.md"), "utf8");
    const [table = ""] = page.split("\n## ");
    const rows = [...table.matchAll(/^\| `askline ([a-z][^`]*)`/gm)].flatMap(([, names = ""]) =>
      names.split(" · "),
    );
    const named = new Set(rows.map((name) => name.split(" ")[0]));
    expect(COMMANDS.length).toBeGreaterThan(25);
    expect(COMMANDS.filter((name) => !named.has(name))).toEqual(["status", "help"]);
  });

  it("breaks paragraphs between words, and leaves alone what is there to be copied", () => {
    const example = `  $ askline ask --question "${"long ".repeat(10)}"`;
    expect(fitHelp(`\nOne two three\nfour five six seven eight.\n\nExamples:\n${example}\n`, 24)).toBe(
      `\nOne two three four five\nsix seven eight.\n\nExamples:\n${example}\n`,
    );
  });

  it("is also a command, as people expect", async () => {
    const asked = await runHere(["help", "list"]);
    const flagged = await runHere(["list", "--help"]);
    expect(asked).toEqual(flagged);
    expect((await runHere(["help"])).stdout).toContain("For people:");
  });

  it("is named for the command that was called, not for the group that it is in", async () => {
    const { code, stderr } = await runHere(["token", "create", "--role", "boss"]);
    expect(code).toBe(2);
    expect(stderr).toContain('run "askline token create --help" for usage');
  });

  it("says that ask without a URL uses the server that runs here, or asks at this terminal", async () => {
    const { stdout } = await runHere(["ask", "--help"]);
    expect(stdout.replace(/\s+/g, " ")).toContain(
      "otherwise the one that runs on this machine, or ask at this terminal",
    );
  });
});
