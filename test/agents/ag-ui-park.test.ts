// An agent that parks its asks, and a front end with AG-UI's own client over HTTP.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { HttpAgent, type Interrupt, type ResumeEntry, type RunAgentInput } from "@ag-ui/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ParkOptions, park } from "../../src/agents/frameworks/ag-ui/index.ts";
import type { ParkPort } from "../../src/agents/frameworks/ag-ui/park.ts";
import { connect } from "../../src/client/index.ts";
import { createHub, type Hub, memoryStore } from "../../src/hub/index.ts";
import { openServer } from "../client/real-server.ts";
import { agentRun, type Call } from "./drivers/ag-ui.ts";
import { ANA, AWKWARD, MULTI, question, SINGLE } from "./suite/samples.ts";

const REPORTED = { kind: "person", id: "ana", surface: "ag-ui", via: "ag-ui" };

describe("AG-UI: an agent that parks its asks, with a front end", () => {
  let hub: Hub;
  const closing: (() => unknown)[] = [];
  const ran: unknown[] = [];
  const deploy = (args: { target: string }): string => {
    ran.push(args);
    return `deployed to ${args.target}`;
  };

  beforeEach(async () => {
    hub = await createHub({ store: memoryStore() });
    ran.length = 0;
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
    await hub.close();
  });

  interface Front {
    readonly agent: HttpAgent;
    /** What the person at the front end sees. */
    readonly interrupts: readonly Interrupt[];
    /** Resumes with a payload for each interrupt, and returns what the model reads about the first call. */
    resume(...payloads: readonly unknown[]): Promise<string | undefined>;
    send(entries: ResumeEntry[]): Promise<string | undefined>;
  }

  /** Serves the agent, runs it once, and returns its front end. */
  async function open(
    calls: readonly Call[],
    options: ParkOptions = { person: "ana" },
    port: ParkPort = hub,
  ): Promise<Front> {
    const server = createServer(async (request, response) => {
      const input: RunAgentInput = JSON.parse(await text(request));
      response.setHeader("content-type", "text/event-stream");
      try {
        const tools = { deploy };
        for await (const each of agentRun(input, calls, (run) => park(run, port, { tools, ...options }))) {
          response.write(`data: ${JSON.stringify(each)}\n\n`);
        }
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        response.write(`data: ${JSON.stringify({ type: "RUN_ERROR", message })}\n\n`);
      }
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closing.push(() => new Promise((resolve) => server.close(resolve)));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const agent = new HttpAgent({ url, threadId: "thread-1" });
    agent.setMessages([{ id: "u1", role: "user", content: "Go on." }]);
    const send: Front["send"] = async (resume) => {
      let failure: string | undefined;
      await agent.runAgent(
        { resume },
        {
          onRunErrorEvent: ({ event }) => {
            failure = event.message;
          },
        },
      );
      if (failure !== undefined) throw new Error(failure);
      const result = agent.messages.find((each) => each.role === "tool" && each.toolCallId === calls[0]?.id);
      return result?.content as string | undefined;
    };
    await agent.runAgent();
    return {
      agent,
      send,
      get interrupts() {
        return agent.pendingInterrupts;
      },
      resume: (...payloads) =>
        send(
          agent.pendingInterrupts.map(({ id }, index) => ({
            interruptId: id,
            status: "resolved",
            payload: payloads[index],
          })),
        ),
    };
  }

  function asking(...questions: readonly object[]): Call {
    return { id: "call_1", name: "ask_user_question", input: { questions } };
  }
  const deploying: Call = { id: "call_deploy", name: "deploy", input: { target: "production" } };
  const stored = async (front: Front) => hub.get(front.interrupts[0]?.id ?? "");

  it("shows a form for its questions, bound to the tool call and the thread", async () => {
    const front = await open([asking(SINGLE)], { person: "ana", ask: { timeoutMs: 60_000 } });
    const ask = await stored(front);
    expect(ask).toMatchObject({ session: "thread-1", key: "call_1", status: "pending" });
    expect(front.interrupts).toMatchObject([
      {
        id: ask.id,
        reason: "input_required",
        toolCallId: "call_1",
        message: "Which colour?",
        expiresAt: new Date(ask.deadline ?? 0).toISOString(),
        responseSchema: {
          properties: { q1: { oneOf: [{ const: "o1", title: "Red" }, { const: "o2" }] }, q1_other: {} },
        },
      },
    ]);
  });

  it.each<[string, readonly object[], object, readonly string[]]>([
    ["one pick", [SINGLE], { q1: "o2" }, ['   chose: "Green"']],
    ["several picks", [MULTI], { q1: ["o1", "o3"] }, ['   chose: "Roof"', '   chose: "Wall"']],
    ["other", [SINGLE], { q1_other: 'Blue, or "teal"' }, ['   typed: "Blue, or \\"teal\\""']],
    ["several questions", [SINGLE, MULTI], { q2: ["o2"], q1: "o1" }, ['   chose: "Red"', '   chose: "Door"']],
    [
      "a label with a comma, a quote and a newline",
      [question("Which?", [AWKWARD, "Green"])],
      { q1: "o1" },
      [`   chose: ${JSON.stringify(AWKWARD)}`],
    ],
  ])("takes an answer of the front end: %s", async (_name, questions, payload, lines) => {
    const front = await open([asking(...questions)]);
    const { id } = await stored(front);
    const read = await front.resume(payload);
    expect(read?.split("\n")).toEqual(
      expect.arrayContaining(['The person answered (reported by "ag-ui"):', ...lines]),
    );
    expect((await hub.get(id)).outcome).toMatchObject({ kind: "answered", by: REPORTED });
    expect(front.interrupts).toEqual([]);
  });

  it("takes a skipped question where the ask allows it", async () => {
    const front = await open([asking(SINGLE, MULTI)], { person: "ana", ask: { allowPartial: true } });
    expect((await front.resume({ q1: "o1" }))?.split("\n")).toContain("   skipped");
  });

  it.each([[{}], [undefined], [{ q1: "\u200b", q1_other: "\u3164" }]])(
    "takes %j for nothing said: an empty answer settles nothing",
    async (payload) => {
      const front = await open([asking(SINGLE, MULTI)], { person: "ana", ask: { allowPartial: true } });
      const { id } = await stored(front);
      expect(await front.resume(payload)).toBeUndefined();
      expect(front.interrupts).toMatchObject([
        { id, message: expect.stringContaining("nothing was answered") },
      ]);
      expect((await hub.get(id)).status).toBe("pending");
    },
  );

  it("ends as declined if the front end cancels", async () => {
    const front = await open([asking(SINGLE)]);
    const { id } = await stored(front);
    const read = await front.send([{ interruptId: id, status: "cancelled" }]);
    expect((await hub.get(id)).outcome).toMatchObject({ kind: "declined", by: REPORTED });
    expect(read).toContain("declined");
  });

  it.each<[string, unknown]>([
    ["an option that is not there", { q1: "o9" }],
    ["a field that is not there", { colour: "Red" }],
    ["a blank text", { q1_other: " " }],
    ["too much text", { q1_other: "x".repeat(40_000) }],
    ["a list", ["o1"]],
    ["nothing", undefined],
  ])(
    "refuses %s: nothing is settled, and the same interrupt says what to correct",
    async (_name, payload) => {
      const front = await open([asking(SINGLE)]);
      const { id } = await stored(front);
      expect(await front.resume(payload)).toBeUndefined();
      expect(front.interrupts).toMatchObject([
        { id, message: expect.stringContaining("Please correct this:") },
      ]);
      expect((await hub.get(id)).status).toBe("pending");
      expect(await front.resume({ q1: "o1" })).toContain('chose: "Red"');
    },
  );

  it("reads what was answered in an inbox, whatever the front end sends afterwards", async () => {
    const front = await open([asking(SINGLE)]);
    const { id } = await stored(front);
    await hub.answer(id, { answers: [{ question: "q1", selected: ["o2"] }] }, { by: ANA });
    expect(await front.resume({ q1: "o1" })).toContain('chose: "Green"');
    expect((await hub.get(id)).outcome).toMatchObject({ by: ANA });
  });

  it("takes no answer of a front end whose person is not named, and asks on", async () => {
    const front = await open([asking(SINGLE)], {});
    const { id } = await stored(front);
    expect(await front.resume({ q1: "o1" })).toBeUndefined();
    expect(front.interrupts).toMatchObject([{ id }]);
    expect((await hub.get(id)).status).toBe("pending");
  });

  it("settles once if two resumes race, and both runs read the winner", async () => {
    const front = await open([asking(SINGLE)]);
    const { id } = await stored(front);
    const input = {
      threadId: "thread-1",
      messages: [
        {
          id: "m1",
          role: "assistant",
          toolCalls: [
            {
              id: "call_1",
              type: "function",
              function: { name: "ask_user_question", arguments: JSON.stringify({ questions: [SINGLE] }) },
            },
          ],
        },
        { id: "u2", role: "user", content: "Well?" },
      ],
    };
    const [one, other] = await Promise.all(
      ["o1", "o2"].map((selected) =>
        park(
          { ...input, resume: [{ interruptId: id, status: "resolved", payload: { q1: selected } }] },
          hub,
          { person: "ana" },
        ),
      ),
    );
    expect(one?.results).toEqual(other?.results);
    expect(one?.results).toMatchObject([{ toolCallId: "call_1", content: expect.stringContaining("chose") }]);
    // Right after its call, where the APIs of models want it.
    expect(one?.messages.map((each) => (each as { role: string }).role)).toEqual([
      "assistant",
      "tool",
      "user",
    ]);
  });

  it("reads that it expired, and a late answer does not count", async () => {
    const front = await open([asking(SINGLE)], { person: "ana", ask: { timeoutMs: 40 } });
    const { id } = await stored(front);
    await hub.wait(id);
    // AG-UI's own client refuses to send an answer then; the thread goes on with a cancelled one.
    await expect(front.resume({ q1: "o1" })).rejects.toThrow("expired");
    const read = await front.send([{ interruptId: id, status: "cancelled" }]);
    expect(read).toContain("before the deadline");
    expect((await hub.get(id)).outcome).toEqual({ kind: "expired" });
  });

  describe("an approval", () => {
    it("runs with the arguments that the front end edited, and only once", async () => {
      const front = await open([deploying]);
      const ask = await stored(front);
      expect(front.interrupts).toMatchObject([
        {
          reason: "tool_call",
          toolCallId: "call_deploy",
          responseSchema: { properties: { approved: {}, editedArgs: {} } },
        },
      ]);
      const { messages } = front.agent;
      const read = await front.resume({ approved: true, editedArgs: { target: "staging" } });
      expect(read).toBe("deployed to staging");
      expect((await hub.get(ask.id)).outcome).toMatchObject({ decisions: [{ kind: "edit" }], by: REPORTED });
      // The same input again, such as after a lost response.
      const again = await park({ threadId: "thread-1", messages }, hub, { tools: { deploy } });
      expect(again.results).toMatchObject([{ error: expect.stringContaining("already run") }]);
      expect(ran).toEqual([{ target: "staging" }]);
    });

    it("runs as proposed, or not at all with the reason", async () => {
      expect(await (await open([deploying])).resume({ approved: true })).toBe("deployed to production");
      const second = await open([{ ...deploying, id: "call_2" }]);
      const read = await second.resume({ approved: false, reason: "not on a Friday" });
      expect(read).toContain("not on a Friday");
      expect(ran).toEqual([{ target: "production" }]);
    });

    it.each<[string, unknown]>([
      ["a bare yes", true],
      ["a text", { approved: "yes" }],
      ["a field that is not there", { approved: true, force: true }],
      ["other arguments of a rejection", { approved: false, editedArgs: {} }],
      ["arguments that are a list", { approved: true, editedArgs: ["staging"] }],
    ])("is not given by %s", async (_name, payload) => {
      const front = await open([deploying]);
      const { id } = await stored(front);
      expect(await front.resume(payload)).toBeUndefined();
      expect(front.interrupts).toMatchObject([
        { id, message: expect.stringContaining("Please correct this:") },
      ]);
      expect((await hub.get(id)).status).toBe("pending");
      expect(ran).toEqual([]);
    });

    it("whose arguments are not JSON is not asked, and the model reads why", async () => {
      const call = { id: "c", type: "function", function: { name: "deploy", arguments: "{target" } };
      const messages = [{ id: "m", role: "assistant", toolCalls: [call] }];
      const { results } = await park({ threadId: "t", messages }, hub, { tools: { deploy } });
      expect(results).toMatchObject([
        { toolCallId: "c", error: expect.stringContaining("nothing was asked") },
      ]);
      expect((await hub.list({})).asks).toEqual([]);
    });

    it("runs a tool that fails once, and the model reads the error", async () => {
      const fail = (): never => {
        throw new Error("no such host");
      };
      const front = await open([deploying], { person: "ana", tools: { deploy: fail } });
      expect(await front.resume({ approved: true })).toBe("no such host");
    });
  });

  it("keeps two calls apart, and names entries that belong to no call", async () => {
    const second = { ...asking(question("Which size?", ["Small", "Large"])), id: "call_2" };
    const front = await open([asking(SINGLE), second]);
    const [one, other] = front.interrupts;
    await front.send([
      { interruptId: other?.id ?? "", status: "resolved", payload: { q1: "o2" } },
      { interruptId: one?.id ?? "", status: "resolved", payload: { q1: "o1" } },
    ]);
    const read = front.agent.messages.flatMap((each) => (each.role === "tool" ? [each.content] : []));
    expect(read).toEqual([
      expect.stringContaining('chose: "Red"'),
      expect.stringContaining('chose: "Large"'),
    ]);
    const resume = [{ interruptId: "ask_x", status: "cancelled" as const }];
    const { unmatched } = await park({ threadId: "t", messages: [], resume }, hub);
    expect(unmatched).toEqual(resume);
  });

  it.each<[string, object[]]>([
    ["two entries for one interrupt", [1, 2].map(() => ({ interruptId: "a", status: "resolved" }))],
    ["an unknown status", [{ interruptId: "a", status: "done" }]],
    ["no id", [{ status: "resolved" }]],
  ])("refuses a resume with %s", async (_name, resume) => {
    const parking = park({ threadId: "t", messages: [], resume }, hub);
    await expect(parking).rejects.toMatchObject({ code: "invalid_request" });
  });

  it("works through a server; without the right to report, an answer reaches the run and an approval does not", async () => {
    const server = await openServer();
    const token = await server.token("agent", "helper", ["ana"]);
    const reporting = connect({ url: server.url, token });
    closing.push(() => reporting.close());
    const front = await open([asking(SINGLE)], { person: "ana" }, reporting);
    const [interrupt] = front.interrupts;
    expect(await front.resume({ q1: "o2" })).toContain('chose: "Green"');
    expect((await server.hub.get(interrupt?.id ?? "")).outcome).toMatchObject({
      kind: "answered",
      by: { id: "ana", via: "helper" },
    });
    const plain = server.agent();
    const other = await open([asking(SINGLE)], { person: "ana" }, plain);
    expect(await other.resume({ q1: "o2" })).toContain('chose: "Green"');
    const approval = await open([deploying], { person: "ana" }, plain);
    expect(await approval.resume({ approved: true })).toContain("withdr");
    expect(ran).toEqual([]);
    await server.close();
  });
});
