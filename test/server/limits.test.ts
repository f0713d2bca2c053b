import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { SERVER_LIMITS } from "../../src/server/http/limits.js";

const page = readFileSync(new URL("../../docs/limits.md", import.meta.url), "utf8");

it("docs/limits.md states every limit of a server as it is", () => {
  const stated = [...page.matchAll(/\| `limits\.(\w+)` \| ([\d,]+)[^|]* \|/g)].map(([, name, value]) => [
    name,
    Number(value?.replaceAll(",", "")),
  ]);
  expect(Object.fromEntries(stated)).toEqual(SERVER_LIMITS);
});
