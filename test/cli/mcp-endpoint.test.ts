import { createServer } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { createMcpHttp } from "../../src/agents/mcp/index.js";
import { nodeFetchHandler } from "../../src/cli/connect/mcp-endpoint.ts";
import { connect } from "../../src/client/index.js";
import { openServer } from "../client/real-server.ts";
import { listen } from "../client/scripted-server.ts";

it("takes the tokens that /mcp of the server takes, and says why it refuses others", async () => {
  const server = await openServer();
  onTestFinished(() => server.close());
  const served: string[] = [];
  const http = {
    fetch: async (_request: Request, token: string) => {
      served.push(token);
      return new Response("{}");
    },
    close: async () => undefined,
  };
  const endpoint = createServer(nodeFetchHandler(http, server.url, fetch));
  onTestFinished(() => void endpoint.close());
  const url = `http://127.0.0.1:${await listen(endpoint)}/mcp`;
  const send = async (token: string) => {
    const response = await fetch(url, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
      body: "{}",
    });
    const { error } = (await response.json()) as { error?: { message: string } };
    return [response.status, error?.message];
  };
  const [person, admin] = [await server.token("person", "ana"), await server.token("admin", "root")];
  const refused = "the token is a person's; only an agent's may ask (askline token create --role agent)";
  expect(await send(person)).toEqual([403, refused]);
  expect(await send("nobody")).toEqual([401, "send a token of the server as Authorization: Bearer"]);
  expect(await send(server.agentToken)).toEqual([200, undefined]);
  expect(await send(admin)).toEqual([200, undefined]);
  expect(served).toEqual([server.agentToken, admin]);
});

it("takes requests that name its own origin, and none of another", async () => {
  const server = await openServer();
  onTestFinished(() => server.close());
  const http = createMcpHttp({ portOf: (token) => connect({ url: server.url, token }) });
  onTestFinished(() => http.close());
  const endpoint = createServer(nodeFetchHandler(http, server.url, fetch));
  onTestFinished(() => void endpoint.close());
  const own = `http://127.0.0.1:${await listen(endpoint)}`;
  const send = async (origin: string) => {
    const response = await fetch(`${own}/mcp`, {
      method: "POST",
      headers: {
        origin,
        authorization: `Bearer ${server.agentToken}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
    });
    return [response.status, await response.text()];
  };
  expect(await send(own)).toEqual([200, expect.stringContaining("ask_user_question")]);
  for (const other of ["https://app.example.com", "http://127.0.0.1:1", "null"]) {
    expect(await send(other)).toEqual([403, expect.stringContaining(`other origins than ${own}`)]);
  }
});
