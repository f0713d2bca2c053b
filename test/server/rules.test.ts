import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { Ask, JsonObject } from "../../src/core/index.js";
import type { Rule } from "../../src/hub/index.js";
import { sqliteStore } from "../../src/stores/sqlite/index.js";
import { call, closeServers, type OpenServer, openServer, refusal } from "./open-server.ts";

afterEach(closeServers);

interface Asked {
  readonly command?: string;
  readonly args?: JsonObject;
  readonly session?: string;
  readonly project?: string;
  readonly recipients?: readonly string[];
  readonly tool?: string;
}

async function opened(more: Parameters<typeof openServer>[0] = {}) {
  const open = await openServer(more);
  const agent = await open.token({ name: "builder" });
  const ana = await open.token({ role: "person" });
  return { open, agent, ana, ...verbs(open, agent, ana) };
}

function verbs(open: OpenServer, agent: string, ana: string) {
  const ask = async (asked: Asked = {}, token = agent): Promise<Ask> => {
    const {
      command = "npm test",
      args = { command },
      session = "s1",
      project = "/shop",
      tool = "Bash",
    } = asked;
    const { body } = await call(open, token, "POST /v1/asks", {
      approval: { actions: [{ name: tool, args }] },
      ...{ session, metadata: { project }, recipients: asked.recipients ?? [] },
    });
    if (body.ask === undefined) throw new Error(JSON.stringify(body));
    return body.ask;
  };
  const decide = (made: Ask, decision: object, token = ana) =>
    call(open, token, `POST /v1/asks/${made.id}/decide`, { decisions: [{ action: "a1", ...decision }] });
  const rules = async (token = ana) => {
    const { body } = await call(open, token, "GET /v1/rules");
    return (body as { readonly rules?: readonly Rule[] }).rules ?? [];
  };
  return { ask, decide, rules };
}

const always = { kind: "approve", remember: "always" };

