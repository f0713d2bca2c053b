import { describe, expect, it } from "vitest";
import { openClient } from "./open-client.js";
import { error, json, type Respond, scriptedServer, text } from "./scripted-server.js";

const saved: Respond = (response) => void response.writeHead(204).end();

describe("drafts that are saved while a person types", () => {
  it("are sent one after the other, and of those that wait only the newest", async () => {
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
    expect(server.seen.map(({ method, path, body }) => [method, path, body.draft.version])).toEqual([
      ["PUT", "/v1/asks/ask_1/draft", 1],
      ["PUT", "/v1/asks/ask_2/draft", 9],
      ["PUT", "/v1/asks/ask_1/draft", 3],
    ]);
  });

  it("never overwrite a newer one when an older one has to be tried again", async () => {
    const server = await scriptedServer(text(502, ""), saved);
    const { client } = openClient({ url: server.url });
    await Promise.all([1, 2].map((version) => client.saveDraft("ask_1", { version })));
    expect(server.seen.map(({ body }) => body.draft.version)).toEqual([1, 1, 2]);
  });

  it("fail alone: the next one is sent all the same", async () => {
    const server = await scriptedServer(error(413, "too_large"), saved);
    const { client } = openClient({ url: server.url });
    const saves = [1, 2].map((version) => client.saveDraft("ask_1", { version }));
    expect((await Promise.allSettled(saves)).map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
    await client.saveDraft("ask_1", { version: 3 });
    expect(server.seen.map(({ body }) => body.draft.version)).toEqual([1, 2, 3]);
  });

  it("are fetched, or are not there", async () => {
    const server = await scriptedServer(json(200, { draft: { version: 1 } }), json(200, { draft: null }));
    const { client } = openClient({ url: server.url });
    expect(await client.draft("ask_1")).toEqual({ version: 1 });
    expect(await client.draft("ask_1")).toBeUndefined();
  });
});
