import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { documentPages } from "./code-blocks.ts";
import { readFrameworks } from "./import-rules/read-rules.ts";
import { describeReadmeRows } from "./readme-rows.ts";
import { manifest, root, specifierOf, subpaths } from "./repository.ts";
import { runTypescript, USER_PROGRAM } from "./typescript.ts";

// Adapters that import their framework, which is not installed here; test/agents tests them with it. So with React.
const frameworks: ReturnType<typeof readFrameworks> = {
  ...readFrameworks(readFileSync(join(root, "docs/architecture.md"), "utf8")),
  "people/react": ["react"],
};
const [withFramework, alone] = [true, false].map((wanted) =>
  subpaths.filter((subpath) => packagesOf(subpath).length > 0 === wanted),
) as [string[], string[]];

/** The packages that a subpath needs, by the folder that it leads to. */
function packagesOf(subpath: string): readonly string[] {
  const target = JSON.stringify(manifest.exports[subpath]);
  return Object.entries(frameworks).flatMap(([folder, packages]) =>
    target.includes(`/dist/${folder}/`) ? packages : [],
  );
}

// What a stranger gets: the package as npm packs it, installed in an empty project.
describe("the packed package", () => {
  let folder: string;
  let project: string;
  let tarball: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "askline-pack-"));
    project = join(folder, "project");
    mkdirSync(project);
    writeFileSync(join(project, "package.json"), `{ "name": "stranger", "private": true, "type": "module" }`);
    // Without scripts: a build in the middle of the tests would change dist under the others.
    run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], root);
    tarball = join(folder, readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "none");
    run("npm", ["install", tarball, "--no-audit", "--no-fund", "--prefer-offline"], project);
  });

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(withFramework)("%s names the package to install", (subpath) => {
    const script = `await import("${specifierOf(subpath)}").catch(({ message }) => console.log(message))`;
    const message = run(process.execPath, ["--input-type=module", "--eval", script], project);
    expect(packagesOf(subpath).some((name) => message.includes(`'${name}'`))).toBe(true);
  });

  it.each(alone)("%s can be imported and exports something", (subpath) => {
    const script = `console.log(JSON.stringify(Object.keys(await import("${specifierOf(subpath)}"))))`;
    const names = JSON.parse(run(process.execPath, ["--input-type=module", "--eval", script], project));
    expect(names.length).toBeGreaterThan(0);
    expect(names).not.toContain("default");
  });

  it("installs few packages and few bytes: under 12 and 55 MB with all dependencies", () => {
    const modules = join(project, "node_modules");
    const { packages } = JSON.parse(readFileSync(join(modules, ".package-lock.json"), "utf8")) as {
      readonly packages: object;
    };
    const bytes = readdirSync(modules, { recursive: true, encoding: "utf8" })
      .map((name) => lstatSync(join(modules, name)))
      .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
    console.log(`npm i askline: ${Object.keys(packages).length} packages, ${(bytes / 1e6).toFixed(1)} MB`);
    expect(Object.keys(packages).length).toBeLessThan(12);
    expect(bytes).toBeLessThan(55_000_000);
  });

  it("serves MCP without any package of MCP installed", () => {
    const messages = [
      {
        id: 1,
        method: "initialize",
        params: {
          protocolVersion: "2025-06-18",
          capabilities: {},
          clientInfo: { name: "stranger", version: "1" },
        },
      },
      { method: "notifications/initialized" },
      { id: 2, method: "tools/list" },
    ];
    const { stdout } = spawnSync(
      join(project, "node_modules/.bin/askline"),
      ["mcp", "--url", "http://127.0.0.1:9", "--token", "none"],
      {
        cwd: project,
        encoding: "utf8",
        input: messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join(""),
      },
    );
    expect(stdout).toContain('"name":"ask_user_question"');
  });

  it("runs askline --version", () => {
    expect(run(join(project, "node_modules/.bin/askline"), ["--version"], project).trim()).toBe(
      manifest.version,
    );
  });

  it("serves, asks and answers, with the SQLite driver that npm installed", async () => {
    const askline = join(project, "node_modules/.bin/askline");
    const data = join(folder, "data");
    const server = spawn(askline, ["serve", "--port", "0", "--data", data, "--json"], { cwd: project });
    try {
      const [banner] = (await once(server.stdout, "data")) as [Buffer];
      const { url } = JSON.parse(banner.toString());
      const output = run(askline, ["demo", "--answer-all", "--url", url, "--data", data], project);
      expect(output).toContain("I would add PostgreSQL to the service.");
    } finally {
      server.kill("SIGKILL");
    }
  });

  it("traces nothing where OpenTelemetry is not installed, or an SDK is but its package cannot be found", () => {
    const script = `
      import { existsSync } from "node:fs";
      import { connect } from "askline/client";
      import { createHub, memoryStore } from "askline/hub";
      import { loadTracing } from "askline/tracing";
      if (existsSync("node_modules/@opentelemetry")) throw new Error("it is installed here");
      const first = await loadTracing();
      globalThis[Symbol.for("opentelemetry.js.api.1")] = { version: "1.9.0", trace: {} };
      const tracing = await loadTracing();
      connect({ url: "http://127.0.0.1:1", tracing });
      const hub = await createHub({ store: memoryStore(), tracing });
      const { status } = await hub.post({ questions: [{ question: "Ship it?", options: ["Yes", "No"] }] });
      await hub.close();
      console.log(JSON.stringify([first ?? null, tracing ?? null, status]));`;
    const output = run(process.execPath, ["--input-type=module", "--eval", script], project);
    expect(JSON.parse(output)).toEqual([null, null, "pending"]);
  });

  it("says what to install for metrics", () => {
    const script = `
      import { createMetrics } from "askline/metrics";
      await createMetrics().catch(({ code, message }) => console.log(code, message));`;
    const output = run(process.execPath, ["--input-type=module", "--eval", script], project);
    expect(output).toBe(
      "unsupported metrics need the package prom-client, which is not installed; run npm install prom-client\n",
    );
  });

  it("runs ask_user", () => {
    const output = run(join(project, "node_modules/.bin/ask_user"), [], project, {
      TOOLBOX_ACTION: "describe",
    });
    expect(output.endsWith("\n")).toBe(true);
    expect(output.trimEnd()).not.toContain("\n");
    expect(JSON.parse(output)).toMatchObject({ name: "ask_user" });
  });

  it("has types that a strict program compiles with, libraries checked", () => {
    const lines = alone.map((subpath, index) => `import * as module${index} from "${specifierOf(subpath)}";`);
    writeFileSync(join(project, "consumer.ts"), `${lines.join("\n")}\n${CONSUMER}`);
    const output = runTypescript(project, {
      compilerOptions: { ...USER_PROGRAM, skipLibCheck: false, exactOptionalPropertyTypes: true },
      files: [join(project, "consumer.ts")],
    });
    expect(output).toBe("");
  });

  it("has the code and the documents, and nothing of ours besides", () => {
    const installed = join(project, "node_modules/askline");
    const files = readdirSync(installed, { recursive: true, encoding: "utf8" }).filter((path) =>
      statSync(join(installed, path)).isFile(),
    );
    expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "package.json"]));
    const expected =
      /^(dist\/(?!cli\/|agents\/set-up\/).+\.(js|d\.ts|d\.ts\.map)|src\/.+\.ts|dist\/(bin|people\/web|people\/channels\/push)\/NOTICES\.txt|dist\/people\/web\/(card|mcp-app)\.html|dist\/people\/web\/pages\/.+\.(png|svg|(js|svg)\.gz)|docs\/.+\.md|docs\/images\/(inbox-light|terminal)\.png|[A-Z]+\.md|LICENSE|package\.json)$/;
    expect(files.filter((path) => !expected.test(path) || /\.(test|soak)\./.test(path))).toEqual([]);
    const ours = files.filter((path) => readFileSync(join(installed, path), "utf8").includes(root));
    expect(ours, "files that name a path of this machine").toEqual([]);
  });

  it("stays small", () => {
    expect(statSync(tarball).size).toBeLessThan(MOST_BYTES);
  });

  it("has the sources that its declaration maps lead to, so that an editor opens them", () => {
    const installed = join(project, "node_modules/askline");
    const maps = readdirSync(join(installed, "dist"), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".d.ts.map"))
      .map((path) => join(installed, "dist", path));
    expect(maps.length).toBeGreaterThan(300);
    const lost = maps.filter((path) => {
      const { sources } = JSON.parse(readFileSync(path, "utf8")) as { readonly sources: readonly string[] };
      return !sources.every((source) => existsSync(join(path, "..", source)));
    });
    expect(lost).toEqual([]);
  });

  it("has what README links to", () => {
    const text = readFileSync(join(root, "README.md"), "utf8");
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link = ""]) => link);
    expect(links.length).toBeGreaterThan(20);
    const missing = links.filter((link) => !existsSync(join(project, "node_modules/askline", link)));
    expect(missing).toEqual([]);
  });

  it("runs no script at install but that of the SQLite driver", () => {
    const modules = join(project, "node_modules");
    const { packages } = JSON.parse(readFileSync(join(modules, ".package-lock.json"), "utf8")) as {
      readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>>;
    };
    const names = Object.keys(packages).filter((name) => packages[name]?.hasInstallScript === true);
    expect(names).toEqual(["node_modules/@photostructure/sqlite"]);
    const { scripts = {} } = JSON.parse(readFileSync(join(modules, "askline/package.json"), "utf8"));
    const atInstall = [
      "preinstall",
      "install",
      "postinstall",
      "prepublish",
      "preprepare",
      "prepare",
      "postprepare",
    ];
    expect(atInstall.filter((name) => name in scripts)).toEqual([]);
  });

  it("has addresses that are one repository's", () => {
    const { repository, homepage, bugs } = JSON.parse(
      readFileSync(join(project, "node_modules/askline/package.json"), "utf8"),
    );
    const [, address = "none"] = /^git\+(https:.*)\.git$/.exec(repository.url) ?? [];
    expect([homepage, bugs]).toEqual([`${address}#readme`, `${address}/issues`]);
  });

  it("has keywords that its documents are about", () => {
    const { keywords } = JSON.parse(
      readFileSync(join(project, "node_modules/askline/package.json"), "utf8"),
    ) as { readonly keywords: readonly string[] };
    const text = documentPages
      .map((page) => readFileSync(join(root, page), "utf8"))
      .join("\n")
      .toLowerCase()
      .replaceAll(/[^a-z]/g, "");
    expect(keywords.length).toBeGreaterThan(5);
    expect(keywords.filter((word) => !text.includes(word.replaceAll("-", "")))).toEqual([]);
  });

  describeReadmeRows(() => ({ folder, project }));
});