describe("a remembered rule", () => {
  it("decides the same action from now on, as a policy that names the rule and who made it", async () => {
    const { open, ask, decide, rules, ana } = await opened();
    const first = await ask();
    const { body } = await decide(first, always);
    expect(body.ask?.outcome).toMatchObject({ decisions: [{ kind: "approve", remember: "always" }] });
    const [rule] = await rules();
    expect(rule).toEqual({
      ...{ id: rule?.id, effect: "allow", person: "ana", agent: "builder", project: "/shop" },
      ...{ tool: "Bash", args: { command: "npm test" }, ask: first.id, createdAt: rule?.createdAt },
    });
    const again = await ask({ session: "another" });
    expect(again.outcome).toEqual({
      kind: "decided",
      decisions: [{ action: "a1", kind: "approve" }],
      by: { kind: "policy", name: "remembered rule", rule: rule?.id, madeBy: "ana" },
    });
    const audit = await call(open, ana, `GET /v1/asks/${again.id}/audit`);
    expect(JSON.stringify(audit.body)).toContain(`"rule":"${rule?.id}","madeBy":"ana"`);
  });

  it("is made by nobody for a decision that is for once", async () => {
    const { ask, decide, rules } = await opened();
    await decide(await ask(), { kind: "approve" });
    expect([await rules(), (await ask()).outcome]).toEqual([[], undefined]);
  });

  it("for a session counts in that session only", async () => {
    const { ask, decide } = await opened();
    await decide(await ask(), { kind: "approve", remember: "session" });
    expect((await ask()).outcome).toMatchObject({ kind: "decided" });
    expect((await ask({ session: "s2" })).outcome).toBeUndefined();
  });

  it.each<[string, Asked]>([
    ["a command that begins like it", { command: "npm test && rm -rf /" }],
    ["one more argument", { args: { command: "npm test", background: true } }],
    ["another tool", { tool: "PowerShell" }],
    ["another project", { project: "/other" }],
    ["an ask that its maker may not answer", { recipients: ["bo"] }],
  ])("does not match %s", async (_what, asked) => {
    const { ask, decide } = await opened();
    await decide(await ask(), always);
    expect((await ask(asked)).outcome).toBeUndefined();
  });

  it("does not decide for another agent", async () => {
    const { open, ask, decide } = await opened();
    await decide(await ask(), always);
    const other = await open.token({ name: "other" });
    expect((await ask({}, other)).outcome).toBeUndefined();
  });

  it("of one field compares that whole field, and no others", async () => {
    const { ask, decide } = await opened();
    const made = await ask({ args: { command: "npm test", description: "Tests" } });
    expect(refusal(await decide(made, { ...always, rememberField: "missing" }))).toBe("422 invalid_answer");
    await decide(made, { ...always, rememberField: "command" });
    expect((await ask({ args: { description: "Again", command: "npm test" } })).outcome).toBeDefined();
    expect((await ask({ command: "npm test -- --watch" })).outcome).toBeUndefined();
    expect((await ask({ args: { description: "npm test" } })).outcome).toBeUndefined();
  });

  it("that denies wins over one that allows", async () => {
    const { ask, decide, open } = await opened();
    const [one, two] = [await ask(), await ask()];
    await decide(one, always);
    const bo = await open.token({ role: "person", name: "bo" });
    await decide(two, { kind: "reject", message: "Never", remember: "always" }, bo);
    expect((await ask()).outcome).toMatchObject({
      decisions: [{ kind: "reject" }],
      by: { kind: "policy", madeBy: "bo" },
    });
  });

  it("ends when it is revoked, by its own maker or an admin", async () => {
    const { open, ask, decide, rules, ana } = await opened();
    await decide(await ask(), always);
    const [rule] = await rules();
    const bo = await open.token({ role: "person", name: "bo" });
    expect(await rules(bo)).toEqual([]);
    expect(refusal(await call(open, bo, `DELETE /v1/rules/${rule?.id}`))).toBe("404 not_found");
    expect((await call(open, ana, `DELETE /v1/rules/${rule?.id}`)).status).toBe(204);
    expect(refusal(await call(open, ana, `DELETE /v1/rules/${rule?.id}`))).toBe("404 not_found");
    expect((await ask()).outcome).toBeUndefined();
    const admin = await open.token({ role: "admin", name: "ops" });
    await decide(await ask(), always);
    expect(await rules(admin)).toHaveLength(1);
  });

  it("ends with everything else of the person who made it", async () => {
    const { open, ask, decide, rules } = await opened();
    await decide(await ask(), always);
    await open.auth.revokePerson("ana");
    expect((await ask()).outcome).toBeUndefined();
    const again = await open.token({ role: "person" });
    expect(await rules(again)).toEqual([]);
  });

  it("is not made by an agent's report, a signed link, or a decision that failed", async () => {
    const { open, ask, decide, rules } = await opened();
    const reporter = await open.token({ name: "builder", reports: ["ana"] });
    const made = await ask();
    const body = { decide: { decisions: [{ action: "a1", ...always }] } };
    expect(refusal(await call(open, reporter, `POST /v1/asks/${made.id}/report`, body))).toBe(
      "403 forbidden",
    );
    const { link } = await open.auth.createLink({ askId: made.id, person: "ana", expiresIn: 60_000 });
    expect(refusal(await decide(made, always, link))).toBe("403 forbidden");
    await decide(made, { kind: "reject" });
    expect(refusal(await decide(made, always))).toBe("409 already_settled");
    expect(await rules()).toEqual([]);
  });

  it("never answers a question, and edited arguments make none", async () => {
    const { ask, decide } = await opened();
    const made = await ask();
    const edited = { kind: "edit", args: { command: "ls" }, remember: "always" };
    expect(refusal(await decide(made, edited))).toBe("422 invalid_answer");
    expect(refusal(await decide(made, { kind: "approve", remember: "forever" }))).toBe("422 invalid_answer");
  });

  it("survives a restart", async () => {
    const folder = mkdtempSync(join(tmpdir(), "askline-rules-"));
    try {
      const path = join(folder, "askline.db");
      const first = await opened({ store: sqliteStore({ path }) });
      await first.decide(await first.ask(), always);
      await closeServers();
      const next = await opened({ store: sqliteStore({ path }) });
      expect((await next.ask()).outcome).toMatchObject({ kind: "decided", by: { kind: "policy" } });
      await closeServers();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
