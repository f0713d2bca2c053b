import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseSync } from "oxc-parser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "./repository.ts";
import { runTypescript, USER_PROGRAM } from "./typescript.ts";

// What an `@example` beside a function may take as given, so that it shows the call and not its setting.
const GIVEN = `
declare const input: unknown;
declare const questions: core.AskInput["questions"];
declare const ask: core.AskRequest;
declare const outcome: core.Outcome;
declare const resolver: core.Resolver;
declare const signal: AbortSignal;
declare const capabilities: readonly string[];
declare const prompt: { readonly answer_format: { readonly min: number; readonly max: number } };
declare const by: core.Answerer;
declare const inbox: core.Inbox;
declare const store: hubs.Store;
declare const hub: hubs.Hub;
declare const auth: servers.Auth;
declare const records: hubs.RecordStore;
declare const now: () => number;
declare const client: clients.Client;
declare const id: string;
declare function askSomebody(ask: core.AskRequest): Promise<string>;
`;

describe("the examples in the sources", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "askline-examples-"));
    writeFileSync(join(folder, "package.json"), `{ "type": "module" }`);
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const modules = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.startsWith("cli"))
    .map((path) => path.replaceAll("\\", "/").replace(/\.ts$/, ""));

  it("compile, with what their own file and core export at hand", () => {
    const examples = modules.flatMap((module) =>
      examplesIn(readSource(module)).map((text) => ({ module, text })),
    );
    expect(examples.length).toBeGreaterThan(5);
    expect(compile(examples)).toBe("");
  });

  it("would not all compile if one were wrong", () => {
    const text = examplesIn("/**\n * Does.\n *\n * @example\n * parseAsk(\n *   nothing,\n * );\n */").join();
    expect(text).toBe("parseAsk(\n  nothing,\n);");
    expect(compile([{ module: "core/rules/parse-ask", text }])).toMatch(/TS2304: Cannot find name 'nothing'/);
  });

  function compile(examples: readonly { readonly module: string; readonly text: string }[]): string {
    const files = examples.map(({ module, text }, index) => {
      const path = join(folder, `${module.replaceAll("/", "-")}.${index}.ts`);
      writeFileSync(path, program(module, text));
      return path;
    });
    return runTypescript(folder, { compilerOptions: USER_PROGRAM, files });
  }
});

function program(module: string, example: string): string {
  const own = exportsOf(module);
  const others = exportsOf("index").filter((name) => !own.includes(name));
  return [
    `import type * as core from "${join(root, "dist/index.js")}";`,
    `import type * as hubs from "${join(root, "dist/hub/index.js")}";`,
    `import type * as servers from "${join(root, "dist/server/index.js")}";`,
    `import type * as clients from "${join(root, "dist/client/index.js")}";`,
    `import { ${own.join(", ")} } from "${join(root, "dist", module)}.js";`,
    `import { ${others.join(", ")} } from "${join(root, "dist/index.js")}";`,
    GIVEN,
    // A function, so that the example may await, return and use a name that is given.
    `export async function example(): Promise<unknown> {\n${example}\nreturn undefined;\n}\n`,
  ].join("\n");
}

function exportsOf(module: string): readonly string[] {
  const { module: record } = parseSync(`${module}.ts`, readSource(module));
  const names = record.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ exportName }) => exportName.name ?? []),
  );
  // Each overload of a function is an export of its own.
  return [...new Set(names)];
}

/** The text of each `@example` in the doc comments of a file, up to the next tag. */
function examplesIn(source: string): readonly string[] {
  return [...source.matchAll(/\/\*\*.*?\*\//gs)].flatMap(([comment]) => {
    const lines = comment
      .slice(3, -2)
      .split("\n")
      .map((line) => line.replace(/^\s*\* ?/, ""));
    return lines
      .join("\n")
      .split(/^(?=@)/m)
      .filter((part) => part.startsWith("@example"))
      .map((part) => part.slice("@example".length).trim());
  });
}

function readSource(module: string): string {
  return readFileSync(join(root, "src", `${module}.ts`), "utf8");
}
