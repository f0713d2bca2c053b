import { createServer } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { nodeFetchHandler } from "../../src/cli/connect/mcp-endpoint.ts";
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
  const endpoint = createServer(nodeFetchHandler(http, server.url));
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
