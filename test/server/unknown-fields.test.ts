import { afterEach, describe, expect, it } from "vitest";
import { call, closeServers, openServer, posted, question, refusal, yes } from "./open-server.ts";

afterEach(closeServers);

describe("an unknown field at the top level of a body was ignored", () => {
  const EVENTS = [
    { type: "open", locale: "en" },
    { type: "user", text: "hi" },
    { type: "tool_use", id: "t1", name: "search" },
    { type: "ask", questions: [question] },
  ];

  it.each([
    ["agent", "POST /v1/asks", { questions: [question] }],
    ["person", "POST /v1/asks/ID/answer", yes],
    ["person", "POST /v1/asks/ID/decide", { decisions: [] }],
    ["person", "POST /v1/asks/ID/decline", { reason: "no" }],
    ["person", "POST /v1/asks/ID/reply", { text: "hm" }],
    ["person", "PUT /v1/asks/ID/draft", { draft: {} }],
    ["person", "POST /v1/asks/ID/opened", {}],
    ["agent", "POST /v1/asks/ID/withdraw", { reason: "no" }],
    ["agent", "POST /v1/asks/ID/report", { reply: { text: "hm" } }],
    ["agent", "POST /v1/asks/ID/resume", {}],
    ["admin", "POST /v1/asks/ID/links", { person: "ana" }],
    ["admin", "POST /v1/tokens", { role: "agent", name: "bot" }],
    ["agent", "POST /v1/tickets", { path: "/v1/events" }],
    ["person", "POST /v1/sessions/s1/messages", { type: "message", text: "hi" }],
    ...EVENTS.map((event) => ["agent", "POST /v1/sessions/s1/events", event] as const),
  ] as const)("%s %s %j", async (role, line, body) => {
    const open = await openServer();
    const agent = await open.token();
    const token = role === "agent" ? agent : await open.token({ role });
    await call(open, agent, "POST /v1/sessions/s1/events", { type: "open" });
    const { id } = await posted(open, agent);
    const reply = await call(open, token, line.replace("ID", id), { ...body, expires: "1h" });
    expect(refusal(reply)).toBe("400 invalid_request");
    expect(reply.body.error?.message).toMatch(/unknown field|expires: unknown/);
    expect(reply.body.error?.message).toContain("expires");
    expect((await open.hub.get(id)).status).toBe("pending");
  });

  it("says which field was probably meant", async () => {
    const open = await openServer();
    const token = await open.token();
    const post = async (body: object) => (await call(open, token, "POST /v1/asks", body)).body.error;
    expect((await post({ questions: [question], recipient: ["ana"] }))?.message).toContain(
      'unknown field "recipient"; did you mean "recipients"?',
    );
    expect(await post({ questions: [{ ...question, multiselect: true }] })).toMatchObject({
      code: "invalid_ask",
      issues: [
        {
          path: ["questions", 0, "multiselect"],
          message: 'unknown field; did you mean "multiSelect"?',
        },
      ],
    });
  });

  it("but is dropped inside questions, options and actions, as before", async () => {
    const open = await openServer();
    const token = await open.token();
    const options = [{ label: "Yes", colour: "red" }, "No"];
    const questions = [{ question: "Ship it?", options, kind: "choice" }];
    const asked = await call(open, token, "POST /v1/asks", { questions });
    expect(asked.status).toBe(201);
    const actions = [{ name: "deploy", args: {}, risk: "high" }];
    expect((await call(open, token, "POST /v1/asks", { approval: { actions } })).status).toBe(201);
  });
});

describe("the life of a link", () => {
  it.each([
    [undefined, 86_400_000],
    [60_000, 60_000],
    ["1h", 3_600_000],
    ["90m", 5_400_000],
    ["7d", 7 * 86_400_000],
  ])("of %j is given in milliseconds or with a unit", async (expiresIn, expected) => {
    const open = await openServer();
    const ask = await posted(open, await open.token());
    const admin = await open.token({ role: "admin" });
    const made = await call(open, admin, `POST /v1/asks/${ask.id}/links`, { person: "ana", expiresIn });
    expect((made.body as { readonly expiresAt?: number }).expiresAt).toBe(open.clock.now() + expected);
  });

  it.each(["3600000", "1 hour", "0h", "91d", "", -1, 1.5])("is refused as %j", async (expiresIn) => {
    const open = await openServer();
    const ask = await posted(open, await open.token());
    const admin = await open.token({ role: "admin" });
    const made = await call(open, admin, `POST /v1/asks/${ask.id}/links`, { person: "ana", expiresIn });
    expect(refusal(made)).toBe("400 invalid_request");
    expect(made.body.error?.message).toContain('"1h"');
  });
});
