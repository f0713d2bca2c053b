import { describe, expect, it } from "vitest";
import type { Route } from "../../src/server/routing/call.js";
import { createRouter } from "../../src/server/routing/dispatch.js";

const routes: readonly Route[] = [
  "/",
  "/open.json",
  "/asks",
  "/asks/{id}",
  "/asks/{id}/answer",
  "/a/{link}",
].map((path) => ({ path, methods: {} }));
const find = createRouter(routes);
const found = (path: string): string | undefined => find(path)?.route.path;

describe("the router", () => {
  it("finds each route by its whole path", () => {
    for (const { path } of routes) expect(found(path.replace(/\{\w+\}/, "x"))).toBe(path);
  });

  it.each([
    "",
    "/open-json",
    "/asks/",
    "/asks/x/",
    "/asks/x/y",
    "/asks//answer",
    "/asks/x/answer/y",
    "/A/x",
    "//",
  ])("finds nothing for %j", (path) => {
    expect(found(path)).toBeUndefined();
  });

  it("decodes the parts that have a name, and leaves those that are badly encoded", () => {
    expect(find("/asks/a%2Fb%C3%A9/answer")?.param("id")).toBe("a/bé");
    expect(find("/asks/%zz")?.param("id")).toBe("%zz");
    expect(find("/asks/x")?.param("link")).toBe("");
  });
});
