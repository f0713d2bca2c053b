import type { AskInput } from "../../core/model/ask.js";
import type { DecisionKind } from "../../core/model/kinds.js";
import { check, checkEqual } from "../check.js";
import type { ScriptedEnding } from "../scripted-answerer.js";
import { type ResolverCase, resolverCase } from "./harness.js";

const ASK: AskInput = {
  approval: {
    actions: [
      { name: "delete_file", args: { path: "/tmp/a" } },
      { name: "send_mail", args: { to: "ana", text: "Xin chào" }, description: "tells her" },
      { name: "restart" },
    ],
  },
};

/** Approvals: one decision for each action. */
export const approvalCases: readonly ResolverCase[] = [
  resolverCase("approved, edited and rejected", ["approvals"], async ({ open }) => {
    const scripted = await open(() => ({
      type: "decide",
      decisions: [
        { action: "a3", kind: "reject", message: "not at noon" },
        { action: "a1", kind: "approve" },
        { action: "a2", kind: "edit", args: { to: "ben", list: [1, { deep: null }] } },
      ],
      note: "careful",
    }));
    const outcome = await scripted.ask(ASK);
    checkEqual(
      { ...outcome, by: undefined },
      {
        kind: "decided",
        decisions: [
          { action: "a1", kind: "approve" },
          { action: "a2", kind: "edit", args: { to: "ben", list: [1, { deep: null }] } },
          { action: "a3", kind: "reject", message: "not at noon" },
        ],
        note: "careful",
      },
      "the outcome",
    );
    const actions = scripted.asked[0]?.approval?.actions;
    checkEqual(
      actions?.map(({ id, name }) => `${id} ${name}`),
      ["a1 delete_file", "a2 send_mail", "a3 restart"],
      "what the person saw",
    );
    checkEqual(actions?.[1]?.args, { to: "ana", text: "Xin chào" }, "the arguments that the person saw");
  }),

  resolverCase("an approval can be declined as a whole", ["approvals"], async ({ open }) => {
    const scripted = await open(() => ({ type: "decline", reason: "none of it" }));
    const outcome = await scripted.ask(ASK);
    check(outcome.kind === "declined" && outcome.reason === "none of it", "it is declined with the reason");
  }),

  resolverCase(
    "a decision that is not allowed settles nothing",
    ["approvals", "rejection"],
    async ({ open }) => {
      const decide = (kind: DecisionKind): ScriptedEnding => ({
        type: "decide",
        decisions: [{ action: "a1", kind, ...(kind === "edit" && { args: {} }) }],
      });
      let refusals = 0;
      const scripted = await open((_ask, { refused }) => {
        if (refused === undefined) return decide("edit");
        refusals += 1;
        return refusals === 1 ? { type: "answer", answers: [] } : decide("approve");
      });
      const outcome = await scripted.ask({
        approval: { actions: [{ name: "restart", allow: ["approve", "reject"] }] },
      });
      checkEqual(outcome.kind, "decided", "the outcome");
      checkEqual(refusals, 2, "the number of refused endings");
    },
  ),
];
