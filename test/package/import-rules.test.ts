import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkImports } from "./import-rules/check-imports.ts";
import { findImports } from "./import-rules/find-imports.ts";
import { readFrameworks, readRooms, readRules } from "./import-rules/read-rules.ts";
import { root } from "./repository.ts";

describe("our own tree", () => {
  it("keeps the import rules of docs/architecture.md", () => {
    const page = readFileSync(join(root, "docs/architecture.md"), "utf8");
    const [rules, rooms] = [readRules(page), readRooms(page)];
    expect(rules.length).toBeGreaterThan(10);
    expect(rooms.length).toBeGreaterThan(5);
    expect(checkImports(join(root, "src"), rules, rooms, readFrameworks(page))).toEqual([]);
  });
});

describe("a tree that breaks the rules", () => {
  let src: string;
  beforeEach(() => {
    src = mkdtempSync(join(tmpdir(), "askline-rules-"));
  });
  afterEach(() => {
    rmSync(src, { recursive: true, force: true });
  });

  const rules = readRules(`
## Folders
| folder | purpose | imports folders | imports packages | imports siblings |
|---|---|---|---|---|
| \`core\` | the model | none | none | all |
| \`hub\` | the middle | \`core\` | none | all |
| \`dialects\` | codecs | \`core\` | none | \`answers-map\` |
| \`stores\` | persistence | \`core\`, \`hub/store.ts\`, \`hub/seam\` | \`node:\`, \`@own/driver\` | none |
| \`cli\` | the root | all | all | all |

## Planned folders
| folder | purpose | imports folders | imports packages | imports siblings |
|---|---|---|---|---|
| \`web\` | pages | \`core\` | none | all |
`);

  function findings(files: Readonly<Record<string, string>>): readonly string[] {
    const complete = {
      "core/ask.ts": "",
      "hub/store.ts": "",
      "dialects/a.ts": "",
      "stores/memory.ts": "",
      "cli/main.ts": "",
      ...files,
    };
    for (const [path, text] of Object.entries(complete)) {
      mkdirSync(dirname(join(src, path)), { recursive: true });
      writeFileSync(join(src, path), text);
    }
    return checkImports(src, rules);
  }

  it("has no findings while it keeps them", () => {
    expect(
      findings({
        "core/parse.ts": `import type { Ask } from "./ask.js"; import "./deep/inner.js";`,
        "core/deep/inner.ts": `export { ask } from "../ask.js";`,
        "dialects/claude.ts": `import { decode } from "./answers-map.js"; import { ask } from "../core/ask.js";`,
        "stores/sqlite.ts": `import "../hub/store.js"; import "../hub/seam/kit.js"; import "node:fs"; import "@own/driver/sub"; import "./sqlite/sql.js";`,
        "stores/sqlite/sql.ts": `import "../sqlite.js";`,
        "cli/main.ts": `import "commander"; import "node:tty"; import("../stores/sqlite.js");`,
      }),
    ).toEqual([]);
  });

  it.each([
    ["core/a.ts", `import { readFileSync } from "node:fs";`, "node:fs: of packages, core may import none"],
    ["core/a.ts", `import type * as z from "zod";`, "zod: of packages, core may import none"],
    ["core/a.ts", `type A = import("zod/mini").A;`, "zod/mini: of packages, core may import none"],
    ["core/a.ts", `/// <reference types="node" />`, "node: of packages, core may import none"],
    ["core/a.ts", `const a = require("fs");`, "fs: of packages, core may import none"],
    ["core/a.ts", `export * from "../hub/store.js";`, "../hub/store.js: core may import none"],
    ["core/a.ts", `import "askline/hub";`, "askline/hub: our own files are imported by a relative path"],
    ["core/a.ts", `import "../../test/x.js";`, "../../test/x.js: this is outside of src"],
    [
      "core/a.ts",
      `await import(name);`,
      "a computed name: the name of an imported module must be written out",
    ],
    ["hub/a.ts", `export type { B } from "../stores/memory.js";`, "../stores/memory.js: hub may import core"],
    [
      "stores/b.ts",
      `import "../hub/other.js";`,
      "../hub/other.js: stores may import core, hub/store.ts, hub/seam",
    ],
    ["stores/b.ts", `import "@own/other";`, "@own/other: of packages, stores may import node:, @own/driver"],
    ["stores/b.ts", `import "./memory.js";`, "./memory.js: of its siblings, stores may import none"],
    ["stores/b/sql.ts", `import "../memory.js";`, "../memory.js: of its siblings, stores may import none"],
    [
      "dialects/b.ts",
      `import type { A } from "./a.js";`,
      "./a.js: of its siblings, dialects may import answers-map",
    ],
  ])("%s with %s", (file, text, finding) => {
    expect(findings({ [file]: text })).toEqual([`${file} imports ${finding}`]);
  });

  it("has an adapter that imports the framework of another", () => {
    const page = "| adapter | imports packages |\n|---|---|\n| `stores/memory` | `ai`, `@ai-sdk/x` |";
    findings({ "stores/memory.ts": `import "ai"; import "@ai-sdk/x/y";`, "stores/other.ts": `import "ai";` });
    expect(checkImports(src, rules, [], readFrameworks(page))).toEqual([
      "stores/other.ts imports ai: of packages, stores may import node:, @own/driver",
    ]);
  });

  it("has a folder without a rule, a file beside the folders, and a planned folder with files", () => {
    expect(findings({ "extra/a.ts": "", "index.ts": "", "web/card.ts": `import "lit";` })).toEqual([
      "src/extra has no rule",
      "src/index.ts has no rule",
      "src/web has files, but its rule is still among the planned ones",
      "web/card.ts imports lit: of packages, web may import none",
    ]);
  });

  it("lacks a folder that has a rule", () => {
    writeFileSync(join(src, "readme.txt"), "");
    expect(checkImports(src, rules)).toContain("src/core has a rule, but no files");
  });
});

