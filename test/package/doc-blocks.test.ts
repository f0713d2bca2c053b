// Every code block of the documents is run, compiled, or read by the program that it is for. TypeScript blocks are
// compiled by doc-examples.test.ts; docs/deploy.md and the README are played as a whole by tests of their own.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { transformSync } from "esbuild";
import { parseSync } from "oxc-parser";
import { parse as parseToml } from "smol-toml";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { parse as parseYaml } from "yaml";
import { createProgram } from "../../src/cli/program.js";
import type { World } from "../../src/cli/world/world.js";
import { ASKLINE } from "../cli/processes.ts";
import { type CodeBlock, codeBlocks, documentPages } from "./code-blocks.ts";
import { manifest, root, specifierOf, subpaths } from "./repository.ts";
import { asklineArguments, openShell } from "./shell-blocks.ts";

interface PageBlock extends CodeBlock {
  readonly page: string;
  readonly where: string;
  /** The page up to the block. */
  readonly before: string;
}
const BLOCKS: readonly PageBlock[] = documentPages.flatMap((page) => {
  const markdown = readFileSync(join(root, page), "utf8");
  return codeBlocks(markdown).map((block) => ({
    ...block,
    page,
    where: `${page}:${block.line}`,
    before: markdown.split("\n", block.line).join("\n"),
  }));
});

/** Throws, or returns a problem, if a block is wrong. */
type Check = (text: string) => unknown;

const CHECKS: Readonly<Record<string, Check>> = {
  json: (text) => void JSON.parse(text),
  jsonl: (text) => void text.split("\n").map((line) => JSON.parse(line)),
  js: checkScript,
  jsx: checkScript,
  html: (text) =>
    [...text.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)]
      .map(([, script = ""]) => checkScript(script))
      .find(Boolean),
  yaml: (text) => void parseYaml(text),
  toml: (text) => void parseToml(text),
  python: (text) => ranBy("python3", ["-c", "import ast, sys; ast.parse(sys.stdin.read())"], text),
  ini: checkUnit,
  nginx: checkNginx,
  caddyfile: checkCaddyfile,
  text: checkEvents,
};
/** Checked elsewhere: doc-examples.test.ts compiles ts, and sh is below. */
const ELSEWHERE = ["ts", "sh"];
/** Text that no program reads, with the reason. */
const UNREAD: Readonly<Record<string, (block: PageBlock) => boolean>> = {
  "a pane, which pictures.chromium.test.ts compares with the screen": ({ page, before }) =>
    page === join("docs", "terminal.md") &&
    before.lastIndexOf("<!-- pane ") > before.lastIndexOf("<!-- end "),
  "a drawing of the layout": ({ page, text }) =>
    [join("docs", "architecture.md"), join("docs", "agents.md")].includes(page) && text.includes("──>"),
};

const shell = openShell();
afterAll(shell.close);

describe("the code blocks of the documents", () => {
  it("have a language that something reads", () => {
    const known = [...Object.keys(CHECKS), ...ELSEWHERE];
    expect(BLOCKS.filter(({ language }) => !known.includes(language)).map(({ where }) => where)).toEqual([]);
  });

  it.each(Object.entries(CHECKS))("are valid %s", (language, check) => {
    const read = BLOCKS.filter(
      (block) => block.language === language && !Object.values(UNREAD).some((matches) => matches(block)),
    );
    const problems = read.flatMap(({ where, text }) => {
      try {
        const problem = check(dedent(text));
        return problem ? [`${where}: ${problem}`] : [];
      } catch (error) {
        return [`${where}: ${error}`];
      }
    });
    expect(problems).toEqual([]);
  });

  it("call programs that exist, with flags that they have", async () => {
    const problems = await Promise.all(
      BLOCKS.filter(({ language }) => language === "sh").map(async ({ where, text }) =>
        (await shellProblems(dedent(text))).map((problem) => `${where}: ${problem}`),
      ),
    );
    expect(problems.flat()).toEqual([]);
    // Loads the sources of every command.
  });

  it("would be found where they are wrong", async () => {
    const found = await shellProblems(
      "npx askline serve --prot 1\nasklin list\nnpm run nothing\ncurl localhost:4780/v1/nothing -d '{'\nnode bench/nothing.mjs",
    );
    expect(found).toEqual([
      expect.stringContaining("asklin"),
      expect.stringContaining("--prot"),
      expect.stringContaining("npm run nothing"),
      expect.stringContaining("/v1/nothing"),
      expect.stringContaining("JSON"),
      expect.stringContaining("bench/nothing.mjs"),
    ]);
    expect(checkScript(`import { nothing } from "askline";`)).toContain("nothing");
    expect(checkNginx("server {\n  listen 80\n}")).toBeTruthy();
  });

  it("ask what is valid, where an ask comes from a pipe", async () => {
    const lines = BLOCKS.filter(({ language }) => language === "sh")
      .flatMap(({ text }) => text.split("\n"))
      .filter((line) =>
        /^(printf|echo) .*\| *(TOOLBOX_ACTION=\w+ )?(npx )?(askline (ask|toolbox)|ask_user)\b/.test(line),
      );
    expect(lines.length).toBeGreaterThan(2);
    const home = mkdtempSync(join(tmpdir(), "askline-blocks-"));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    // 1 is a fault and 2 an invalid ask; the rest are outcomes.
    for (const line of lines)
      expect([0, 3, 5], line).toContain(await exitCode(line.replaceAll("npx ", ""), home));
  });
});

