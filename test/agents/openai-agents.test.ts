import { tool } from "@openai/agents";
import { expect, it } from "vitest";
import * as z from "zod";
import { settleInterruptions } from "../../src/agents/frameworks/openai-agents.ts";
import { createHub, type Hub, memoryStore } from "../../src/hub/index.ts";
import { ANA } from "./suite/samples.ts";

// A tool that needs an approval of its own, without `withApproval`: the SDK can run it or not, but not with other arguments.
const decide = (decision: object, note?: string) => (hub: Hub, id: string) =>
  hub.decide(id, { decisions: [{ action: "a1", ...decision } as never], ...(note && { note }) }, { by: ANA });
it.each([
  ["approved", decide({ kind: "approve" }), "approved"],
  ["rejected", decide({ kind: "reject", message: "not today" }), "rejected: not today"],
  [
    "rejected with a note",
    decide({ kind: "reject", message: "not today" }, "ask Ben"),
    'rejected: The person decided:\n1. "deploy": rejected, saying: "not today"\noverall note: "ask Ben"',
  ],
  [
    "declined",
    (hub: Hub, id: string) => hub.decline(id, "not mine", { by: ANA }),
    'rejected: The person declined to answer. Their reason: "not mine". Do not assume an answer.',
  ],
  [
    "replied to",
    (hub: Hub, id: string) => hub.reply(id, "Which region?", { by: ANA }),
    'rejected: The person did not choose an answer. They wrote this instead: "Which region?"',
  ],
])("a tool that the adapter does not wrap can be %s", async (_name, end, expected) => {
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
  await end(hub, ask?.id ?? "");
  expect(await settleInterruptions(state, hub, { ask: { session: "s1" } })).toEqual([]);
  expect(done).toEqual([expected]);
  await hub.close();
});
