import { expect, it } from "vitest";
import { approveCall, NotApprovedError, type Outcome, resolverOf } from "../../../src/index.ts";

const by = { kind: "person", id: "ana", surface: "test" } as const;
const action = { name: "deploy", args: { target: "production" } };

function ending(outcome: Outcome) {
  return approveCall(
    resolverOf(() => outcome),
    action,
  );
}

it("returns the proposed arguments, or those that the person edited", async () => {
  const approve = { action: "a1", kind: "approve" } as const;
  const edit = { action: "a1", kind: "edit", args: { target: "staging" } } as const;
  expect(await ending({ kind: "decided", decisions: [approve], by })).toEqual({
    args: action.args,
    edited: false,
  });
  expect(await ending({ kind: "decided", decisions: [edit], by })).toEqual({ args: edit.args, edited: true });
});

it.each<Outcome>([
  { kind: "decided", decisions: [{ action: "a1", kind: "reject", message: "no" }], by },
  { kind: "declined", by },
  { kind: "replied", text: "yes", by },
  { kind: "expired" },
  { kind: "withdrawn" },
  { kind: "unavailable" },
])("approves nothing when the ask ends as $kind", async (outcome) => {
  const error = await ending(outcome).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(NotApprovedError);
  expect((error as NotApprovedError).outcome.kind).toBe(outcome.kind);
});

it("rejects with the reason of an aborted signal", async () => {
  const reason = new Error("stopped");
  const never = resolverOf(() => new Promise(() => undefined));
  await expect(approveCall(never, action, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});
