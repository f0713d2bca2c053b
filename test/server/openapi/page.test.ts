import { createHash } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import { EXAMPLES } from "../../../src/server/openapi/examples.js";
import { apiDocument } from "../../support/api-schemas.ts";
import { closeServers, openServer } from "../open-server.ts";

afterEach(closeServers);

async function load(): Promise<{ readonly html: string; readonly headers: Headers }> {
  const { url } = await openServer();
  const response = await fetch(`${url}/openapi`, { headers: { accept: "text/html" } });
  expect(response.status).toBe(200);
  return { html: await response.text(), headers: response.headers };
}

describe("the page of the API", () => {
  it("has every route, and every shape", async () => {
    const { html } = await load();
    for (const [path, { parameters: _, ...methods }] of Object.entries(
      apiDocument.paths as Record<string, object & { parameters?: unknown }>,
    )) {
      for (const method of Object.keys(methods)) {
        expect(html).toContain(`<span class="method">${method.toUpperCase()}</span> <code>${path}</code>`);
      }
    }
    const { schemas } = apiDocument.components as { readonly schemas: object };
    for (const name of Object.keys(schemas)) expect(html).toContain(`id="${name}"`);
  });

  it("names each role once where it says who", async () => {
    const { html } = await load();
    expect(html).toContain("person, admin, link");
    expect(html).not.toContain("admin, admin");
  });

  it("has links that lead somewhere, and ids that are there once", async () => {
    const { html } = await load();
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const targets = [...html.matchAll(/href="([^"]+)"/g)].map(([, target = ""]) => target);
    expect(targets.length).toBeGreaterThan(50);
    expect(targets.filter((target) => target !== "/openapi.json" && !ids.includes(target.slice(1)))).toEqual(
      [],
    );
  });

  it("runs nothing, loads nothing, and applies only the styles that its policy names", async () => {
    const { html, headers } = await load();
    expect(html).not.toMatch(/<script|<link|<img|src=|style="|undefined|\[object/);
    const policy = headers.get("content-security-policy") ?? "";
    const styles = [...html.matchAll(/<style>([^<]*)<\/style>/g)].map(([, text = ""]) => text);
    expect(styles.length).toBe(2);
    for (const style of styles) {
      expect(policy).toContain(`'sha256-${createHash("sha256").update(style).digest("base64")}'`);
    }
    expect(policy).toContain("default-src 'none'");
  });

  it("shows the example of every body", async () => {
    const { html } = await load();
    const bodies = Object.entries(EXAMPLES).filter(([name]) => name.endsWith("Input"));
    for (const [name, example] of bodies) {
      const [line = ""] = JSON.stringify(example, null, 2).split("\n").slice(1, 2);
      expect(html, name).toContain(line.replaceAll('"', "&quot;"));
    }
  });
});
