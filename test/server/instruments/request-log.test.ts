import { afterEach, describe, expect, it } from "vitest";
import type { LogFields } from "../../../src/index.ts";
import { readEvents } from "../event-reader.ts";
import { call, closeServers, type OpenServer, openServer, posted, question, until } from "../open-server.ts";
import { ROUTES, sendEverything } from "./send-everything.ts";

afterEach(closeServers);

interface Logged {
  readonly level: string;
  readonly name: string;
  readonly fields: LogFields;
}

async function logged(): Promise<{
  readonly open: OpenServer;
  readonly events: Logged[];
  readonly trouble: string[];
}> {
  const events: Logged[] = [];
  const trouble: string[] = [];
  const log = (...parts: readonly unknown[]): void => void trouble.push(parts.map(String).join(" "));
  const open = await openServer({
    logger: { warn: log, error: log, event: (level, name, fields) => events.push({ level, name, fields }) },
  });
  return { open, events, trouble };
}

describe("the log of requests", () => {
  it("has a line for each, with who sent it and how it went, found by the response's id", async () => {
    const { open, events } = await logged();
    const agent = await open.token({ name: "builder" });
    const { headers, body } = await call(open, agent, "POST /v1/asks", { questions: [question] });
    await call(open, undefined, `GET /v1/asks/${body.ask?.id}`);
    await call(open, agent, "DELETE /v1/asks");
    const requests = events.filter(({ name }) => name === "request");
    expect(requests.map(({ level, fields }) => ({ level, ...fields }))).toEqual([
      {
        ...{ level: "info", requestId: headers.get("askline-request-id"), method: "POST", route: "/v1/asks" },
        ...{ status: 201, ms: 0, role: "agent", name: "builder", via: "token" },
      },
      {
        ...{ level: "info", requestId: expect.any(String), method: "GET", route: "/v1/asks/{id}" },
        ...{ status: 401, ms: 0 },
      },
      {
        ...{ level: "info", requestId: expect.any(String), method: "DELETE", route: "/v1/asks" },
        ...{ status: 405, ms: 0 },
      },
    ]);
    expect(new Set(requests.map(({ fields }) => fields.requestId)).size).toBe(3);
  });

  it("tells of probes only in detail, while all is well", async () => {
    const { open, events } = await logged();
    await call(open, undefined, "GET /healthz");
    await call(open, undefined, "GET /readyz");
    expect(events.map(({ level }) => level)).toEqual(["debug", "debug"]);
    await open.hub.close();
    await call(open, undefined, "GET /readyz");
    expect(events.at(-1)).toMatchObject({ level: "info", fields: { route: "/readyz", status: 503 } });
  });

  it("counts the time that a request was held", async () => {
    const { open, events } = await logged();
    const agent = await open.token();
    const { id } = await posted(open, agent);
    const held = call(open, agent, `GET /v1/asks/${id}?wait=7`);
    await until(() => open.hub.isAwaited(id));
    await open.clock.advance(7_000);
    await held;
    expect(events.at(-1)?.fields).toMatchObject({ route: "/v1/asks/{id}", status: 200, ms: 7_000 });
  });

  it("tells of connections when they open and when they are over", async () => {
    const { open, events } = await logged();
    const reader = await readEvents(open, await open.token({ role: "person", name: "ana" }));
    await open.clock.advance(1_500);
    reader.hangUp();
    await until(() => events.some(({ name }) => name === "connection closed"));
    const connections = events.filter(({ name }) => name.startsWith("connection"));
    expect(connections.map(({ name, fields }) => ({ is: name, ...fields }))).toEqual([
      { is: "connection opened", kind: "events", role: "person", name: "ana" },
      { is: "connection closed", kind: "events", role: "person", name: "ana", ms: 1_500 },
    ]);
  });

  it("holds nothing private of any request, though it tells of every route", async () => {
    const { open, events, trouble } = await logged();
    const target = {
      ...{ url: open.url, port: open.port },
      agent: await open.token({ name: "builder" }),
      person: await open.token({ role: "person", name: "ana" }),
      admin: await open.token({ role: "admin", name: "root" }),
      code: (await open.auth.createInboxCode("ana")).code,
    };
    const secrets = await sendEverything(target);
    const text = JSON.stringify([events, trouble]);
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    const told = new Set(events.map(({ fields }) => fields.route));
    const patterns = ROUTES.map(({ path }) => path);
    expect(patterns.filter((pattern) => !told.has(pattern))).toEqual([]);
    // Not only refused: what was private went all the way.
    const good = new Set(
      events.filter(({ fields }) => Number(fields.status) < 400).map(({ fields }) => fields.route),
    );
    expect(patterns.filter((pattern) => pattern.startsWith("/v1") && !good.has(pattern))).toEqual([]);
    expect([...good]).toEqual(expect.arrayContaining(["/a/{link}", "/asks/{id}", "/login"]));
    const kinds = new Set(events.flatMap(({ fields }) => fields.kind ?? []));
    expect([...kinds].sort()).toEqual([
      "events",
      "gateway_device",
      "gateway_host",
      "session_events",
      "session_socket",
    ]);
    expect(trouble).toEqual([]);
  });
});
