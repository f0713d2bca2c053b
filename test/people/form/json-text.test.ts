import fc from "fast-check";
import { expect, it } from "vitest";
import { readArgs } from "../../../src/people/form/json-text.js";

it.each([
  ["", 1, 1],
  ["{", 1, 2],
  ["{}}", 1, 3],
  ['{"a" 1}', 1, 6],
  ['{"a": }', 1, 7],
  ['{"a": 1,}', 1, 9],
  ['{\n  "a": [1 2]\n}', 2, 11],
  ['{\n"a": [1, ]}', 2, 10],
  ['{"a": tru}', 1, 7],
  ["{'a': 1}", 1, 2],
  ['{"a": "line\nbreak"}', 1, 7],
  ['{"a": "\\x"}', 1, 7],
  ['{"a": 01}', 1, 8],
  ['{"a": [}', 1, 8],
  ["{]", 1, 2],
  ["nothing", 1, 1],
])("%j is wrong at line %i, column %i", (text, line, column) => {
  expect(readArgs(text)).toEqual({ ok: false, code: "invalid_json", line, column });
});

it.each(["[]", "1", "null", '"{}"'])("%s is JSON, but no object", (text) => {
  expect(readArgs(text)).toEqual({ ok: false, code: "wrong_type" });
});

it("finds a place within the text wherever it stops being JSON", () => {
  const broken = fc
    .tuple(fc.json(), fc.nat(), fc.string({ maxLength: 2 }), fc.nat({ max: 3 }))
    .map(([json, at, added, gone]) => {
      const index = at % (json.length + 1);
      return json.slice(0, index) + added + json.slice(index + gone);
    });
  fc.assert(
    fc.property(broken, (text) => {
      const read = readArgs(text);
      if (read.ok || read.code !== "invalid_json") return;
      const line = text.split("\n")[read.line - 1];
      expect(line).toBeDefined();
      expect(read.column).toBeLessThanOrEqual((line ?? "").length + 1);
    }),
  );
});