describe("a folder with rooms", () => {
  let src: string;
  beforeEach(() => {
    src = mkdtempSync(join(tmpdir(), "askline-rooms-"));
  });
  afterEach(() => {
    rmSync(src, { recursive: true, force: true });
  });

  const page = `
| folder | purpose | imports folders | imports packages | imports siblings |
|---|---|---|---|---|
| \`server\` | HTTP | none | none | all |

| folder | room | holds | imports siblings |
|---|---|---|---|
| \`server\` | \`api\` | a file a feature | none |
| \`server\` | \`http\` | what every handler needs | all |
| \`server/http\` | \`read\` | bodies | all |
| \`server/http\` | \`bytes\` | the lowest | all |
`;

  function findings(files: Readonly<Record<string, string>>): readonly string[] {
    const complete = {
      "server/api/asks.ts": "",
      "server/http/reply.ts": "",
      "server/http/read/json.ts": "",
      "server/http/bytes/utf8.ts": "",
      ...files,
    };
    for (const [path, text] of Object.entries(complete)) {
      mkdirSync(dirname(join(src, path)), { recursive: true });
      writeFileSync(join(src, path), text);
    }
    return checkImports(src, readRules(page), readRooms(page));
  }

  it("has no findings while arrows point down", () => {
    expect(
      findings({
        "server/server.ts": `import "./api/asks.js"; import "./http/reply.js";`,
        "server/api/asks.ts": `import "../http/reply.js";`,
        "server/http/reply.ts": `import "./body.js";`,
        "server/http/body.ts": `import "./read/json.js";`,
        "server/http/read/json.ts": `import "../bytes/utf8.js";`,
      }),
    ).toEqual([]);
  });

  it.each([
    [
      "server/http/body.ts",
      `import "../api/asks.js";`,
      "../api/asks.js: server/api is not below server/http",
    ],
    [
      "server/http/body.ts",
      `import "../server.js";`,
      "../server.js: a room of server may not import its root",
    ],
    [
      "server/api/links.ts",
      `import "./asks.js";`,
      "./asks.js: the files of server/api may not import each other",
    ],
    [
      "server/http/bytes/utf8.ts",
      `import "../read/json.js";`,
      "../read/json.js: server/http/read is not below server/http/bytes",
    ],
    [
      "server/http/read/json.ts",
      `import "../reply.js";`,
      "../reply.js: a room of server/http may not import its root",
    ],
  ])("refuses %s with %s", (file, text, finding) => {
    expect(findings({ [file]: text })).toEqual([`${file} imports ${finding}`]);
  });

  it("has a room without a row, and a row without a room", () => {
    const rooms = [...readRooms(page), { folder: "server", room: "live", siblings: true }];
    findings({ "server/access/tokens.ts": "" });
    expect(checkImports(src, readRules(page), rooms)).toEqual([
      "src/server/access is not among the rooms",
      "src/server/live is a room without files",
    ]);
  });
});

describe("finding imports", () => {
  it("leaves comments and strings alone", () => {
    const source = `// import "a";\n/* import("b") */ const text = 'import "c"'; /** @see import("d") */`;
    expect(findImports("a.ts", source)).toEqual([]);
  });

  it("refuses to guess at a file that does not parse", () => {
    expect(() => findImports("a.ts", "import from from;;;(")).toThrow(/a\.ts cannot be parsed/);
  });
});

describe("reading the rules", () => {
  const row = (cells: string): string =>
    `| folder | purpose | imports folders | imports packages | imports siblings |\n|---|---|---|---|---|\n${cells}`;

  it.each([
    ["| `a` | p | core | none | all |", "expected all, none or a list like `a`, `b`, not: core"],
    [
      "| `a` | p | `b` and `c` | none | all |",
      "expected all, none or a list like `a`, `b`, not: `b` and `c`",
    ],
    ["| a | p | none | none | all |", "not a row of the import rules: | a | p | none | none | all |"],
    ["| `a` | p | none | none |", "not a row of the import rules: | `a` | p | none | none |"],
  ])("does not guess at %s", (cells, message) => {
    expect(() => readRules(row(cells))).toThrow(message);
  });
});
