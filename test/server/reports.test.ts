import { afterEach, describe, expect, it } from "vitest";
import { auditText, readAudit } from "../../src/cli/commands/audit.js";
import { statusLine } from "../../src/cli/output/ask-summary.js";
import { connect } from "../../src/client/index.js";
import { type Ask, describeOutcome } from "../../src/index.js";
import { call, closeServers, no, openServer, posted, refusal, yes } from "./open-server.ts";

afterEach(closeServers);

const reported = { person: "ana", surface: "mcp-form", answer: yes };
const byAna = { kind: "person", id: "ana", surface: "mcp-form", via: "builder" };

async function opened(reports: readonly string[] | undefined = ["ana"]) {
  const open = await openServer();
  const agent = await open.token({ name: "builder", ...(reports.length > 0 && { reports }) });
  const person = await open.token({ role: "person" });
  const report = (id: string, body: unknown, token = agent) =>
    call(open, token, `POST /v1/asks/${id}/report`, body);
  return { open, agent, person, report };
}

describe("a reported ending", () => {
  it("is the person's, by way of the agent that reports it", async () => {
    const { open, agent, report } = await opened();
    const { id } = await posted(open, agent);
    const { status, body } = await report(id, reported);
    expect([status, body.ask?.outcome]).toMatchObject([200, { kind: "answered", by: byAna }]);
  });

  it.each([
    [{ decline: { reason: "Not now" } }, { kind: "declined", reason: "Not now", by: byAna }],
    [{ reply: { text: "Why?" } }, { kind: "replied", text: "Why?", by: byAna }],
  ])("takes %j", async (ending, outcome) => {
    const { open, agent, report } = await opened();
    const { id } = await posted(open, agent);
    const { body } = await report(id, { person: "ana", surface: "mcp-form", ...ending });
    expect(body.ask?.outcome).toEqual(outcome);
  });

  it("takes decisions on an approval", async () => {
    const { open, agent, report } = await opened();
    const { id } = await posted(open, agent, {
      questions: undefined,
      approval: { actions: [{ name: "deploy", args: {} }] },
    });
    const { body } = await report(id, { decide: { decisions: [{ action: "a1", kind: "approve" }] } });
    expect(body.ask?.outcome).toMatchObject({ kind: "decided", by: { id: "ana", via: "builder" } });
  });

  it("withdraws the ask if the token was not made to report for the person", async () => {
    for (const reports of [[], ["bo"]]) {
      const { open, agent, report } = await opened(reports);
      const { id } = await posted(open, agent);
      const { status, body } = await report(id, reported);
      const withdrawn = { kind: "withdrawn", reason: "answered elsewhere" };
      expect([status, body.ask?.outcome]).toEqual([200, withdrawn]);
    }
  });

  it("is refused where the recipients leave the person out, and the ask stays pending", async () => {
    const { open, agent, report } = await opened();
    const { id } = await posted(open, agent, { recipients: ["bo"] });
    expect(refusal(await report(id, reported))).toBe("403 forbidden");
    expect((await open.hub.get(id)).status).toBe("pending");
  });

  it("does not reach the ask of another agent, and is not for people or admins", async () => {
    const { open, person, report } = await opened();
    const other = await open.token({ name: "other" });
    const { id } = await posted(open, other);
    expect(refusal(await report(id, reported))).toBe("404 not_found");
    expect(refusal(await report(id, reported, person))).toBe("403 forbidden");
    expect(refusal(await report(id, reported, await open.token({ role: "admin" })))).toBe("403 forbidden");
    expect((await open.hub.get(id)).status).toBe("pending");
  });

  it("ends with the person: a revoked one is not reported for", async () => {
    const { open, agent, report } = await opened();
    const { id } = await posted(open, agent);
    await open.auth.revokePerson("ana");
    await open.clock.advance(1_000);
    const { body } = await report(id, reported);
    expect(body.ask?.outcome).toEqual({ kind: "withdrawn", reason: "answered elsewhere" });
  });

  it.each([
    [{ answer: yes, decline: {} }, "400 invalid_request"],
    [{ person: "ana" }, "400 invalid_request"],
    [{ answer: [] }, "400 invalid_request"],
    [{ answer: yes, as: "ana" }, "400 invalid_request"],
    [{ answer: yes, surface: 7 }, "400 invalid_request"],
    [{ answer: { answers: [{ question: "q1", selected: ["o9"] }] } }, "422 invalid_answer"],
  ])("is refused as %j, and the ask stays pending", async (body, expected) => {
    const { open, agent, report } = await opened();
    const { id } = await posted(open, agent);
    expect(refusal(await report(id, body))).toBe(expected);
    expect((await open.hub.get(id)).status).toBe("pending");
  });

  it("loses a race against the person, and is told the winner", async () => {
    const { open, agent, person, report } = await opened();
    const { id } = await posted(open, agent);
    await call(open, person, `POST /v1/asks/${id}/answer`, no);
    const reply = await report(id, reported);
    expect([refusal(reply), reply.body.error?.outcome]).toMatchObject([
      "409 already_settled",
      { answers: [{ selected: ["o2"] }], by: { id: "ana", surface: "api" } },
    ]);
  });

  it("is said to be reported by the agent: in the audit, the list, and to the model", async () => {
    const { open, agent, report } = await opened();
    const { id } = await posted(open, agent);
    const ask = (await report(id, reported)).body.ask as Ask;
    const { body } = await call(open, agent, `GET /v1/asks/${id}/audit`);
    expect(auditText(ask, readAudit(body), 80)).toContain("reported by builder");
    expect(statusLine(ask)).toBe("answered by ana (reported by builder)");
    expect(describeOutcome(ask, ask.outcome ?? { kind: "expired" })).toContain(
      'The person answered (reported by "builder"):',
    );
  });

  it("goes through the client, whose token says for whom", async () => {
    const { open, agent } = await opened();
    const client = connect({ url: open.url, token: agent });
    const { id } = await client.post({ questions: [{ question: "Why?" }] });
    const ask = await client.report(id, { type: "reply", text: "Because." }, { surface: "app" });
    expect(ask.outcome).toMatchObject({ kind: "replied", by: { id: "ana", surface: "app", via: "builder" } });
    await client.close();
  });

  it("needs a token that an admin has made for it", async () => {
    const { open } = await opened();
    const admin = await open.token({ role: "admin" });
    const create = (input: object) => call(open, admin, "POST /v1/tokens", { name: "x", ...input });
    const made = (await create({ role: "agent", reports: ["ana"] })).body as unknown;
    expect(made).toMatchObject({ info: { reports: ["ana"] } });
    expect(refusal(await create({ role: "person", reports: ["ana"] }))).toBe("400 invalid_request");
    expect(refusal(await create({ role: "agent", reports: [] }))).toBe("400 invalid_request");
    expect(refusal(await create({ role: "agent", reports: "ana" }))).toBe("400 invalid_request");
  });
});
