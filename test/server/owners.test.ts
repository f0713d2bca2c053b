import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { memoryStore } from "../../src/hub/index.js";
import { postgresStore } from "../../src/hub/stores/postgres/index.js";
import { sqliteStore } from "../../src/hub/stores/sqlite/index.js";
import { freshSchema, sharedPostgres } from "../support/shared-postgres.ts";
import { event } from "./claude-hooks/hooks.ts";
import { readEvents } from "./event-reader.ts";
import { DATABASE, openRaw, questionEvent } from "./gateway/raw-socket.ts";
import { awaitedAsk, call, closeServers, openServer, posted, refusal } from "./open-server.ts";

const folder = mkdtempSync(join(tmpdir(), "askline-owners-"));
afterEach(closeServers);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
const STORES = {
  memory: async () => memoryStore(),
  SQLite: async () => sqliteStore({ path: join(folder, `${++files}.db`) }),
  PostgreSQL: async () => postgresStore({ url: await sharedPostgres(), schema: freshSchema() }),
};

const NAME = "claude-code";
const key = { session: "s", key: "call_1" };

describe.each(Object.entries(STORES))("agents of one name and two owners, on %s", (_, store) => {
  const open = async () => {
    const server = await openServer({ store: await store() });
    const token = (owner?: string) =>
      server.token({ role: "agent", name: NAME, ...(owner !== undefined && { owner }) });
    return { server, token, ana: await token("ana"), ben: await token("ben") };
  };

  it("read, withdrew and were given the prompts and answers of each other", async () => {
    const { server, token, ana, ben } = await open();
    const ask = await posted(server, ana, key);
    expect([ask.asker, ask.owner]).toEqual([NAME, "ana"]);
    const own = await posted(server, ben, key);
    expect(own.id).not.toBe(ask.id);
    expect((await posted(server, ana, key)).id).toBe(ask.id);
    const none = await token();
    for (const stranger of [ben, none]) {
      expect(refusal(await call(server, stranger, `GET /v1/asks/${ask.id}`))).toBe("404 not_found");
      const withdrawal = await call(server, stranger, `POST /v1/asks/${ask.id}/withdraw`, {});
      expect(refusal(withdrawal)).toBe("404 not_found");
      const resume = await call(server, stranger, `POST /v1/asks/${ask.id}/resume`, { holder: "h" });
      expect(refusal(resume)).toBe("404 not_found");
      const report = { person: "ben", surface: "x", answer: { answers: [] } };
      expect((await call(server, stranger, `POST /v1/asks/${ask.id}/report`, report)).status).toBe(404);
    }
    const listed = async (agent: string) =>
      (await call(server, agent, "GET /v1/asks")).body.asks?.map(({ id }) => id);
    expect([await listed(ana), await listed(ben), await listed(none)]).toEqual([[ask.id], [own.id], []]);
    const stream = await readEvents(server, ben, "?after=0");
    const last = await posted(server, ben, {});
    expect((await stream.count(2)).map(({ askId }) => askId)).toEqual([own.id, last.id]);
    stream.hangUp();
    expect((await call(server, ana, `POST /v1/asks/${ask.id}/withdraw`, {})).status).toBe(200);
  });

  it("find by name what was asked before there were owners", async () => {
    const { server, token, ana, ben } = await open();
    const before = await posted(server, await token(), key);
    for (const agent of [ana, ben]) {
      expect((await posted(server, agent, key)).id).toBe(before.id);
      expect((await call(server, agent, "GET /v1/asks")).body.asks?.map(({ id }) => id)).toEqual([before.id]);
    }
    expect((await call(server, ana, `POST /v1/asks/${before.id}/withdraw`, {})).status).toBe(200);
  });

  it("continued each other's sessions", async () => {
    const { server, token, ana, ben } = await open();
    const write = (agent: string, session = "chat") =>
      call(server, agent, `POST /v1/sessions/${session}/events`, { type: "text", text: "Hello" });
    expect((await write(ana)).status).toBe(204);
    expect(refusal(await write(ben))).toBe("403 forbidden");
    expect(refusal(await call(server, ben, "GET /v1/sessions/chat/history"))).toBe("404 not_found");
    expect((await write(ana)).status).toBe(204);
    expect((await write(await token(), "old")).status).toBe(204);
    expect((await write(ben, "old")).status).toBe(204);
  });

  it("resumed and took back each other's gateway questions", async () => {
    const { server, ana, ben } = await open();
    const host = await openRaw(server, { token: ana });
    host.send(questionEvent("q", [DATABASE]));
    const ask = await awaitedAsk(server);
    const other = await openRaw(server, { token: ben });
    for (const name of ["resume", "ask_user_question.withdrawn"]) {
      const payload = name === "resume" ? { questionIds: ["q"] } : { questionId: "q" };
      other.send({ type: "event", payload: { event: name, payload } });
      expect(JSON.stringify(await other.next())).toContain("not_found");
    }
    await server.hub.decline(ask.id, undefined, { by: { kind: "person", id: "ana", surface: "test" } });
    expect(await host.next()).toMatchObject({ payload: { questionId: "q" } });
    expect(await other.untilPong()).toEqual([]);
    await host.close();
    await other.close();
  });

  it("ran what a rule allowed the other", async () => {
    const { server, ana, ben } = await open();
    const person = await server.token({ role: "person" });
    const approval = { actions: [{ name: "Bash", args: { command: "ls" } }] };
    const ask = async (agent: string) => {
      const more = { approval, session: "s", metadata: { project: "/shop" } };
      return (await call(server, agent, "POST /v1/asks", more)).body.ask;
    };
    const decisions = [{ action: "a1", kind: "approve", remember: "always" }];
    const decided = await call(server, person, `POST /v1/asks/${(await ask(ana))?.id}/decide`, { decisions });
    expect(decided.status).toBe(200);
    expect([(await ask(ana))?.status, (await ask(ben))?.status]).toEqual(["decided", "pending"]);
  });

  it("ended each other's prompts with the events of one Claude session", async () => {
    const { server, ana, ben } = await open();
    const body = event("PermissionRequest", { tool_name: "Bash", tool_input: { command: "ls" } });
    const held = call(server, ana, "POST /v1/hooks/claude", body);
    const ask = await awaitedAsk(server);
    expect(ask.recipients).toEqual(["ana"]);
    expect((await call(server, ben, "POST /v1/hooks/claude", event("Stop", {}))).status).toBe(204);
    expect((await server.hub.get(ask.id)).status).toBe("pending");
    await call(server, ana, "POST /v1/hooks/claude", event("Stop", {}));
    expect((await server.hub.get(ask.id)).status).toBe("withdrawn");
    await held;
  });
});