/** Runs a line with the built command, in a session without a terminal: nothing asks the person who runs the tests. */
async function exitCode(line: string, home: string): Promise<number | null> {
  const script = `askline() { '${process.execPath}' '${ASKLINE}' "$@"; }\n${line}`;
  const env = { PATH: "/usr/bin:/bin", HOME: home };
  const child = spawn("/bin/sh", ["-c", script], { cwd: home, env, stdio: "ignore", detached: true });
  const [code] = await once(child, "exit");
  return code;
}

async function shellProblems(block: string): Promise<readonly string[]> {
  const { calls, problems } = shell.run(block);
  const each = await Promise.all(calls.map(callProblem));
  return [...(problems === "" ? [] : [problems]), ...each.flat()];
}

const SCRIPTS = Object.keys(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).scripts);

async function callProblem(call: readonly string[]): Promise<readonly string[]> {
  const [program, ...args] = call;
  const own = asklineArguments(call);
  if (own !== undefined) return commandProblem(own);
  if (program === "npm" && args[0] === "run" && !SCRIPTS.includes(args[1] ?? "")) {
    return [`there is no script: npm run ${args[1]}`];
  }
  const file =
    program === "node" ? args.find((arg) => /^(bench|examples|scripts|test)\//.test(arg)) : undefined;
  if (file !== undefined && !existsSync(join(root, file))) return [`there is no ${file}`];
  return program === "curl" ? requestProblems(args) : [];
}

/** Lets the real command line read the arguments, without running anything. */
async function commandProblem(args: readonly string[]): Promise<readonly string[]> {
  const output = { write: () => true };
  const world = { stdout: output, stderr: output, environment: {} } as unknown as World;
  try {
    const program = await createProgram(args, { world, end: () => undefined });
    disarm(program);
    await program.parseAsync([...args], { from: "user" });
    return [];
  } catch (error) {
    return [`askline ${args.join(" ")}: ${(error as Error).message}`];
  }
}

function disarm(command: Command): void {
  for (const inner of command.commands) {
    inner.action(() => undefined);
    disarm(inner);
  }
}

const PATHS = Object.keys(JSON.parse(readFileSync(join(root, "contract/v1.json"), "utf8")).paths).map(
  (path) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
);

function requestProblems(args: readonly string[]): readonly string[] {
  const problems: string[] = [];
  for (const [index, arg] of args.entries()) {
    const [, path] = /^(?:https?:\/\/)?[\w.]+(?::\d+)?(\/v1\/[^?]*)/.exec(arg) ?? [];
    if (path !== undefined && !PATHS.some((known) => known.test(path)))
      problems.push(`no such route: ${path}`);
    if (args[index - 1] !== "-d") continue;
    try {
      JSON.parse(arg);
    } catch {
      problems.push(`the body is not JSON: ${arg}`);
    }
  }
  return problems;
}

/** Syntax, and that our modules export what is imported from them. */
function checkScript(text: string): string | undefined {
  transformSync(text, { loader: "jsx", format: "esm" });
  for (const [, names = "", specifier = ""] of text.matchAll(/import \{([^}]*)\} from "(askline[^"]*)"/g)) {
    const exported = exportsOf(specifier);
    const missing = names
      .split(",")
      .map((name) => (name.trim().split(" ")[0] ?? "").trim())
      .filter((name) => name !== "" && !exported.has(name));
    if (missing.length > 0) return `${specifier} does not export ${missing.join(", ")}`;
  }
  return undefined;
}

