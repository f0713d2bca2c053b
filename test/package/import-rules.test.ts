import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkImports } from "./import-rules/check-imports.ts";
import { findImports } from "./import-rules/find-imports.ts";
import { readRules } from "./import-rules/read-rules.ts";
import { root } from "./repository.ts";

describe("our own tree", () => {
  it("keeps the import rules of docs/architecture.md", () => {
    const rules = readRules(readFileSync(join(root, "docs/architecture.md"), "utf8"));
    expect(rules.folders).toHaveLength(8);
    expect(rules.rooms.length).toBeGreaterThan(40);
    expect(checkImports(join(root, "src"), rules)).toEqual([]);
  });
});

const FOLDERS = `
| folder | purpose | imports folders | imports packages |
|---|---|---|---|`;
const ROOMS = `
| folder | room | holds | imports folders | imports packages | imports siblings |
|---|---|---|---|---|---|`;

let src: string;
beforeEach(() => {
  src = mkdtempSync(join(tmpdir(), "askline-rules-"));
});
afterEach(() => {
  rmSync(src, { recursive: true, force: true });
});

function check(page: string, files: Readonly<Record<string, string>>): readonly string[] {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(src, path)), { recursive: true });
    writeFileSync(join(src, path), text);
  }
  return checkImports(src, readRules(page));
}

