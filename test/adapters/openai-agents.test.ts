import { tool } from "@openai/agents";
import { expect, it } from "vitest";
import * as z from "zod";
import { settleInterruptions } from "../../src/adapters/openai-agents.ts";
import { createHub, memoryStore } from "../../src/hub/index.ts";
import { ANA } from "./suite/samples.ts";

// A tool that needs an approval of its own, without `withApproval`: the SDK can run it or not, but not with other arguments.
it.each([
  [{ kind: "approve" as const }, ["approved"]],
  [{ kind: "reject" as const, message: "not today" }, ["rejected: not today"]],
])("a tool that the adapter does not wrap can be %o", async (decision, expected) => {
  const hub = await createHub({ store: memoryStore() });
  const deploy = tool({
    name: "deploy",
    description: "Deploys",
    parameters: z.object({}),
    needsApproval: true,
    execute: async () => "deployed",
  });
  const done: string[] = [];
  const state = {
    getInterruptions: () => [
      { rawItem: { callId: "call_1", name: "deploy", arguments: "{}" }, agent: { tools: [deploy] } },
    ],
    approve: () => void done.push("approved"),
    reject: (_item: unknown, options?: { readonly message?: string }) =>
      void done.push(`rejected: ${options?.message}`),
  };
  const [ask] = await settleInterruptions(state, hub, { ask: { session: "s1" } });
  expect(ask?.approval?.actions[0]?.allow).toEqual(["approve", "reject"]);
  await hub.decide(ask?.id ?? "", { decisions: [{ action: "a1", ...decision }] }, { by: ANA });
  expect(await settleInterruptions(state, hub, { ask: { session: "s1" } })).toEqual([]);
  expect(done).toEqual(expected);
  await hub.close();
});
