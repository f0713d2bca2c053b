import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { bridgeOpencode } from "../../../src/agents/opencode/index.ts";
import { type Client, connect } from "../../../src/client/index.ts";
import type { Clock } from "../../../src/index.ts";
import { fakeClock } from "../../../src/testing/index.ts";
import { openServer } from "../../client/real-server.ts";
import { watchAsks } from "../suite/next-ask.ts";
import { ANA, AWKWARD } from "../suite/samples.ts";
import { openReplay, recorded } from "./replay-server.ts";

/** A label of the recorded question. */
const ROOF = 'Roof, "top"';

describe("the bridge to opencode, with recorded requests", () => {
  const stops: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });

  async function open({ ask = {}, clock }: { readonly ask?: object; readonly clock?: Clock } = {}) {
    const server = await openServer();
    onTestFinished(() => server.close());
    const opencode = await openReplay();
    const warnings: string[] = [];
    const logger = { warn: (text: unknown) => void warnings.push(String(text)), error: () => undefined };
    /** Starts a bridge; returns how to end it as a kill would: nothing is said to anybody. */
    const bridge = async (
      client: Client = server.agent(),
      ended?: AbortSignal,
      url = opencode.url,
    ): Promise<() => Promise<void>> => {
      const controller = new AbortController();
      const { signal } = controller;
      let running: Promise<void> | undefined;
      await new Promise<void>((onConnected) => {
        running = bridgeOpencode(client, {
          ...{ url, signal, logger, ask, ...(clock && { clock }), ...(ended && { ended }) },
          onConnected: () => onConnected(),
        });
      });
      const stop = async (): Promise<void> => {
        controller.abort();
        await running;
      };
      stops.push(stop);
      return stop;
    };
    return { ...server, opencode, bridge, nextAsk: watchAsks(server.hub), warnings };
  }

  it("answers questions: one pick, several with a comma and a quote in a label, typed text", async () => {
    const { hub, opencode, bridge, nextAsk } = await open();
    await bridge();
    const id = opencode.ask();
    const ask = await nextAsk();
    expect(ask).toMatchObject({
      agentId: "opencode",
      session: "ses_1",
      agentPath: ["shop"],
      metadata: { project: "/home/ana/shop", opencode: { request: id } },
    });
    expect(ask.questions[1]).toMatchObject({ multiSelect: true, header: "Parts", freeText: true });
    const answers = [
      { question: "q1", selected: ["o2"] },
      { question: "q2", selected: [ROOF, "o2"], text: "a window" },
    ];
    await hub.answer(ask.id, { answers }, { by: ANA });
    expect(await opencode.received(`/question/${id}/reply`)).toEqual({
      answers: [["Green"], [ROOF, "Door", "a window"]],
    });
  });

  it("keeps a label with a comma, a quote and a newline whole, in both directions", async () => {
    const { hub, opencode, bridge, nextAsk, url, token } = await open();
    const options = [AWKWARD, "Green"].map((label) => ({ label, description: "" }));
    const questions = [{ question: "Which?", header: "Choice", options, multiple: true }];
    const kill = await bridge();
    const id = opencode.ask({ questions });
    const ask = await nextAsk();
    expect(ask.questions[0]?.options[0]?.label).toBe(AWKWARD);
    const answers = [{ question: "q1", selected: ["o2", "o1"] }];
    await hub.answer(ask.id, { answers }, { by: ANA });
    expect(await opencode.received(`/question/${id}/reply`)).toEqual({ answers: [[AWKWARD, "Green"]] });
    await kill();

    const reporting = connect({ url, token: await token("agent", "opencode", ["ana"]) });
    onTestFinished(() => reporting.close());
    await bridge(reporting);
    const second = opencode.ask({ questions });
    const reported = await nextAsk();
    opencode.answerHere("question", second, "reply", { answers: [[AWKWARD, "or, else\nthis"]] });
    expect(await hub.wait(reported.id)).toMatchObject({
      answers: [{ question: "q1", selected: ["o1"], text: "or, else\nthis" }],
    });
  });

  it("sends an empty answer for a question that was skipped, and keeps notes", async () => {
    const { hub, opencode, bridge, nextAsk } = await open();
    await bridge();
    const id = opencode.ask();
    const answers = [{ question: "q1", selected: ["o1"], note: "a dark one" }];
    await hub.answer((await nextAsk()).id, { answers }, { by: ANA });
    expect(await opencode.received(`/question/${id}/reply`)).toEqual({
      answers: [["Red", "a dark one"], []],
    });
  });

  it("rejects what is declined; what the person says instead is a prompt, once the turn has ended", async () => {
    const { hub, opencode, bridge, nextAsk } = await open();
    await bridge();
    const declined = opencode.ask();
    await hub.decline((await nextAsk()).id, undefined, { by: ANA });
    await opencode.received(`/question/${declined}/reject`);
    const replied = opencode.ask({}, "question", "ses_2");
    await hub.reply((await nextAsk()).id, "Let us use blue.", { by: ANA });
    await opencode.received(`/question/${replied}/reject`);
    expect(opencode.all.some(({ path }) => path.endsWith("/prompt_async"))).toBe(false);
    opencode.idle("ses_2");
    expect(await opencode.received("/session/ses_2/prompt_async")).toEqual({
      parts: [{ type: "text", text: "Let us use blue." }],
    });
  });

  it("approves a permission once, and rejects it with the reason", async () => {
    const { hub, opencode, bridge, nextAsk } = await open();
    await bridge();
    const first = opencode.ask({}, "permission");
    const ask = await nextAsk();
    expect(ask.approval?.actions).toMatchObject([
      { name: "bash", args: { command: "git status" }, allow: ["approve", "reject"] },
    ]);
    const edited = { decisions: [{ action: "a1", kind: "edit" as const, args: { command: "ls" } }] };
    await expect(hub.decide(ask.id, edited, { by: ANA })).rejects.toMatchObject({ code: "invalid_answer" });
    await hub.decide(ask.id, { decisions: [{ action: "a1", kind: "approve" }] }, { by: ANA });
    expect(await opencode.received(`/permission/${first}/reply`)).toEqual({ reply: "once" });

    const second = opencode.ask(recorded.editAsked.properties, "permission");
    const edit = await nextAsk();
    expect(edit.context).toContain("+x");
    expect(edit.approval?.actions[0]?.args).toEqual({ filepath: "/home/ana/shop/b.txt" });
    const rejected = [{ action: "a1", kind: "reject" as const, message: "not on a Friday" }];
    await hub.decide(edit.id, { decisions: rejected }, { by: ANA });
    expect(await opencode.received(`/permission/${second}/reply`)).toEqual({
      reply: "reject",
      message: "not on a Friday",
    });
  });

  it("lets opencode remember a permission, by its own rule", async () => {
    const { hub, opencode, bridge, nextAsk } = await open();
    await bridge();
    const id = opencode.ask({}, "permission");
    const ask = await nextAsk();
    const [remember = ""] = ask.approval?.actions[0]?.rules ?? [];
    expect(remember).toBe('opencode: "git status *", until it ends');
    await hub.decide(ask.id, { decisions: [{ action: "a1", kind: "approve", remember }] }, { by: ANA });
    expect(await opencode.received(`/permission/${id}/reply`)).toEqual({ reply: "always" });
  });

  it("leaves in opencode what is too long to be shown whole", async () => {
    const { hub, opencode, bridge, nextAsk, warnings } = await open();
    await bridge();
    opencode.ask({ metadata: { command: "x".repeat(70_000) } }, "permission");
    opencode.ask({ permission: "x".repeat(300) }, "permission");
    opencode.ask({ metadata: { filepath: "a", diff: "+".repeat(70_000) } }, "permission");
    await expect.poll(() => warnings).toHaveLength(3);
    expect(warnings[0]).toContain("cannot be shown here, answer it in opencode");
    opencode.ask({}, "permission");
    await nextAsk();
    expect((await hub.list({})).asks).toHaveLength(1);
  });

  it.each([
    ["only patterns", { permission: "mcp_tool", patterns: ["*"], metadata: {} }],
    ["no difference of an edit", { permission: "edit", metadata: { filepath: "a.ts" } }],
    ["a difference of another shape", { permission: "edit", metadata: { filepath: "a.ts", diff: [] } }],
    ["not the prompt of a subagent", { permission: "task", metadata: { description: "Look around" } }],
  ])("has nothing remembered of a permission that says %s", async (_what, fields) => {
    const { hub, opencode, bridge, nextAsk } = await open();
    await bridge();
    opencode.ask({ ...fields, always: [] }, "permission");
    const ask = await nextAsk();
    expect(ask.approval?.actions[0]?.once).toBe(true);
    const decisions = [{ action: "a1", kind: "approve" as const, remember: "always" }];
    await expect(hub.decide(ask.id, { decisions }, { by: ANA })).rejects.toMatchObject({
      code: "invalid_answer",
    });
  });

  it("approves by itself what a person had remembered, and asks for anything else", async () => {
    const { hub, opencode, bridge, nextAsk } = await open();
    await bridge();
    opencode.ask({}, "permission");
    const decisions = [{ action: "a1", kind: "approve" as const, remember: "always" }];
    await hub.decide((await nextAsk()).id, { decisions }, { by: ANA });
    const second = opencode.ask({}, "permission", "ses_2");
    expect(await opencode.received(`/permission/${second}/reply`)).toEqual({ reply: "once" });
    const metadata = { command: "git push" };
    opencode.ask({ patterns: ["git push"], metadata }, "permission", "ses_2");
    const other = await nextAsk();
    expect(other.approval?.actions[0]?.args).toEqual(metadata);
  });

  it("finds prompts from before it started, and asks that were answered after the last process died", async () => {
    const { hub, opencode, bridge, nextAsk } = await open();
    const id = opencode.ask();
    const kill = await bridge();
    const ask = await nextAsk();
    await kill();
    expect((await hub.get(ask.id)).status).toBe("pending");
    await hub.answer(ask.id, { answers: [{ question: "q1", selected: ["o1"] }] }, { by: ANA });
    await bridge();
    expect(await opencode.received(`/question/${id}/reply`)).toEqual({ answers: [["Red"], []] });
    expect((await hub.list({})).asks.map((each) => each.id)).toEqual([ask.id]);
  });

  it("closes what was answered in opencode while no bridge ran, and what an aborted turn left listed", async () => {
    const { hub, opencode, bridge, nextAsk } = await open();
    const gone = opencode.ask({}, "question", "ses_1");
    opencode.ask({}, "question", "ses_2");
    const kill = await bridge();
    const asks = [await nextAsk(), await nextAsk()];
    await kill();
    opencode.forget("question", gone);
    opencode.idle("ses_2");
    await bridge();
    for (const { id } of asks) {
      expect(await hub.wait(id)).toEqual({ kind: "withdrawn", reason: "answered elsewhere" });
    }
    expect(opencode.all).toEqual([]);
  });

  it("connects again after an outage, and misses nothing", async () => {
    const { hub, opencode, bridge, nextAsk, warnings } = await open();
    await bridge();
    opencode.drop();
    const id = opencode.ask();
    await hub.answer((await nextAsk()).id, { answers: [{ question: "q1", selected: ["o1"] }] }, { by: ANA });
    await opencode.received(`/question/${id}/reply`);
    expect(warnings.length).toBeLessThan(2);
  });

  it("connects to an opencode that never answers what came while it started", async () => {
    const clock = fakeClock();
    const { opencode, bridge, nextAsk, warnings } = await open({ clock });
    opencode.ignoreNext(1);
    const connecting = bridge();
    await opencode.received("/event");
    let connected = false;
    const done = connecting.then(() => {
      connected = true;
    });
    while (!connected) {
      await clock.advance(10_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await done;
    expect(warnings).toEqual([expect.stringContaining("no response to /event within 10 s")]);
    const id = opencode.ask();
    expect((await nextAsk()).metadata).toMatchObject({ opencode: { request: id } });
  });

  it("withdraws what nobody waits for when a turn is aborted", async () => {
    const { hub, opencode, bridge, nextAsk } = await open();
    await bridge();
    opencode.ask();
    const { id } = await nextAsk();
    opencode.idle();
    expect(await hub.wait(id)).toEqual({ kind: "withdrawn", reason: "the agent stopped waiting" });
  });

  it("withdraws what nobody waits for when opencode has ended, and keeps what was answered", async () => {
    const { hub, opencode, bridge, nextAsk } = await open();
    const ended = new AbortController();
    await bridge(undefined, ended.signal);
    opencode.ask({}, "question", "ses_1");
    const lost = await nextAsk();
    const id = opencode.ask({}, "question", "ses_2");
    const kept = await nextAsk();
    await hub.answer(kept.id, { answers: [{ question: "q1", selected: ["o1"] }] }, { by: ANA });
    await opencode.received(`/question/${id}/reply`);
    ended.abort();
    expect(await hub.wait(lost.id)).toEqual({ kind: "withdrawn", reason: "opencode has ended" });
    expect((await hub.get(kept.id)).status).toBe("answered");
  });

  it("left asks pending when opencode and its bridge were killed, and opencode listens elsewhere now", async () => {
    const { hub, opencode, bridge, nextAsk } = await open();
    const other = await openReplay();
    const stops = [await bridge(), await bridge(undefined, undefined, other.url)];
    opencode.ask({}, "question", "ses_1");
    const lost = await nextAsk();
    opencode.ask({}, "permission", "ses_of_another_machine");
    const unknown = await nextAsk();
    other.ask({}, "question", "ses_3");
    const running = await nextAsk();
    for (const kill of stops) await kill();
    await opencode.kill();

    const again = await openReplay();
    for (const session of ["ses_1", "ses_3"]) again.store(session);
    await bridge(undefined, undefined, again.url);
    expect(await hub.wait(lost.id)).toEqual({ kind: "withdrawn", reason: "opencode has ended" });
    for (const { id } of [unknown, running]) expect((await hub.get(id)).status).toBe("pending");
  });

  it("reports what was answered in opencode, if its token may; otherwise the ask is withdrawn", async () => {
    const { hub, opencode, bridge, nextAsk, url, token } = await open();
    const kill = await bridge();
    const first = opencode.ask();
    const ask = await nextAsk();
    opencode.answerHere("question", first, "reply", { answers: [["Green"], ["Door", "a window"]] });
    expect(await hub.wait(ask.id)).toEqual({ kind: "withdrawn", reason: "answered elsewhere" });
    await kill();

    const reporting = connect({ url, token: await token("agent", "opencode", ["ana"]) });
    onTestFinished(() => reporting.close());
    await bridge(reporting);
    const by = { kind: "person", id: "ana", surface: "opencode", via: "opencode" };
    const second = opencode.ask();
    const answered = await nextAsk();
    opencode.answerHere("question", second, "reply", { answers: [["Green"], ["Door", "a window"]] });
    expect(await hub.wait(answered.id)).toMatchObject({
      kind: "answered",
      answers: [
        { question: "q1", selected: ["o2"] },
        { question: "q2", selected: ["o2"], text: "a window" },
      ],
      by,
    });
    const third = opencode.ask();
    const declined = await nextAsk();
    opencode.answerHere("question", third, "reject");
    expect(await hub.wait(declined.id)).toMatchObject({ kind: "declined", by });
    const fourth = opencode.ask({}, "permission");
    const decided = await nextAsk();
    opencode.answerHere("permission", fourth, "reply", { reply: "always" });
    expect(await hub.wait(decided.id)).toMatchObject({
      kind: "decided",
      decisions: [{ kind: "approve" }],
      by,
    });
    // Nothing was sent back.
    expect(opencode.all).toEqual([]);
  });

  it("says so when an answer comes too late for opencode", async () => {
    const { hub, opencode, bridge, nextAsk, warnings } = await open();
    await bridge();
    const id = opencode.ask();
    const ask = await nextAsk();
    // Both answer at the same moment; opencode's event has not come through yet.
    opencode.forget("question", id);
    await hub.answer(ask.id, { answers: [{ question: "q1", selected: ["o1"] }] }, { by: ANA });
    await opencode.received(`/question/${id}/reply`);
    await expect.poll(() => warnings.join()).toContain("opencode no longer waits for it");
  });

  it("does not mix questions at the same time", async () => {
    const { hub, opencode, bridge, nextAsk } = await open();
    await bridge();
    const ids = [opencode.ask({}, "question", "ses_1"), opencode.ask({}, "question", "ses_2")];
    const asks = [await nextAsk(), await nextAsk()];
    for (const [index, id] of ids.entries()) {
      const ask = asks.find(({ metadata }) => JSON.stringify(metadata?.opencode).includes(`"${id}"`));
      const answers = [{ question: "q1", selected: [`o${index + 1}`] }];
      await hub.answer(ask?.id ?? "", { answers }, { by: ANA });
    }
    expect(await opencode.received(`/question/${ids[0]}/reply`)).toEqual({ answers: [["Red"], []] });
    expect(await opencode.received(`/question/${ids[1]}/reply`)).toEqual({ answers: [["Green"], []] });
  });

  it("leaves to opencode what expires and what cannot be shown", async () => {
    const { hub, opencode, bridge, nextAsk, warnings } = await open({ ask: { timeoutMs: 40 } });
    await bridge();
    const options = Array.from({ length: 51 }, (_, index) => ({ label: `L${index}`, description: "" }));
    opencode.ask({ questions: [{ question: "Which?", header: "", options }] });
    await expect.poll(() => warnings.join()).toContain("answer it in opencode");
    opencode.ask({}, "question", "ses_2");
    expect(await hub.wait((await nextAsk()).id)).toEqual({ kind: "expired" });
    expect(opencode.all).toEqual([]);
    expect((await hub.list({})).asks).toHaveLength(1);
  });
});
