import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { RememberedRule as Rule } from "../../src/core/model/rule.js";
import { sqliteStore } from "../../src/hub/stores/sqlite/index.js";
import type { Ask, JsonObject } from "../../src/index.js";
import { call, closeServers, type OpenServer, openServer, refusal } from "./open-server.ts";

afterEach(closeServers);

interface Asked {
  readonly command?: string;
  readonly args?: JsonObject;
  readonly session?: string;
  /** Null for an agent that names none. */
  readonly project?: string | null;
  readonly context?: string;
  readonly description?: string;
  readonly agentId?: string;
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
      approval: { actions: [{ name: tool, args, description: asked.description }] },
      ...{ session, context: asked.context, agentId: asked.agentId, recipients: asked.recipients ?? [] },
      ...(project !== null && { metadata: { project } }),
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
      shown: expect.stringMatching(/^[0-9a-f]{64}$/),
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
    ["another folder of the same name", { project: "/home/bo/shop" }],
    ["the name of the folder alone", { project: "shop" }],
    ["no project", { project: null }],
    ["another context, such as another diff of the same file", { context: "+ rm -rf /" }],
    ["another description", { description: "Installs a backdoor" }],
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

  it("matches the whole of what was shown, and that again", async () => {
    const { ask, decide } = await opened();
    const shown = { context: "```diff\n-a\n+b\n```", description: "Edits a file" };
    await decide(await ask(shown), always);
    expect((await ask(shown)).outcome).toMatchObject({ kind: "decided" });
    expect((await ask({ ...shown, context: "```diff\n-a\n+c\n```" })).outcome).toBeUndefined();
    expect((await ask({ context: `${shown.context}\u0000`, description: "" })).outcome).toBeUndefined();
    expect((await ask()).outcome).toBeUndefined();
  });

  it("reached every argument but one by rememberField, which is refused with the reason", async () => {
    const { ask, decide, rules } = await opened();
    const made = await ask({ args: { command: "npm test", description: "Tests" } });
    for (const rememberField of ["command", "missing"]) {
      const reply = await decide(made, { ...always, rememberField });
      expect(refusal(reply)).toBe("422 invalid_answer");
      expect(reply.body.error?.issues).toMatchObject([
        { path: ["decisions", 0, "rememberField"], message: expect.stringContaining("the whole call") },
      ]);
    }
    expect(await rules()).toEqual([]);
  });

  it("of an agent that names no folder is for its session only", async () => {
    const { ask, decide } = await opened();
    const asked = { project: null };
    const reply = await decide(await ask(asked), always);
    expect(refusal(reply)).toBe("422 invalid_answer");
    expect(reply.body.error?.issues?.[0]?.message).toBe(
      'must not be "always": the agent names no folder that it works in, as a full path in metadata.project; use "session"',
    );
    expect(refusal(await decide(await ask({ project: "shop" }), always))).toBe("422 invalid_answer");
    await decide(await ask(asked), { ...always, remember: "session" });
    expect((await ask(asked)).outcome).toMatchObject({ kind: "decided" });
    expect((await ask({ ...asked, session: "s2" })).outcome).toBeUndefined();
  });

  it("counted everywhere if the ask had no session: it is refused, and with no folder there is none", async () => {
    const { ask, decide, rules } = await opened();
    const nowhere = await ask({ session: "", project: null });
    for (const remember of ["session", "always"]) {
      const reply = await decide(nowhere, { ...always, remember });
      expect([refusal(reply), reply.body.error?.issues?.[0]?.message]).toEqual([
        "422 invalid_answer",
        expect.stringMatching(/; omit remember to decide only this time$/),
      ]);
    }
    const inFolder = await ask({ session: "" });
    const reply = await decide(inFolder, { ...always, remember: "session" });
    expect(reply.body.error?.issues?.[0]?.message).toBe(
      'must not be "session": the ask has no session; use "always"',
    );
    expect(await rules()).toEqual([]);
    expect((await decide(inFolder, always)).status).toBe(200);
  });

