import { afterEach, expect, it } from "vitest";
import { ROUTES } from "../../../src/server/routes.js";
import { event } from "../claude-hooks/hooks.ts";
import { readEvents } from "../event-reader.ts";
import { call, closeServers, openServer, posted, question, type Reply, refusal } from "../open-server.ts";

afterEach(closeServers);

const SECRET = "Ship the secret?";
const LIMITED = { sessions: ["own"] };

interface Walked {
  readonly line: string;
  readonly role: "agent" | "person";
  readonly isLimited: boolean;
}

/** Every route that an agent or a person may call. */
const walk: readonly Walked[] = ROUTES.flatMap(({ path, methods }) =>
  Object.entries(methods).flatMap(([method, { about }]) =>
    (["agent", "person"] as const)
      .filter((role) => about.access?.roles.includes(role))
      .map((role) => ({ line: `${method} ${path}`, role, isLimited: about.access?.sessions === true })),
  ),
);

/** What a route without an id in its path does for a token that is limited to another session. */
const WITHOUT_ID: Readonly<Record<string, (reply: Reply) => void>> = {
  "POST /v1/asks": (reply) => expect(refusal(reply)).toBe("403 forbidden"),
  "GET /v1/asks": ({ body }) => expect(body.asks).toEqual([]),
  // What a ticket opens is checked where it is used.
  "POST /v1/tickets": ({ status }) => expect(status).toBe(400),
  "GET /v1/server": ({ body }) => expect(body).toMatchObject({ caller: LIMITED }),
  "POST /v1/hooks/claude": (reply) => expect(refusal(reply)).toBe("403 forbidden"),
  // It asks with the same token over the routes above.
  "POST /mcp": (reply) => expect(refusal(reply)).toBe("404 not_found"),
  "GET /v1/events": () => undefined,
  "GET /v1/sessions/opened": () => undefined,
};

const BODIES: Readonly<Record<string, object>> = {
  "POST /v1/asks": { questions: [question], session: "other" },
  "POST /v1/hooks/claude": event("PermissionRequest", { tool_name: "Bash", tool_input: { command: "ls" } }),
  "POST /v1/sessions/{id}/events": { type: "text", text: "Hello" },
  "POST /v1/sessions/{id}/messages": { type: "message", text: "Hello", agent: "agent" },
  "POST /v1/asks/{id}/answer": { answers: [{ question: "q1", selected: ["o1"] }] },
  "POST /v1/asks/{id}/reply": { text: "Hello" },
};

it("signed out browsers, muted notifications and set quiet hours with a token for one session", async () => {
  const server = await openServer({ openSessions: "people", agentLinks: true });
  const { auth, hub } = server;
  const agent = await server.token();
  await call(server, agent, "POST /v1/sessions/other/events", { type: "text", text: SECRET });
  const ask = await posted(server, agent, {
    session: "other",
    questions: [{ ...question, question: SECRET }],
  });
  const { code } = await auth.createInboxCode("ana");
  await auth.redeemInboxCode(code, "Firefox/1 Android");
  const [device] = await auth.devices("ana");
  const tokens = {
    agent: await server.token({ role: "agent", ...LIMITED }),
    person: await server.token({ role: "person", ...LIMITED }),
  };
  const before = { ask: await hub.get(ask.id), head: (await hub.audit(ask.id)).length };

  for (const { line, role, isLimited } of walk) {
    if (line.startsWith("GET") && /\/v1\/(events|sessions\/opened)$/.test(line)) continue;
    const id = line.includes("/devices/") ? device?.id : line.includes("/sessions/") ? "other" : ask.id;
    const path = line
      .replace("{id}", id ?? "")
      .replace("{session}", "other")
      .replace("{question}", "q1")
      .replace("{option}", "o1");
    const where = `${role}: ${line}`;
    if (/ \/(v1|mcp)\b/.test(line)) {
      const body = line.startsWith("GET") || line.startsWith("DELETE") ? undefined : (BODIES[line] ?? {});
      const reply = await call(server, tokens[role], path, body);
      if (!isLimited) {
        expect(refusal(reply), where).toBe("403 forbidden");
        expect(reply.body.error?.message, where).toContain("some sessions only");
      } else if (line.includes("{id}")) {
        expect([403, 404], where).toContain(reply.status);
      } else {
        expect(Object.keys(WITHOUT_ID), "routes whose limits are checked").toContain(line);
        WITHOUT_ID[line]?.(reply);
      }
      continue;
    }
    const [method = "GET", url = "/"] = path.split(" ");
    const page = await fetch(server.url + url, {
      method,
      redirect: "manual",
      headers: { authorization: `Bearer ${tokens[role]}`, origin: server.url },
      ...(method === "POST" && { body: new URLSearchParams({ q1: "o1", text: "Hello" }) }),
    });
    if (line.includes("{id}")) expect(page.status, where).toBe(404);
    expect(await page.text(), where).not.toContain(SECRET);
  }
  const stream = await readEvents(server, tokens.person, "?after=0");
  const own = await posted(server, agent, { session: "own" });
  expect((await stream.count(1)).map(({ askId }) => askId)).toEqual([own.id]);
  stream.hangUp();
  expect({ ask: await hub.get(ask.id), head: (await hub.audit(ask.id)).length }).toEqual(before);
  expect(await auth.devices("ana")).toEqual([device]);
});

it("made a rule for everything with a token for one session", async () => {
  const server = await openServer();
  const agent = await server.token();
  const person = await server.token({ role: "person", ...LIMITED });
  const approval = { actions: [{ name: "Bash", args: { command: "ls" } }] };
  const metadata = { project: "/shop" };
  const { body } = await call(server, agent, "POST /v1/asks", { approval, session: "own", metadata });
  const decide = (remember: string) =>
    call(server, person, `POST /v1/asks/${body.ask?.id}/decide`, {
      decisions: [{ action: "a1", kind: "approve", remember }],
    });
  expect(refusal(await decide("always"))).toBe("403 forbidden");
  expect((await decide("session")).status).toBe(200);
  expect(await server.hub.rules.list("ana")).toMatchObject([{ session: "own" }]);
});
