import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "vitest";
import { LEASE_MS } from "../../../src/core/model/resume.js";
import { memoryStore } from "../../../src/hub/index.js";
import type { JsonObject } from "../../../src/index.js";
import {
  awaitedAsk,
  call,
  closeServers,
  type OpenServer,
  openServer,
  refusal,
  until,
} from "../open-server.ts";
import { approve, bash, decision, event, hooks, opened } from "./hooks.ts";

afterEach(closeServers);

/** A request whose socket the test can close. */
function raw({ port }: OpenServer, token: string, body: JsonObject, query = "") {
  const sent = request({
    ...{ port, host: "127.0.0.1", path: `/v1/hooks/claude${query}`, method: "POST", agent: false },
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
  });
  sent.on("error", () => undefined);
  sent.end(JSON.stringify(body));
  return sent;
}

describe("the request of a hook", () => {
  it("withdraws its ask when the client closes it, and leaves it pending when the server stops", async () => {
    const store = memoryStore();
    const { open, agent, outcome } = await opened({ store });
    const sent = raw(open, agent, event("PermissionRequest", bash("one")));
    const left = await awaitedAsk(open);
    sent.destroy();
    await until(async () => (await outcome(left))?.kind);
    expect(await outcome(left)).toEqual({ kind: "withdrawn", reason: "closed in Claude Code" });

    const waiting = call(open, agent, "POST /v1/hooks/claude", event("PermissionRequest", bash("two")));
    const kept = await awaitedAsk(open);
    await open.server.close();
    const { status, headers } = await waiting;
    expect([status, headers.get("askline-retry"), await outcome(kept)]).toEqual([204, "1", undefined]);
  });

  it("takes up an ask of a server that stopped: the same request gets what was decided meanwhile, once", async () => {
    const { open, agent, person } = await opened();
    const waiting = call(open, agent, "POST /v1/hooks/claude", event("PermissionRequest", bash("two")));
    const kept = await awaitedAsk(open);
    await open.server.close();
    await waiting;
    const next = await openServer({ hub: open.hub, store: open.store });
    const { send, end, hold } = hooks(next, agent, person);
    expect(open.hub.isAwaited(kept.id)).toBe(false);
    await end(kept, "decide", approve);
    expect(decision(await send(event("PermissionRequest", bash("two"))))).toEqual({ behavior: "allow" });
    const again = await hold(event("PermissionRequest", bash("two")));
    expect(again.ask.id).not.toBe(kept.id);
    await end(again.ask, "decline");
    await again.reply;
  });

  it("does not hand out a decision that came too late: the call had already run", async () => {
    const { open, agent, person } = await opened();
    const waiting = call(open, agent, "POST /v1/hooks/claude", event("PermissionRequest", bash("two")));
    const kept = await awaitedAsk(open);
    await open.server.close();
    await waiting;
    const next = await openServer({ hub: open.hub, store: open.store });
    const { send, end, hold } = hooks(next, agent, person);
    await end(kept, "decide", approve);
    await send(event("PostToolUse", bash("two")));
    const again = await hold(event("PermissionRequest", bash("two")));
    expect(again.ask.id).not.toBe(kept.id);
    await end(again.ask, "decline");
    await again.reply;
  });

  it("above the limit is answered with nothing, and its output is kept nowhere", async () => {
    const { open, send } = await opened({ limits: { body: 4_096 } });
    const tool_response = { stdout: "topsecret".repeat(1_000) };
    expect(await send(event("PostToolUse", bash("ls", { tool_response })))).toMatchObject({ status: 204 });
    expect(open.logged.join("\n")).not.toContain("topsecret");
  });

  it("stores nothing of the output of a tool", async () => {
    const { open, hold, send } = await opened();
    const { ask } = await hold(event("PermissionRequest", bash("ls")));
    await send(event("PostToolUse", bash("ls", { tool_response: { stdout: "topsecret" } })));
    const stored = [await open.hub.get(ask.id), await open.hub.audit(ask.id)];
    expect(JSON.stringify(stored) + open.logged.join("\n")).not.toContain("topsecret");
  });

  it("needs a token of an agent, and gets no decision once that token is revoked", async () => {
    const { open, agent, person, hold, end } = await opened();
    const body = event("PermissionRequest", bash("ls"));
    expect(refusal(await call(open, person, "POST /v1/hooks/claude", body))).toBe("403 forbidden");
    expect(refusal(await call(open, agent, "POST /v1/hooks/claude", "{"))).toBe("400 invalid_json");
    const { reply, ask } = await hold(body);
    const [token] = (await open.auth.listTokens()).filter(({ name }) => name === "claude-ana");
    await open.auth.revokeToken(token?.id ?? "");
    await end(ask, "decide", approve);
    expect(refusal(await reply)).toBe("401 unauthorized");
  });
});

