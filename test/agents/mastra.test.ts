// What is special to Mastra; every case of all adapters is in conformance.test.ts.
import { Agent } from "@mastra/core/agent";
import { Mastra } from "@mastra/core/mastra";
import { InMemoryStore } from "@mastra/core/storage";
import { createTool } from "@mastra/core/tools";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import {
  askTool,
  type MastraOptions,
  resumeSettled,
  withApproval,
} from "../../src/agents/frameworks/mastra.ts";
import { createHub, type Hub, memoryStore } from "../../src/hub/index.ts";
import { double } from "./drivers/mastra.ts";
import { ANA } from "./suite/samples.ts";

describe("Mastra", () => {
  let hub: Hub;
  const ran: unknown[] = [];

  beforeEach(async () => {
    hub = await createHub({ store: memoryStore() });
    ran.length = 0;
  });
  afterEach(() => hub.close());

  /** An agent whose model calls `deploy`. */
  function deploying(options: MastraOptions) {
    const deploy = {
      id: "deploy",
      description: "Deploys the service",
      inputSchema: z.object({ target: z.string() }),
      execute: async (input: { target: string }) => {
        ran.push(input);
        return `deployed to ${input.target}`;
      },
    };
    const { model, read } = double([{ id: "call_1", name: "deploy", input: { target: "production" } }]);
    const tools = { deploy: createTool(withApproval(deploy, hub, options)) };
    const made = new Agent({
      id: "agent",
      name: "Agent",
      instructions: "Work.",
      model: model as never,
      tools,
    });
    const storage = new InMemoryStore({ id: "runs" });
    const agent = new Mastra({ agents: { agent: made }, storage, logger: false }).getAgent("agent");
    return { agent, read };
  }
  const pending = async () => (await hub.list({ status: "pending" })).asks;

  it("suspends again if it is resumed before anybody has answered, whatever it is resumed with", async () => {
    const { agent } = deploying({ parked: true });
    const first = await agent.generate("Go on.");
    const again = await agent.resumeGenerate(
      { approved: true },
      { runId: first.runId ?? "", toolCallId: "call_1" },
    );
    expect(again.finishReason).toBe("suspended");
    expect(await pending()).toHaveLength(1);
    expect(ran).toEqual([]);
  });

  it("is resumed once if two processes wait for the same ask", async () => {
    const { agent, read } = deploying({ parked: true });
    const suspended = await agent.generate("Go on.");
    const both = [resumeSettled(agent, suspended, hub), resumeSettled(agent, suspended, hub)];
    const [ask] = await pending();
    await hub.decide(ask?.id ?? "", { decisions: [{ action: "a1", kind: "approve" }] }, { by: ANA });
    const settled = await Promise.allSettled(both);
    expect(settled.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(ran).toEqual([{ target: "production" }]);
    expect(read()).toEqual({ call_1: "deployed to production" });
  });

  it("does not run with edited arguments that do not fit the tool", async () => {
    const { agent, read } = deploying({ parked: true });
    const suspended = await agent.generate("Go on.");
    const [ask] = await pending();
    const decisions = [{ action: "a1", kind: "edit" as const, args: { target: 7 } }];
    await hub.decide(ask?.id ?? "", { decisions }, { by: ANA });
    await resumeSettled(agent, suspended, hub);
    expect(ran).toEqual([]);
    expect(read().call_1).toContain("do not fit the tool");
  });

  it("returns a result at once that is not suspended for an ask", async () => {
    const { agent } = deploying({ parked: true });
    const result = { runId: "run-1", suspendPayload: undefined };
    expect(await resumeSettled(agent, result, hub)).toBe(result);
  });

  it("refuses to park where an ask cannot be posted", () => {
    expect(() => askTool({ ask: (request) => hub.ask(request) }, { parked: true })).toThrow("post");
  });
});