describe("a tree that breaks the rules", () => {
  const page = `${FOLDERS}
| \`core\` | the model | none | none |
| \`hub\` | the middle | \`core\` | none |
| \`stores\` | persistence | \`core\`, \`hub/store.ts\`, \`hub/seam\` | \`node:\`, \`@own/driver\` |
| \`cli\` | the root | all | all |

| adapter | imports packages |
|---|---|
| \`stores/memory\` | \`ai\`, \`@ai-sdk/x\` |
`;

  const findings = (files: Readonly<Record<string, string>>): readonly string[] =>
    check(page, {
      "core/ask.ts": "",
      "hub/store.ts": "",
      "stores/memory.ts": "",
      "cli/main.ts": "",
      ...files,
    });

  it("has no findings while it keeps them", () => {
    expect(
      findings({
        "index.ts": `export { ask } from "./core/ask.js";`,
        "core/parse.ts": `import type { Ask } from "./ask.js"; import "./deep/inner.js";`,
        "core/deep/inner.ts": `export { ask } from "../ask.js";`,
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
    ["core/a.ts", `import "../index.js";`, "../index.js: import the file that declares it, not an index"],
    [
      "hub/a.ts",
      `import "../core/index.js";`,
      "../core/index.js: import the file that declares it, not an index",
    ],
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
  ])("%s with %s", (file, text, finding) => {
    expect(findings({ [file]: text })).toEqual([`${file} imports ${finding}`]);
  });

  it("has an adapter that imports the framework of another", () => {
    expect(
      findings({
        "stores/memory.ts": `import "ai"; import "@ai-sdk/x/y";`,
        "stores/other.ts": `import "ai";`,
      }),
    ).toEqual(["stores/other.ts imports ai: of packages, stores may import node:, @own/driver"]);
  });

  it("has a folder without a rule, and a file beside the folders", () => {
    expect(findings({ "extra/a.ts": "", "other.ts": "" })).toEqual([
      "src/extra has no rule",
      "src/other.ts has no rule",
    ]);
  });

  it("lacks a folder that has a rule", () => {
    expect(check(page, { "readme.txt": "" })).toContain("src/core has a rule, but no files");
  });
});

describe("a folder with rooms", () => {
  const page = `${FOLDERS}
| \`core\` | the model | none | none |
| \`server\` | HTTP | \`core\` | \`ws\` |
${ROOMS}
| \`server\` | \`codecs\` | each alone, or with what they share | | | \`shared\` |
| \`server\` | \`api\` | a file a feature | | | none |
| \`server\` | \`http\` | what every handler needs | | | all |
| \`server\` | \`words\` | may import nothing | none | none | all |
| \`server/http\` | \`read\` | bodies | \`server/http/bytes\` | \`node:\` | all |
| \`server/http\` | \`bytes\` | the lowest | | | all |
`;

  const COMPLETE = {
    "core/ask.ts": "",
    "server/codecs/shared.ts": "",
    "server/api/asks.ts": "",
    "server/http/reply.ts": "",
    "server/words/en.ts": "",
    "server/http/read/json.ts": "",
    "server/http/bytes/utf8.ts": "",
  };
  const findings = (files: Readonly<Record<string, string>>): readonly string[] =>
    check(page, { ...COMPLETE, ...files });

  it("has no findings while arrows point down", () => {
    expect(
      findings({
        "server/server.ts": `import "./api/asks.js"; import "./http/reply.js"; import "ws";`,
        "server/codecs/gateway.ts": `import "./shared.js"; import "./gateway/frame.js";`,
        "server/codecs/gateway/frame.ts": `import "../gateway.js"; import "../../http/reply.js";`,
        "server/api/asks.ts": `import "../http/reply.js"; import "../../core/ask.js";`,
        "server/http/reply.ts": `import "./body.js"; import "../words/en.js";`,
        "server/http/body.ts": `import "./read/json.js";`,
        "server/http/read/json.ts": `import "../bytes/utf8.js"; import "node:zlib";`,
        "server/http/bytes/utf8.ts": `import "ws";`,
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
    ["server/api/links.ts", `import "./asks.js";`, "./asks.js: of its siblings, server/api may import none"],
    [
      "server/codecs/shared.ts",
      `import "./gateway.js";`,
      "./gateway.js: of its siblings, server/codecs may import shared",
    ],
    ["server/words/en.ts", `import "../../core/ask.js";`, "../../core/ask.js: server/words may import none"],
    ["server/words/en.ts", `import "ws";`, "ws: of packages, server/words may import none"],
    [
      "server/http/bytes/utf8.ts",
      `import "../read/json.js";`,
      "../read/json.js: server/http/read is not below server/http/bytes",
    ],
    [
      "server/http/read/json.ts",
      `import "../../words/en.js";`,
      "../../words/en.js: server/http/read may import server/http/bytes",
    ],
    ["server/http/read/json.ts", `import "ws";`, "ws: of packages, server/http/read may import node:"],
    [
      "server/http/bytes/utf8.ts",
      `import "../reply.js";`,
      "../reply.js: a room of server/http may not import its root",
    ],
  ])("refuses %s with %s", (file, text, finding) => {
    expect(findings({ [file]: text }).filter((line) => !line.startsWith("a circle"))).toEqual([
      `${file} imports ${finding}`,
    ]);
  });

  it("has a room without a row, and a row without a room", () => {
    const more = `${page.trimEnd()}\n| \`server\` | \`live\` | nothing | | | all |\n`;
    expect(check(more, { ...COMPLETE, "server/access/tokens.ts": "" })).toEqual([
      "src/server/access is not among the rooms",
      "src/server/live is a room without files",
    ]);
  });
});

describe("rooms of two folders that import each other", () => {
  it("are a circle, though each may import the other's folder", () => {
    const page = `${FOLDERS}
| \`agents\` | ask | \`client\` | none |
| \`client\` | the wire | \`agents\` | none |
${ROOMS}
| \`agents\` | \`codex\` | an agent | | | all |
| \`agents\` | \`shapes\` | codecs | none | | all |
`;
    const files = {
      "agents/codex/bridge.ts": `import "../../client/connect.js";`,
      "agents/shapes/gateway.ts": "",
      "client/connect.ts": `import "../agents/shapes/gateway.js";`,
    };
    expect(check(page, files)).toEqual([]);
    expect(check(page, { ...files, "client/wire.ts": `import "../agents/codex/bridge.js";` })).toEqual([
      "a circle: agents/codex -> client -> agents/codex",
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
  it.each([
    ["| `a` | p | core | none |", "expected all, none or a list like `a`, `b`, not: core"],
    ["| `a` | p | `b` and `c` | none |", "expected all, none or a list like `a`, `b`, not: `b` and `c`"],
    ["| a | p | none | none |", "not a row of the import rules: | a | p | none | none |"],
    ["| `a` | p | none |", "not a row of the import rules: | `a` | p | none |"],
  ])("does not guess at the folder %s", (row, message) => {
    expect(() => readRules(`${FOLDERS}\n${row}`)).toThrow(message);
  });

  it.each([
    ["| `a` | b | h | | | all |", "not a row of the rooms: | `a` | b | h |  |  | all |"],
    ["| `a` | `b` | h | | all |", "not a row of the rooms: | `a` | `b` | h |  | all |"],
    ["| `a` | `b` | h | | | |", "expected all, none or a list like `a`, `b`, not: "],
  ])("does not guess at the room %s", (row, message) => {
    expect(() => readRules(`${ROOMS}\n${row}`)).toThrow(message);
  });
});
