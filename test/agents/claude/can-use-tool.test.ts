import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { askline } from "../../../src/agents/claude/can-use-tool.ts";
import { createHub, type Hub, memoryStore } from "../../../src/hub/index.ts";
import { describeOutcome } from "../../../src/index.ts";
import { until } from "../../server/open-server.ts";
import { ANA, AWKWARD, BEN } from "../suite/samples.ts";

let hub: Hub;
beforeEach(async () => {
  hub = await createHub({ store: memoryStore() });
});
afterEach(() => hub.close());

const by = { by: ANA };
const options = [
  { label: "OAuth", description: "An account" },
  { label: "Keys, long", description: "A secret" },
];
const questions = [
  { question: "Which auth?", header: "Auth", options, multiSelect: false },
  { question: "Which parts?", header: "Parts", options, multiSelect: true },
];
const call = (toolUseID: string, signal = new AbortController().signal) => ({ toolUseID, signal });
const pending = () => until(async () => (await hub.list({ status: "pending" })).asks[0]);

describe("canUseTool of the Claude Agent SDK", () => {
  it("answers questions with echoed questions, once for a tool call that is delivered twice", async () => {
    const canUseTool = askline(hub, { ask: { session: "s1" } });
    const both = [1, 2].map(() => canUseTool("AskUserQuestion", { questions }, call("toolu_1")));
    const ask = await pending();
    expect([ask.key, ask.session, (await hub.list({})).asks.length]).toEqual(["toolu_1", "s1", 1]);
    await hub.answer(
      ask.id,
      {
        answers: [
          { question: "q1", text: "mine" },
          { question: "q2", selected: ["o1", "o2"] },
        ],
      },
      by,
    );
    const answers = { "Which auth?": "mine", "Which parts?": 'OAuth, "Keys, long"' };
    for (const result of await Promise.all(both)) {
      expect(result).toEqual({ behavior: "allow", updatedInput: { questions, answers } });
    }
    // Delivered again after a restart: the same ask, with its answer.
    expect(
      await askline(hub, { ask: { session: "s1" } })("AskUserQuestion", { questions }, call("toolu_1")),
    ).toEqual({
      behavior: "allow",
      updatedInput: { questions, answers },
    });
  });

  it.each([
    [["ask_user_question_unanswered_v1"], "allow"],
    [[], "deny"],
  ])("annotates skipped questions only for a session that takes it: %j", async (capabilities, behavior) => {
    const canUseTool = askline(hub, { capabilities, ask: { allowPartial: true } });
    const result = canUseTool("AskUserQuestion", { questions }, call("toolu_2"));
    await hub.answer((await pending()).id, { answers: [{ question: "q1", selected: ["o1"] }] }, by);
    expect((await result).behavior).toBe(behavior);
    if (behavior === "allow") {
      expect(await result).toMatchObject({
        updatedInput: { annotations: { "Which parts?": { unanswered: "skipped" } } },
      });
    }
  });

  it("asks for approval of the tools that are named, and passes others on", async () => {
    const canUseTool = askline(hub, {
      approve: ["Bash"],
      canUseTool: async (name: string) => ({ behavior: "own", name }),
    });
    expect(await canUseTool("Read", {}, call("toolu_3"))).toEqual({ behavior: "own", name: "Read" });
    const result = canUseTool("Bash", { command: "ls" }, call("toolu_4"));
    const ask = await pending();
    const decisions = [{ action: "a1", kind: "edit" as const, args: { command: "ls -l" } }];
    await hub.decide(ask.id, { decisions }, by);
    expect(await result).toEqual({ behavior: "allow", updatedInput: { command: "ls -l" } });
    const other = await askline(hub, { approve: ["Bash"] })("Write", {}, call("toolu_5"));
    expect(other).toMatchObject({ behavior: "deny", message: expect.stringContaining("Nobody was asked") });
  });

  it("denies what is rejected, and follows remembered rules", async () => {
    const canUseTool = askline(hub, { ask: { metadata: { project: "/home/ana/shop" } } });
    const first = canUseTool("Bash", { command: "rm" }, call("toolu_6"));
    const decisions = [{ action: "a1", kind: "reject" as const, message: "No", remember: "always" }];
    await hub.decide((await pending()).id, { decisions }, by);
    expect(await first).toMatchObject({ behavior: "deny", message: expect.stringContaining('"No"') });
    expect(await canUseTool("Bash", { command: "rm" }, call("toolu_7"))).toMatchObject({
      behavior: "deny",
      message: expect.stringContaining("remembered rule"),
    });
  });

  it("withdraws an ask that is aborted, and denies questions that are invalid", async () => {
    const canUseTool = askline(hub);
    const leaving = new AbortController();
    const result = canUseTool("AskUserQuestion", { questions }, call("toolu_8", leaving.signal));
    const ask = await pending();
    leaving.abort(new Error("gone"));
    await expect(result).rejects.toThrow("gone");
    expect((await hub.get(ask.id)).status).toBe("withdrawn");
    expect(await canUseTool("AskUserQuestion", {}, call("toolu_9"))).toMatchObject({ behavior: "deny" });
  });

  it("reads the winner of two racing answers, with a label that has a comma, a quote and a newline", async () => {
    const awkward = [{ ...questions[1], options: [{ label: AWKWARD, description: "warm" }, options[0]] }];
    const result = askline(hub)("AskUserQuestion", { questions: awkward }, call("toolu_10"));
    const { id } = await pending();
    const attempts = await Promise.allSettled([
      hub.answer(id, { answers: [{ question: "q1", selected: ["o1", "o2"] }] }, by),
      hub.answer(id, { answers: [{ question: "q1", selected: ["o2"] }] }, { by: BEN }),
    ]);
    expect(attempts.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const answer = attempts[0]?.status === "fulfilled" ? `${JSON.stringify(AWKWARD)}, OAuth` : "OAuth";
    expect(await result).toMatchObject({ updatedInput: { answers: { "Which parts?": answer } } });
  });

  it("does not mix calls at the same time: one declined, one replied to, one expired", async () => {
    const single = [questions[0]];
    const [declined, replied, expired] = (["toolu_11", "toolu_12", "toolu_13"] as const).map((id) =>
      askline(hub, id === "toolu_13" ? { ask: { timeoutMs: 60 } } : {})(
        "AskUserQuestion",
        { questions: single },
        call(id),
      ),
    );
    const ends = {
      toolu_11: (id: string) => hub.decline(id, "not my call", by),
      toolu_12: (id: string) => hub.reply(id, "What is it for?", by),
    };
    for (const [key, end] of Object.entries(ends)) {
      const ask = await until(async () => (await hub.list({})).asks.find((each) => each.key === key));
      await end(ask.id);
    }
    expect(await declined).toMatchObject({
      behavior: "deny",
      message: expect.stringContaining("not my call"),
    });
    expect(await replied).toMatchObject({ behavior: "allow", updatedInput: { response: "What is it for?" } });
    expect(await expired).toMatchObject({
      behavior: "deny",
      message: describeOutcome({ questions: [] }, { kind: "expired" }),
    });
  });
});
