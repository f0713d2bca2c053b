import { describe, expect, it } from "vitest";
import type { Draft } from "../../src/index.js";
import { openClient } from "./open-client.js";
import { error, json, type Respond, scriptedServer, text } from "./scripted-server.js";

const saved: Respond = (response) => void response.writeHead(204).end();

function versionOf(body: unknown): unknown {
  return (body as { readonly draft: Draft }).draft.version;
}

describe("drafts that are saved while a person types", () => {
  it("are sent one after another, and only the newest of the waiting ones", async () => {
    let release: () => void = () => undefined;
    const server = await scriptedServer((response) => {
      release = () => void response.writeHead(204).end();
    }, saved);
    const { client } = openClient({ url: server.url });
    const saves = [1, 2, 3].map((version) => client.saveDraft("ask_1", { version }));
    const other = client.saveDraft("ask_2", { version: 9 });
    await server.request(2);
    await other;
    release();
    await Promise.all(saves);
    expect(server.seen.map(({ method, path, body }) => [method, path, versionOf(body)])).toEqual([
      ["PUT", "/v1/asks/ask_1/draft", 1],
      ["PUT", "/v1/asks/ask_2/draft", 9],
      ["PUT", "/v1/asks/ask_1/draft", 3],
    ]);
  });

  it("never overwrite a newer draft when an older one is retried", async () => {
    const server = await scriptedServer(text(502, ""), saved);
    const { client } = openClient({ url: server.url });
    await Promise.all([1, 2].map((version) => client.saveDraft("ask_1", { version })));
    expect(server.seen.map(({ body }) => versionOf(body))).toEqual([1, 1, 2]);
  });

  it("are sent even if the previous one failed", async () => {
    const server = await scriptedServer(error(413, "too_large"), saved);
    const { client } = openClient({ url: server.url });
    const saves = [1, 2].map((version) => client.saveDraft("ask_1", { version }));
    expect((await Promise.allSettled(saves)).map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
    await client.saveDraft("ask_1", { version: 3 });
    expect(server.seen.map(({ body }) => versionOf(body))).toEqual([1, 2, 3]);
  });

  it("can be fetched, and may be absent", async () => {
    const server = await scriptedServer(json(200, { draft: { version: 1 } }), json(200, { draft: null }));
    const { client } = openClient({ url: server.url });
    expect(await client.draft("ask_1")).toEqual({ version: 1 });
    expect(await client.draft("ask_1")).toBeUndefined();
  });
});