  it("does not compare the wording of Claude's Bash, and an agent cannot name wording of its own", async () => {
    const { ask, decide, rules } = await opened();
    const call = (description: string, command = "npm test"): Asked => ({
      ...{ agentId: "claude-code", args: { command, description }, description },
    });
    await decide(await ask(call("Run the tests")), always);
    expect(await rules()).toMatchObject([{ args: { command: "npm test" }, wording: ["description"] }]);
    expect((await ask(call("Run tests again"))).outcome).toMatchObject({ kind: "decided" });
    for (const other of [
      call("Run the tests", "npm test && rm -rf /"),
      { ...call("Run the tests"), agentId: "claude" },
      { ...call("Run the tests"), description: "another one" },
      { ...call("Run the tests"), args: { command: "npm test", description: { run: "rm -rf /" } } },
      { ...call("Run the tests"), tool: "Task" },
    ]) {
      expect((await ask(other)).outcome).toBeUndefined();
    }
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

  it("of the same person is replaced by a newer one for equal calls", async () => {
    const { ask, decide, rules } = await opened();
    const [one, two, three] = [await ask(), await ask(), await ask()];
    await decide(one, always);
    await decide(two, { kind: "reject", remember: "always" });
    expect(await rules()).toMatchObject([{ effect: "deny", ask: two.id }]);
    expect((await ask()).outcome).toMatchObject({ decisions: [{ kind: "reject" }] });
    await decide(three, always);
    expect(await rules()).toMatchObject([{ effect: "allow", ask: three.id }]);
    expect((await ask()).outcome).toMatchObject({ decisions: [{ kind: "approve" }] });
  });

  // The command decides in which order the rules lie.
  it.each(["npm test", "make"])(
    "for a session is replaced by a newer one for always, and replaces it in that session only: %s",
    async (command) => {
      const { ask: asked, decide, rules, open } = await opened();
      const ask = (more: Asked = {}) => asked({ command, ...more });
      const [one, two, three] = [await ask(), await ask(), await ask()];
      await decide(one, { kind: "reject", remember: "session" });
      await decide(two, always);
      expect(await rules()).toMatchObject([{ effect: "allow", ask: two.id }]);
      expect((await ask()).outcome).toMatchObject({ decisions: [{ kind: "approve" }] });
      await open.clock.advance(1);
      await decide(three, { kind: "reject", remember: "session" });
      expect((await ask()).outcome).toMatchObject({ decisions: [{ kind: "reject" }] });
      expect((await ask({ session: "s2" })).outcome).toMatchObject({ decisions: [{ kind: "approve" }] });
    },
  );

  it("denies if equal actions of one approval are decided differently", async () => {
    const { open, agent, ana, ask, rules } = await opened();
    const action = { name: "Bash", args: { command: "npm test" } };
    const { body } = await call(open, agent, "POST /v1/asks", {
      approval: { actions: [action, action] },
      metadata: { project: "/shop" },
    });
    await call(open, ana, `POST /v1/asks/${body.ask?.id}/decide`, {
      decisions: [
        { action: "a1", kind: "reject", remember: "always" },
        { action: "a2", ...always },
      ],
    });
    expect(await rules()).toMatchObject([{ effect: "deny" }]);
    expect((await ask()).outcome).toMatchObject({ decisions: [{ kind: "reject" }] });
  });

  it("from before it was stored with its decision counts only if that decision exists", async () => {
    const { open, ask, decide, rules } = await opened();
    const [crashed, rejected, approved] = [await ask(), await ask(), await ask({ command: "make" })];
    const { records } = open.store;
    await decide(rejected, { kind: "reject" });
    await decide(approved, always);
    const [made] = await rules();
    await records.delete("rule", made?.id ?? "");
    const { id: _, ...rule } = made ?? { id: "" };
    const old = (key: string, ruleAsk: Ask, command: string) =>
      records.put("rule", `${made?.id.slice(0, 26)}${key}`, {
        ...(rule as JsonObject),
        ...{ epoch: 0, ask: ruleAsk.id, args: { command } },
      });
    await old("crashed", crashed, "npm test");
    await old("rejected", rejected, "npm test");
    await old("gone", { ...crashed, id: "ask_gone" }, "npm test");
    expect(await rules()).toMatchObject([{ ask: "ask_gone", ended: "ask_pruned" }]);
    expect((await ask()).outcome).toBeUndefined();
    await old("approved", approved, "make");
    expect((await ask({ command: "make" })).outcome).toMatchObject({
      kind: "decided",
      by: { kind: "policy" },
    });
    await open.clock.advance(1);
    await decide(await ask(), { kind: "reject", remember: "always" });
    expect((await ask()).outcome).toMatchObject({ decisions: [{ kind: "reject" }] });
  });

  it("does not count towards the 500 of another person", async () => {
    const { open, ask, decide, rules } = await opened();
    await decide(await ask(), always);
    const [{ id, ...rule } = { id: "" }] = await rules();
    for (let count = 1; count < 500; count += 1) {
      const value = { ...(rule as unknown as JsonObject), epoch: 0, args: { count } };
      await open.store.records.put("rule", `${id.slice(0, 26)}${count}`, value);
    }
    const next = await ask({ command: "ls" });
    expect(refusal(await decide(next, always))).toBe("403 quota_exceeded");
    expect((await decide(await ask({ command: "pwd" }), { kind: "approve" })).status).toBe(200);
    const bo = await open.token({ role: "person", name: "bo" });
    expect((await decide(next, always, bo)).status).toBe(200);
    expect((await ask({ command: "ls" })).outcome).toMatchObject({ by: { madeBy: "bo" } });
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

  it.each(["always", "session"])(
    "was not stored for decisions that were sent as text: %s",
    async (remember) => {
      const { open, ana, ask, rules } = await opened();
      const made = await ask();
      const reporter = await open.token({ name: "builder", reports: ["ana"] });
      const { link } = await open.auth.createLink({ askId: made.id, person: "ana", expiresIn: 60_000 });
      const limited = await open.token({ role: "person", sessions: ["s1"] });
      const decisions = JSON.stringify([{ action: "a1", kind: "approve", remember }]);
      for (const [token, path, body] of [
        [reporter, "report", { decide: { decisions } }],
        [link, "decide", { decisions }],
        ...(remember === "always" ? ([[limited, "decide", { decisions }]] as const) : []),
      ] as const) {
        expect(refusal(await call(open, token, `POST /v1/asks/${made.id}/${path}`, body))).toBe(
          "403 forbidden",
        );
      }
      expect((await call(open, ana, `POST /v1/asks/${made.id}/decide`, { decisions })).status).toBe(200);
      expect(await rules()).toHaveLength(1);
      expect((await ask()).outcome).toMatchObject({ by: { kind: "policy", madeBy: "ana" } });
    },
  );

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

describe("a rule of an earlier version", () => {
  async function stored(open: OpenServer, rule: object): Promise<void> {
    const record = {
      ...{ effect: "allow", person: "ana", agent: "builder", tool: "Bash", epoch: 0, createdAt: 1 },
      ...{ args: { command: "npm test" }, ask: "ask_gone", ...rule },
    };
    const prefix = createHash("sha256")
      .update(JSON.stringify(["builder", "Bash"]))
      .digest("hex");
    const key = `rule_${prefix.slice(0, 20)}_${createHash("sha256").update(JSON.stringify(rule)).digest("hex").slice(0, 20)}`;
    await open.store.records.put("rule", key, record as never, { expect: null });
  }

  it.each([
    ["one argument", "one_argument", { project: "/shop", field: "command" }],
    ["the name of a folder", "folder_name", { project: "shop" }],
    ["no project", "no_folder", {}],
    ["no project, in a session", "no_folder", { session: "s1" }],
    ["a session without a name", "no_session", { project: "/shop", session: "" }],
    ["an ask that was pruned since", "ask_pruned", { project: "/shop" }],
  ])("that compared %s no longer decides, and is listed as ended, with why", async (_what, why, rule) => {
    const { open, ask, rules } = await opened();
    await stored(open, rule);
    for (const project of ["/shop", "shop", null]) {
      for (const session of ["s1", ""]) expect((await ask({ project, session })).outcome).toBeUndefined();
    }
    expect(await rules()).toMatchObject([{ ...rule, ended: why }]);
  });

  it("that was for the whole call and a full path compares what its ask showed", async () => {
    const { open, ask, decide, rules } = await opened();
    const first = await ask({ context: "+ a" });
    await decide(first, always);
    const [made] = await rules();
    await open.store.records.delete("rule", made?.id ?? "");
    await stored(open, { project: "/shop", ask: first.id });
    expect((await ask({ context: "+ a" })).outcome).toMatchObject({ kind: "decided" });
    expect((await ask({ context: "+ b" })).outcome).toBeUndefined();
    expect((await rules())[0]?.ended).toBeUndefined();
  });
});