function exportsOf(specifier: string): ReadonlySet<string> {
  const subpath = subpaths.find((one) => specifierOf(one) === specifier);
  const target = subpath === undefined ? undefined : manifest.exports[subpath];
  if (target === undefined) throw new Error(`the package has no ${specifier}`);
  const path = join(root, typeof target === "string" ? target : (target.types ?? ""));
  const { module } = parseSync(path, readFileSync(path, "utf8"));
  return new Set(
    module.staticExports.flatMap(({ entries }) =>
      entries.map(({ exportName }) => exportName.name ?? "default"),
    ),
  );
}

/** Frames of an event stream. */
function checkEvents(text: string): string | undefined {
  for (const line of text.split("\n").filter(Boolean)) {
    const [, field, value = ""] = /^(id|event|data): (.*)$/.exec(line) ?? [];
    if (field === undefined) return `not a line of an event: ${line}`;
    if (field === "data") JSON.parse(value);
  }
  return undefined;
}

/** What the program says against it; undefined if it accepts it, or, as the screen then says, is not on this machine. */
function ranBy(program: string, args: readonly string[], input = ""): string | undefined {
  const { error, status, stdout, stderr } = spawnSync(program, args, { input, encoding: "utf8" });
  if (error) {
    console.log(`${program} is not installed here: its block in the documents was only checked line by line`);
    return undefined;
  }
  return status === 0 ? undefined : `${stdout}${stderr}`.trim() || `${program} ends with ${status}`;
}

function withFile(
  name: string,
  text: string,
  check: (path: string) => string | undefined,
): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), "askline-block-"));
  try {
    writeFileSync(join(folder, name), text);
    return check(join(folder, name));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function checkUnit(text: string): string | undefined {
  const odd = text.split("\n").find((line) => line !== "" && !/^(\[\w+\]|[A-Z]\w+=.*)$/.test(line));
  if (odd !== undefined) return `not a line of a unit: ${odd}`;
  return withFile("askline.service", text, (path) => ranBy("systemd-analyze", ["verify", "--man=no", path]));
}

/** nginx itself would open the certificates, so it reads the block with certificates that the test leaves out. */
function checkNginx(text: string): string | undefined {
  return (
    bracesProblem(text, /^(\}|[^#]*[;{])$/) ??
    withFile("site.conf", text.replaceAll(/^.*\bssl.*$/gm, ""), (path) => {
      const wrapped = withFile(
        "nginx.conf",
        `pid ${path}.pid;\nevents {}\nhttp { access_log off; include ${path}; }\n`,
        (main) => ranBy("nginx", ["-t", "-q", "-e", "stderr", "-c", main]),
      );
      return wrapped;
    })
  );
}

function checkCaddyfile(text: string): string | undefined {
  return (
    bracesProblem(text, /^\S.*$/) ??
    withFile("Caddyfile", text, (path) =>
      ranBy("caddy", ["adapt", "--adapter", "caddyfile", "--config", path]),
    )
  );
}

function bracesProblem(text: string, line: RegExp): string | undefined {
  const lines = text
    .split("\n")
    .map((one) => one.trim())
    .filter(Boolean);
  const odd = lines.find((one) => !line.test(one));
  if (odd !== undefined) return `not a whole line: ${odd}`;
  const opened = lines.filter((one) => one.endsWith("{")).length;
  return opened === lines.filter((one) => one === "}").length ? undefined : "the braces do not match";
}

/** Blocks below a list item are indented. */
function dedent(text: string): string {
  const indent = Math.min(
    ...text
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => /^ */.exec(line)?.[0].length ?? 0),
  );
  return text.replaceAll(new RegExp(`^ {${indent}}`, "gm"), "");
}