describe("headless runs", () => {
  const pre = (more: object = {}) =>
    event("PreToolUse", { ...bash("deploy"), tool_use_id: "toolu_1", ...more });

  it("wait for a decision with PreToolUse", async () => {
    const { hold, end } = await opened();
    const { reply, ask } = await hold(pre());
    await end(ask, "decide", approve);
    expect(decision(await reply)).toMatchObject({ hookEventName: "PreToolUse", permissionDecision: "allow" });
  });

  it.each([
    ["a command", bash(`rm -rf . # ${"x".repeat(70_000)}`)],
    ["a plan", { tool_name: "ExitPlanMode", tool_input: { plan: "x".repeat(70_000) } }],
  ])("passed their gate with %s that was too long to be shown", async (_what, call) => {
    const { send, open } = await opened();
    expect(decision(await send(event("PreToolUse", call)))).toMatchObject({
      permissionDecision: "deny",
      permissionDecisionReason: expect.stringContaining("too large to be shown whole"),
    });
    const own = { tool_name: "mcp__askline__ask_user_question", tool_input: {} };
    for (const left of [own, { tool_name: "AskUserQuestion", tool_input: {} }]) {
      expect(await send(event("PreToolUse", left))).toMatchObject({ status: 204 });
    }
    expect((await open.hub.list({})).asks).toEqual([]);
  });

  it("are parked, survive the end of their session, and go on once, wherever they are resumed first", async () => {
    const { send, open, end, outcome } = await opened();
    expect(decision(await send(pre(), "?defer=0"))).toMatchObject({ permissionDecision: "defer" });
    const [parked] = (await open.hub.list({ status: "pending" })).asks;
    if (parked === undefined) throw new Error("nothing is pending");
    await send(event("Stop"));
    await send(event("SessionEnd"));
    expect(await outcome(parked)).toBeUndefined();
    await end(parked, "decide", approve);
    const resumed = { prompt_id: "another" };
    const both = await Promise.all([send(pre(resumed), "?defer=0"), send(pre(resumed), "?defer=0")]);
    const decided = both.map((reply) => decision(reply).permissionDecision);
    expect(decided.sort()).toEqual(["allow", "defer"]);
  });

  /** A parked run whose ask was approved. */
  async function approved() {
    const opening = await opened();
    const { send, end, open, agent } = opening;
    let count = 0;
    const park = async () => {
      count += 1;
      const tool = { tool_use_id: `toolu_${count}` };
      await send(pre(tool), "?defer=0");
      const [ask] = (await open.hub.list({ status: "pending" })).asks;
      if (ask === undefined) throw new Error("nothing is pending");
      await end(ask, "decide", approve);
      /** As a process of its own does, which ends its connection. */
      const resume = async (prompt: string) => {
        const sent = raw(open, agent, pre({ ...tool, prompt_id: prompt }), "?defer=0");
        const [response] = (await once(sent, "response")) as [IncomingMessage];
        const closed = once(sent, "close");
        const body = JSON.parse(await text(response)) as object;
        await closed;
        return decision({ body }).permissionDecision;
      };
      return { ask, tool, resume };
    };
    return { ...opening, park };
  }

  it("go on although the reply was lost, 20 of 20", async () => {
    const { open, agent, park } = await approved();
    const decided: unknown[] = [];
    for (let lost = 0; lost < 20; lost += 1) {
      const { ask, tool, resume } = await park();
      const sent = raw(open, agent, pre({ ...tool, prompt_id: "one" }), "?defer=0");
      sent.on("response", () => undefined);
      await until(async () => (await open.store.records.get("resume", `${ask.id}/run`))?.version);
      const closed = new Promise((resolve) => sent.once("close", resolve));
      sent.destroy();
      await closed;
      decided.push(await resume("one"));
    }
    expect(decided).toEqual(Array(20).fill("allow"));
  });

  it("get the decision again until the next event of the call, and nobody else does", async () => {
    const { open, send, park } = await approved();
    const { tool, resume } = await park();
    expect(await resume("one")).toBe("allow");
    expect(await resume("one")).toBe("allow");
    expect(await resume("two")).toBe("defer");
    await send(event("PostToolUse", { ...bash("deploy"), tool_use_id: "toolu_other" }));
    expect(await resume("one")).toBe("allow");
    await send(event("PostToolUse", { ...bash("deploy"), ...tool }));
    expect([await resume("one"), await resume("two")]).toEqual(["defer", "defer"]);
    await open.clock.advance(LEASE_MS.max);
    expect(await resume("one")).toBe("defer");
  });

  it("go on in another process an hour after one that never showed that it has the decision", async () => {
    const { open, park } = await approved();
    const { resume } = await park();
    expect([await resume("one"), await resume("two")]).toEqual(["allow", "defer"]);
    await open.clock.advance(LEASE_MS.max);
    expect([await resume("two"), await resume("one")]).toEqual(["allow", "defer"]);
  });
});
