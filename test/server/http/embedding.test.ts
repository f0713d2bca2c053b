import { once } from "node:events";
import { createServer as createHttpServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { connect } from "../../../src/client/index.js";
import { call, closeServers, openServer, question, refusal, yes } from "../open-server.ts";

const hosts: Server[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) {
    host.closeAllConnections();
    host.close();
  }
  await closeServers();
});

/** A node server of somebody's product, and its URL. */
async function hostServer(
  listener?: RequestListener,
): Promise<{ readonly http: Server; readonly url: string }> {
  const http = createHttpServer(listener);
  hosts.push(http);
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  return { http, url: `http://127.0.0.1:${(http.address() as AddressInfo).port}` };
}

/** Fails a test in which the host's app would have ended the process. */
function expressApp() {
  const app = express();
  const seen: string[] = [];
  app.use(async (request, response) => {
    seen.push(request.url);
    await new Promise((resolve) => setImmediate(resolve));
    response.status(404).send("the host's own 404");
  });
  return { app, seen };
}

describe("a server attached to a host with its own listener", () => {
  it.each(["before", "after"])(
    "does not answer a POST without a token twice (app added %s attach)",
    async (when) => {
      const { server } = await openServer();
      const { app, seen } = expressApp();
      const host = await hostServer(when === "before" ? app : undefined);
      server.attach(host.http);
      if (when === "after") host.http.on("request", app);
      expect(refusal(await call(host, undefined, "POST /v1/asks", {}))).toBe("401 unauthorized");
      expect(seen).toEqual([]);
      const other = await fetch(`${host.url}/shop?page=2`);
      expect([other.status, await other.text()]).toEqual([404, "the host's own 404"]);
      expect(seen).toEqual(["/shop?page=2"]);
      expect((await fetch(`${host.url}/healthz`)).status).toBe(200);
    },
  );

  it("leaves the host's WebSockets to the host, and the host leaves ours to us", async () => {
    const open = await openServer({ basePath: "/askline" });
    const host = await hostServer((_request, response) => response.end("host"));
    const sockets = new WebSocketServer({ server: host.http, path: "/chat" });
    open.server.attach(host.http);
    const own = new WebSocket(`${host.url.replace("http", "ws")}/chat`);
    await once(own, "open");
    own.terminate();
    const token = await open.token({ role: "person" });
    const gateway = new WebSocket(`${host.url.replace("http", "ws")}/askline/v1/gateway`, {
      headers: { authorization: `Bearer ${token}` },
    });
    await once(gateway, "open");
    gateway.terminate();
    sockets.close();
  });

  it("serves two Askline servers on one host", async () => {
    const first = await openServer({ basePath: "/one" });
    const second = await openServer({ basePath: "/two" });
    const host = await hostServer();
    first.server.attach(host.http);
    second.server.attach(host.http);
    const get = async (path: string): Promise<string> =>
      refusal(await call(host, await first.token(), `GET ${path}`));
    expect(await get("/one/v1/asks")).toBe("200 no error");
    expect(await get("/two/v1/asks")).toBe("401 unauthorized");
    expect(await get("/v1/asks")).toBe("404 not_found");
    const nowhere = new WebSocket(`${host.url.replace("http", "ws")}/nowhere`);
    const [, response] = await once(nowhere, "unexpected-response");
    expect(response.statusCode).toBe(404);
    nowhere.on("error", () => undefined).terminate();
  });
});