// The tarball, compressed. Raise it knowingly: every install pays for it. A third is the commands, which hold their
// own copy of the server, the client and the stores, so that they load one file instead of fifty. A twelfth is what
// writes logs and metrics (pino, prom-client), inside of them so that nobody has to install it. The form, its words in
// two languages and the terminal surface came with a tenth, and the card, once in parts and once as one file, with a
// seventh. Adapters of agent frameworks are a fiftieth. The MCP SDK inside `askline mcp`, with its schemas, is a
// tenth. The encryption of push (web-push and what it needs, with its notices) is a thirtieth, and the rest of
// delivery a fiftieth. The inbox and the chat, once as elements and once as the script of the pages with its own copy
// of the card, are a tenth; the files of the pages a second time, gzipped as the server sends them, are a twentieth.
// The card as an MCP app is a twentieth. The sources of the library with their declaration maps are a quarter
// (TypeScript cannot put sources into such maps, and without sources they lead nowhere): without them, an editor that
// is asked for a definition shows a signature.
const MOST_BYTES = 3_250_000;

const CONSUMER = `
const parsed: module0.ParsedAsk = module0.parseAsk({ questions: [] }, { profile: module0.profiles.open });
if (parsed.ok) console.log(parsed.ask.questions.length satisfies number);
else console.log(parsed.issues.map((issue: module0.Issue) => issue.code satisfies module0.IssueCode));
`;

function run(program: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): string {
  const result = spawnSync(program, args, { cwd, env: { ...process.env, ...env }, encoding: "utf8" });
  if (result.error) throw result.error;
  if (result.status !== 0) throw new Error(`${program} ${args.join(" ")}:\n${result.stdout}${result.stderr}`);
  return result.stdout;
}
