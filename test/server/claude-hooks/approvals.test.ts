import { afterEach, describe, expect, it } from "vitest";
import { closeServers, refusal } from "../open-server.ts";
import { approve, bash, decision, event, opened } from "./hooks.ts";

afterEach(closeServers);

describe("permissions of Claude Code", () => {
  it("are approvals with the tool, its arguments, the folder and the project", async () => {
    const { hold, end } = await opened();
    const { reply, ask } = await hold(event("PermissionRequest", bash("npm test")));
    expect(ask.approval?.actions).toMatchObject([
      { name: "Bash", args: { command: "npm test", description: "Runs it" }, description: "Runs it" },
    ]);
    expect(ask.context).toContain("/home/ana/shop");
    expect(ask.metadata).toMatchObject({ project: "/home/ana/shop" });
    await end(ask, "decide", approve);
    expect(decision(await reply)).toEqual({ behavior: "allow" });
  });

  it("are denied with the person's words, and changed where the person edits them", async () => {
    const { hold, end } = await opened();
    const first = await hold(event("PermissionRequest", bash("rm -rf dist")));
    await end(first.ask, "decide", { decisions: [{ action: "a1", kind: "reject", message: "Keep it" }] });
    const denied = decision(await first.reply);
    expect([denied.behavior, denied.message]).toEqual(["deny", expect.stringContaining('"Keep it"')]);
    const second = await hold(event("PermissionRequest", bash("rm -rf .")));
    await end(second.ask, "decide", { decisions: [{ action: "a1", kind: "edit", args: { command: "ls" } }] });
    expect(decision(await second.reply)).toEqual({ behavior: "allow", updatedInput: { command: "ls" } });
  });

  it("offer Claude Code's own rules in its words, and return the one that was chosen", async () => {
    const { hold, end } = await opened();
    const permission_suggestions = [
      {
        type: "addRules",
        rules: [{ toolName: "Bash", ruleContent: "npm test:*" }],
        behavior: "allow",
        destination: "localSettings",
      },
    ];
    const { reply, ask } = await hold(
      event("PermissionRequest", bash("npm test", { permission_suggestions })),
    );
    const label = 'Claude Code: addRules allow "Bash(npm test:*)", kept in localSettings';
    expect(ask.approval?.actions[0]?.rules).toEqual([label]);
    await end(ask, "decide", { decisions: [{ action: "a1", kind: "approve", remember: label }] });
    expect(decision(await reply)).toEqual({
      behavior: "allow",
      updatedPermissions: permission_suggestions,
    });
  });

  it.each([
    ["approve", { behavior: "allow" }],
    ["reject", { behavior: "deny", message: expect.stringContaining("rejected") }],
  ])(
    "of a plan show the plan as Markdown, and could be given without seeing it: %s",
    async (kind, expected) => {
      const { hold, end } = await opened();
      const plan = "# Plan\n\n1. Build\n2. Ship";
      const { reply, ask } = await hold(
        event("PermissionRequest", { tool_name: "ExitPlanMode", tool_input: { plan } }),
      );
      expect(ask.context).toContain(plan);
      // And as an argument, which has to be on the screen before it is approved: context need not be.
      expect(ask.approval?.actions[0]?.args).toEqual({ plan });
      const remembered = await end(ask, "decide", {
        decisions: [{ action: "a1", kind, remember: "always" }],
      });
      expect(refusal(remembered)).toBe("422 invalid_answer");
      await end(ask, "decide", { decisions: [{ action: "a1", kind }] });
      expect(decision(await reply)).toEqual(expected);
    },
  );

  it("given at the terminal are reported, and those refused or left are withdrawn", async () => {
    const { hold, send, outcome } = await opened();
    const allowed = await hold(event("PermissionRequest", bash("one")));
    await send(event("PostToolUse", bash("one", { tool_response: { stdout: "secret output" } })));
    expect(await outcome(allowed.ask)).toMatchObject({
      kind: "decided",
      decisions: [{ kind: "approve" }],
      by: { id: "ana", surface: "claude-code", via: "claude-ana" },
    });
    const failed = await hold(event("PermissionRequest", bash("two")));
    await send(event("PostToolUseFailure", bash("two", { error: "exit 1", is_interrupt: false })));
    expect(await outcome(failed.ask)).toMatchObject({ kind: "decided", by: { surface: "claude-code" } });
    const interrupted = await hold(event("PermissionRequest", bash("three")));
    await send(event("PostToolUseFailure", bash("three", { is_interrupt: true })));
    expect(await outcome(interrupted.ask)).toMatchObject({ kind: "withdrawn" });
    const denied = await hold(event("PermissionRequest", bash("four")));
    await send(event("PermissionDenied", bash("four", { reason: "risky" })));
    expect(await outcome(denied.ask)).toMatchObject({ kind: "withdrawn", reason: "refused in Claude Code" });
    for (const name of ["UserPromptSubmit", "Stop", "SessionEnd"]) {
      const { ask } = await hold(event("PermissionRequest", bash(name)));
      await send(event(name));
      expect([name, await outcome(ask)]).toMatchObject([name, { kind: "withdrawn" }]);
    }
  });

  it("of two subagents are two asks, and the end of one agent leaves the other's", async () => {
    const { hold, send, end, outcome } = await opened();
    const one = await hold(
      event("PermissionRequest", bash("make", { agent_id: "a1", agent_type: "tester" })),
    );
    const two = await hold(event("PermissionRequest", bash("make", { agent_id: "a2" })));
    expect(one.ask.id).not.toBe(two.ask.id);
    expect(one.ask.agentPath).toEqual(["shop", "tester"]);
    await send(event("Stop"));
    await send(event("SubagentStop", { agent_id: "a1" }));
    expect(await outcome(one.ask)).toMatchObject({ kind: "withdrawn" });
    await end(two.ask, "decide", approve);
    expect(decision(await two.reply)).toEqual({ behavior: "allow" });
  });

  it("are asked each time: what was allowed once does not allow the same command again", async () => {
    const { hold, end } = await opened();
    const first = await hold(event("PermissionRequest", bash("npm test")));
    const beside = await hold(event("PermissionRequest", bash("npm test")));
    expect(beside.ask.id).not.toBe(first.ask.id);
    await end(first.ask, "decide", approve);
    expect(decision(await first.reply)).toEqual({ behavior: "allow" });
    await end(beside.ask, "decline");
    await beside.reply;
    const again = await hold(event("PermissionRequest", bash("npm test")));
    expect(again.ask.outcome).toBeUndefined();
    await end(again.ask, "decline");
  });

  it("too large to be shown whole, of our own tools, and of unknown events are left to Claude Code", async () => {
    const { open, send } = await opened();
    for (const body of [
      event("PermissionRequest", bash("x".repeat(70_000))),
      event("PermissionRequest", { tool_name: "mcp__askline__ask_user_question", tool_input: {} }),
      event("PermissionRequest", { tool_name: "ExitPlanMode", tool_input: { plan: "x".repeat(70_000) } }),
      event("Elicitation", {
        ...{ mcp_server_name: "shop", message: "x".repeat(70_000), mode: "form" },
        requested_schema: { type: "object", properties: { name: { type: "string" } } },
      }),
      event("Elicitation", {
        ...{ mcp_server_name: "shop", message: "Choose", mode: "form" },
        requested_schema: {
          type: "object",
          properties: { name: { type: "string", enum: ["a".repeat(2_000), "b"] } },
        },
      }),
      event("SomethingNew"),
      { hello: "world" },
      [],
    ]) {
      expect(await send(body)).toMatchObject({ status: 204 });
    }
    expect((await open.hub.list({})).asks).toEqual([]);
  });

  it("with a description that is too long show it whole, among the arguments", async () => {
    const { hold, end } = await opened();
    const description = "x".repeat(9_000);
    const tool_input = { command: "ls", description };
    const { ask } = await hold(event("PermissionRequest", { tool_name: "Bash", tool_input }));
    expect(ask.approval?.actions).toMatchObject([{ args: tool_input }]);
    expect(ask.approval?.actions[0]?.description).toBeUndefined();
    await end(ask, "decline");
  });

  it("remembered for always count whatever Claude says about the command, and in no other folder", async () => {
    const { hold, end, open } = await opened();
    const first = await hold(event("PermissionRequest", bash("npm test")));
    await end(first.ask, "decide", { decisions: [{ action: "a1", kind: "approve", remember: "always" }] });
    const run = (command: string, description: string, more: object = {}) =>
      hold(event("PermissionRequest", { tool_name: "Bash", tool_input: { command, description }, ...more }));
    const again = await run("npm test", "Another description");
    expect(decision(await again.reply)).toEqual({ behavior: "allow" });
    expect(await open.hub.rules.list("ana")).toMatchObject([
      { project: "/home/ana/shop", args: { command: "npm test" }, wording: ["description"] },
    ]);
    for (const { ask } of [
      await run("npm test; rm -rf /", "Runs it"),
      await run("npm test", "Runs it", { cwd: "/home/bo/shop" }),
      await run("npm test", "Runs it", { agent_type: "reviewer", agent_id: "a1" }),
    ]) {
      expect(ask.outcome).toBeUndefined();
      await end(ask, "decline");
    }
  });

  it("answered here and at the terminal at once end once", async () => {
    const { hold, send, end, outcome } = await opened();
    for (const round of ["a", "b", "c"]) {
      const { reply, ask } = await hold(event("PermissionRequest", bash(round)));
      const [here] = await Promise.all([
        end(ask, "decide", { decisions: [{ action: "a1", kind: "reject" }] }),
        send(event("PostToolUse", bash(round))),
      ]);
      const ended = await outcome(ask);
      const won = here.status === 200;
      expect(ended).toMatchObject({ kind: "decided", decisions: [{ kind: won ? "reject" : "approve" }] });
      expect((await reply).status).toBe(won ? 200 : 204);
    }
  });
});