describe("a server as Express middleware", () => {
  it("serves its own paths below its mount and passes on the rest", async () => {
    const open = await openServer({ basePath: "/askline" });
    const app = express();
    // Most apps parse every body first.
    app.use(express.json());
    app.use("/askline", open.server.node);
    app.use((request, response) => void response.status(404).send(`no ${request.originalUrl}`));
    const host = await hostServer(app);
    const [agent, person] = [await open.token(), await open.token({ role: "person" })];
    const { body } = await call(host, agent, "POST /askline/v1/asks", { questions: [question] });
    const answered = await call(host, person, `POST /askline/v1/asks/${body.ask?.id}/answer`, yes);
    expect([answered.status, answered.body.ask?.outcome?.kind]).toEqual([200, "answered"]);
    expect(refusal(await call(host, undefined, "POST /askline/v1/asks", {}))).toBe("401 unauthorized");
    const rest = await fetch(`${host.url}/askline/nothing`);
    expect(await rest.text()).toBe("no /askline/nothing");
  });

  it("does not wait for a body that another parser has read", async () => {
    const open = await openServer();
    const app = express().use(express.text({ type: "*/*" }), open.server.node);
    const host = await hostServer(app);
    const refused = await call(host, await open.token(), "POST /v1/asks", { questions: [question] });
    expect(refusal(refused)).toBe("400 invalid_request");
    expect(refused.body.error?.message).toContain("mount Askline before the body parsers");
  });
});

describe("a base path", () => {
  it("is in every link, redirect and cookie of the pages", async () => {
    const open = await openServer({ basePath: "/askline/" });
    const { url } = open;
    await open.hub.post({ questions: [question] }, { asker: "agent" });
    const { code } = await open.auth.createInboxCode("ana");
    expect(await (await fetch(`${url}/askline/?code=${code}`)).text()).toContain('action="/askline/login"');
    const signedIn = await fetch(`${url}/askline/login`, {
      method: "POST",
      redirect: "manual",
      headers: { "content-type": "application/x-www-form-urlencoded", origin: url },
      body: `code=${code}`,
    });
    const cookie = signedIn.headers.get("set-cookie") ?? "";
    const location = signedIn.headers.get("location") ?? "";
    expect([signedIn.status, location]).toEqual([303, expect.stringMatching(/^\/askline\/i\/[\w-]{22}\/$/)]);
    const base = location.slice(0, -1);
    expect(cookie).toContain(`; Path=${base};`);
    const headers = { cookie: cookie.split(";", 1)[0] ?? "", accept: "text/html", origin: url };
    const inbox = await (await fetch(`${url}${location}`, { headers })).text();
    const targets = [...inbox.matchAll(/(?:href|action)="([^"#]*)"/g)].map(([, target]) => target ?? "");
    expect(targets.length).toBeGreaterThan(3);
    // Files are loaded outside of the person's own path, so that no cookie goes along.
    const below = [location, "/askline/assets/"];
    expect(targets.filter((target) => !below.some((path) => target.startsWith(path)))).toEqual([]);
    const missing = await (await fetch(`${url}${base}/asks/ask_0`, { headers })).text();
    expect(missing).toContain(`href="${location}"`);
  });

  it("is in signed links and in the OpenAPI document", async () => {
    const open = await openServer({ basePath: "/askline", publicUrl: "https://example.com" });
    const ask = await open.hub.post({ questions: [question] }, { asker: "agent" });
    const made = await call(
      open,
      await open.token({ role: "admin" }),
      `POST /askline/v1/asks/${ask.id}/links`,
      {
        person: "ana",
      },
    );
    expect(made.body.url).toMatch(/^https:\/\/example\.com\/askline\/a\/link_/);
    const document = await (await fetch(`${open.url}/askline/openapi.json`)).json();
    expect(document).toMatchObject({ servers: [{ url: "/askline" }] });
  });

  it("serves a client with the same path, its streams included, and nothing outside of it", async () => {
    const open = await openServer({ basePath: "/askline" });
    const agent = await open.token();
    const client = connect({ url: `${open.url}/askline`, token: agent });
    const events = client.events({ after: 0 })[Symbol.asyncIterator]();
    const { id } = await client.post({ questions: [question] });
    expect((await events.next()).value).toMatchObject({ askId: id });
    await events.return?.();
    await client.close();
    expect(refusal(await call(open, agent, "GET /v1/asks"))).toBe("404 not_found");
    expect(refusal(await call(open, agent, "GET /asklinex/v1/asks"))).toBe("404 not_found");
  });

  it.each(["askline", "/a b", "/../x", "//x", "/x?y"])("refuses %j", async (basePath) => {
    await expect(openServer({ basePath })).rejects.toMatchObject({ code: "invalid_request" });
  });
});
