import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { connect } from "../../src/client/index.ts";
import type { Ask } from "../../src/index.ts";
import { ANA } from "../agents/suite/samples.ts";
import { openServer, type RealServer } from "../client/real-server.ts";
import { ASKLINE, endProcesses, ROOT, type Running, start } from "./processes.ts";

const AGENT = [process.execPath, join(ROOT, "test/agents/acp-agent.mjs")];

afterEach(() => endProcesses());

describe("askline acp", () => {
  async function open(
    args: readonly string[],
    options: { readonly input?: string; readonly agent?: readonly string[] } = {},
  ) {
    const server = await openServer();
    onTestFinished(() => server.close());
    return { server, running: begin(server, args, options) };
  }
  function begin(
    server: RealServer,
    args: readonly string[],
    { input, agent = AGENT }: { readonly input?: string; readonly agent?: readonly string[] } = {},
  ): Running {
    const flags = ["--url", server.url, "--token", server.agentToken];
    return start(ASKLINE, ["acp", ...flags, ...args, "--", ...agent], input === undefined ? {} : { input });
  }
  /** The next pending ask, once the command waits for it. */
  async function pending({ hub }: RealServer): Promise<Ask> {
    for await (const ask of hub.watch({ status: "pending" })) return ask;
    throw new Error("the watch has ended");
  }

  it("sends a permission request to the inbox, prints what the agent says, and ends with the prompts", async () => {
    const { server, running } = await open(["--prompt", "deploy", "--prompt", "thanks"]);
    const ask = await pending(server);
    expect(ask).toMatchObject({
      agentId: "scripted",
      metadata: { project: ROOT.replace(/\/$/, ""), acp: { session: expect.stringMatching(/^session-/) } },
    });
    expect(ask.questions[0]?.options.map(({ label }) => label)).toEqual(["Yes", "Always", "No"]);
    await running.shows(`askline answer ${ask.id.slice(-8)}`);
    await server.hub.answer(ask.id, { answers: [{ question: "q1", selected: ["o2"] }] }, { by: ANA });
    const { code, stdout, stderr } = await running.ended;
    // What an agent writes cannot control the terminal.
    expect(stdout).toBe("Chosen: always\uFFFD[2J\nYou said: thanks\n");
    expect(stderr).toContain("· Deploy to production\n");
    expect(code).toBe(0);
  });

  it("sends what a person said instead as the next prompt", async () => {
    const { server, running } = await open([], { input: "deploy\n" });
    await server.hub.reply((await pending(server)).id, "Write a test first.", { by: ANA });
    const { code, stdout } = await running.ended;
    expect(stdout).toBe("Chosen: no\uFFFD[2J\nYou said: Write a test first.\n");
    expect(code).toBe(0);
  });

  it("withdraws what it asked when it is interrupted, and ends its agent", async () => {
    const { server, running } = await open(["--prompt", "deploy"]);
    const { id } = await pending(server);
    await running.shows("the agent waits for an answer");
    running.child.kill("SIGINT");
    expect(await server.hub.wait(id)).toMatchObject({ kind: "withdrawn" });
    expect((await running.ended).code).toBe(130);
  });

  it("ends with its agent, and says how that ended", async () => {
    const { running } = await open(["--prompt", "die"]);
    const { code, stderr } = await running.ended;
    expect(stderr).toContain("ended with exit code 3");
    expect(code).toBe(1);
  });

  it("killed while it waits, goes on with the same ask", async () => {
    const resumed = ["--resume", "s1", "--prompt", "deploy"];
    const { server, running } = await open(resumed);
    const { id } = await pending(server);
    await running.shows("the agent waits for an answer");
    running.child.kill("SIGKILL");
    await running.ended;
    const person = connect({ url: server.url, token: await server.token("person", "ana") });
    onTestFinished(() => person.close());
    await person.answer(id, { answers: [{ question: "q1", selected: ["o1"] }] });
    const { stdout } = await begin(server, resumed).ended;
    expect(stdout).toContain("Chosen: yes");
    expect((await server.hub.list({})).asks.map((ask) => ask.id)).toEqual([id]);
  });

  it.each([
    ["an agent that is not there", ["--prompt", "x"], ["/no/such/agent"], "was not found", 1],
    ["no prompt", [], AGENT, "there is no prompt", 2],
  ] as const)("says what is wrong: %s", async (_name, args, agent, message, expected) => {
    const { running } = await open(args, { input: "", agent });
    const { code, stderr } = await running.ended;
    expect(stderr).toContain(message);
    expect(code).toBe(expected);
  });
});
