import { jsonSchema, tool } from "ai";
import { expect, it } from "vitest";
import * as z from "zod";
import { park, resume, withApproval } from "../../src/agents/frameworks/ai-sdk.ts";
import { createHub, memoryStore } from "../../src/hub/index.ts";
import { type JsonObject, type Resolver, resolverOf, staticResolver } from "../../src/index.ts";
import { ANA, SINGLE } from "./suite/samples.ts";

const call = { toolCallId: "call_1", messages: [], context: {} };

function editing(args: JsonObject): Resolver {
  return resolverOf(() => ({ kind: "decided", decisions: [{ action: "a1", kind: "edit", args }], by: ANA }));
}

it.each([
  ["zod", z.object({ count: z.number() })],
  [
    "a JSON schema with a check",
    jsonSchema<{ count: number }>(
      { type: "object", properties: { count: { type: "number" } } },
      {
        validate: (value) =>
          typeof (value as { count: unknown }).count === "number"
            ? { success: true, value: value as { count: number } }
            : { success: false, error: new Error("count must be a number") },
      },
    ),
  ],
])("edited arguments that do not fit the tool do not run it: %s", async (_name, inputSchema) => {
  const ran: unknown[] = [];
  const count = tool({ inputSchema, execute: async (input) => void ran.push(input) });
  const guarded = withApproval(count, editing({ count: "many" }), { name: "count" });
  await expect(guarded.execute?.({ count: 1 }, call)).rejects.toThrow(
    "do not fit the tool, so it did not run",
  );
  expect(ran).toEqual([]);
});

it("an approval without edits runs with the input that the SDK made of it, which the person saw as JSON", async () => {
  const seen: unknown[] = [];
  const ran: unknown[] = [];
  const inputSchema = z.object({ day: z.string().transform((text) => new Date(text)) });
  const plan = tool({ inputSchema, execute: async (input) => void ran.push(input) });
  const resolver = resolverOf(({ approval }) => {
    seen.push(approval?.actions[0]?.args);
    return { kind: "decided", decisions: [{ action: "a1", kind: "approve" }], by: ANA };
  });
  const day = new Date("2026-11-18T00:00:00.000Z");
  await withApproval(plan, resolver).execute?.({ day }, call);
  expect(seen).toEqual([{ day: day.toJSON() }]);
  expect(ran).toEqual([{ day }]);
});

it("a tool that yields its progress returns its last value", async () => {
  const counting = tool({
    inputSchema: z.object({}),
    async *execute() {
      yield "1";
      yield "2";
    },
  });
  const approving = resolverOf(() => ({
    kind: "decided",
    decisions: [{ action: "a1", kind: "approve" }],
    by: ANA,
  }));
  expect(await withApproval(counting, approving).execute?.({}, call)).toBe("2");
});

it("withApproval refuses a tool that it cannot guard", () => {
  expect(() => withApproval({ inputSchema: z.object({}) }, staticResolver({ kind: "expired" }))).toThrow(
    "withApproval needs a tool with an execute function",
  );
});

const history = (...ids: readonly string[]) => [
  { role: "user", content: "Go on." },
  {
    role: "assistant",
    content: ids.map((toolCallId) => ({
      type: "tool-call",
      toolCallId,
      toolName: "ask_user_question",
      input: { questions: [SINGLE] },
    })),
  },
];

it("resume names the calls if it cannot tell which one is meant", () => {
  const outcome = { kind: "expired" } as const;
  expect(() => resume(history("call_1", "call_2"), outcome)).toThrow(
    "set toolCallId to one of: call_1, call_2",
  );
  expect(() => resume(history(), outcome)).toThrow("one of: none");
  const [, , result] = resume(history("call_1", "call_2"), outcome, { toolCallId: "call_2" });
  expect(result).toMatchObject({ role: "tool", content: [{ toolCallId: "call_2" }] });
});

it("park asks once, however often it is called", async () => {
  const hub = await createHub({ store: memoryStore() });
  const options = { ask: { session: "s1" } };
  const [first] = (await park(history("call_1"), hub, options)).pending;
  const [again] = (await park(history("call_1"), hub, options)).pending;
  expect(again?.id).toBe(first?.id);
  await hub.decline(first?.id ?? "", undefined, { by: ANA });
  const { messages, pending } = await park(history("call_1"), hub, options);
  expect([messages.length, pending.length]).toEqual([3, 0]);
  await hub.close();
});

it("park gives the canonical texts where they are wanted", async () => {
  const hub = await createHub({ store: memoryStore() });
  const options = { ask: { session: "s1" }, text: "canonical" as const };
  const [ask] = (await park(history("call_1"), hub, options)).pending;
  await hub.decline(ask?.id ?? "", undefined, { by: ANA });
  const { messages } = await park(history("call_1"), hub, options);
  expect(messages[2]).toMatchObject({ content: [{ output: { value: "[cancelled by user]" } }] });
  await hub.close();
});
