import { expect } from "vitest";
import { COMMAND, type Matched, type State, send } from "./state.ts";

const decided = (...decisions: readonly object[]): Matched => ({
  kind: "decided",
  decisions,
  by: { id: "ana" },
});
/** A rule is for a folder. */
const SHOP = { project: "/home/ana/shop" };
const DECIDED = /^Decided by you on /;

export const APPROVALS: Readonly<Record<string, State>> = {
  approving: {
    ask: { approval: { actions: [COMMAND] } },
    steps: [
      { look: "one action" },
      { see: "rm -rf dist" },
      { press: "Approve" },
      { see: "Approved" },
      { look: "an approved action" },
    ],
    outcome: decided({ action: "a1", kind: "approve" }),
    title: DECIDED,
  },
  rejecting: {
    ask: { approval: { actions: [COMMAND] } },
    steps: [{ press: "Reject" }, { see: "Rejected" }],
    outcome: decided({ action: "a1", kind: "reject" }),
    title: DECIDED,
  },
  "rejecting with a reason": {
    ask: { approval: { actions: [COMMAND] } },
    steps: [
      { press: "Reject with a reason" },
      { write: "Not on a Friday", into: "Reason" },
      { look: "a reason" },
      { press: "Reject" },
      { see: "Not on a Friday" },
      { look: "a rejected action" },
    ],
    outcome: decided({ kind: "reject", message: "Not on a Friday" }),
    title: DECIDED,
  },
  "approving after a reason was typed": {
    ask: { approval: { actions: [COMMAND] } },
    steps: [
      { press: "Reject with a reason" },
      { write: "Wait", into: "Reason" },
      { press: "Approve" },
      { see: "not sent" },
      { look: "a reason that would not be sent" },
      { press: "Approve" },
    ],
    outcome: decided({ kind: "approve" }),
    title: DECIDED,
  },
  "changed arguments": {
    ask: { approval: { actions: [COMMAND] } },
    steps: [
      { press: "Change the arguments" },
      { write: '{ "command": ', into: "Arguments" },
      { press: "Approve with changes" },
      { see: "This is not valid JSON: see line 1, column 14." },
      { hear: "This is not valid JSON: see line 1, column 14." },
      { look: "arguments that are not JSON" },
      { write: '{ "command": "ls" }', into: "Arguments" },
      { press: "Approve" },
      { see: /^The arguments were changed/ },
      { press: "Approve with changes" },
      { see: "Approved with changes" },
      { look: "an action that was approved with changes" },
    ],
    outcome: decided({ kind: "edit", args: { command: "ls" } }),
    title: DECIDED,
  },
  "changes that are taken back": {
    ask: { approval: { actions: [COMMAND] } },
    steps: [
      { press: "Change the arguments" },
      { write: "{}", into: "Arguments" },
      { press: "Undo the changes" },
      { press: "Approve" },
    ],
    outcome: decided({ kind: "approve" }),
    title: DECIDED,
  },
  "several actions": {
    ask: {
      approval: {
        actions: [
          { name: "Edit", args: { file_path: "a.ts", old_string: "one\ntwo", new_string: "one\n2" } },
          { name: "Plan", args: { plan: "1. **Measure**" }, allow: ["approve", "reject"] },
          {
            name: "Patch",
            args: { diff: "@@ -1 +1 @@\n-x\n+y", deep: { list: [1, { a: null }], none: [], empty: "" } },
          },
          { name: "Run", args: { command: "echo \u202etxt.\u200b", env: { CI: true } } },
          { name: "Stop", args: {} },
        ],
      },
    },
    steps: [
      { look: "several actions" },
      { see: "Measure" },
      { see: "\\u202e" },
      send,
      { see: "Approve or reject this action." },
      { look: "several actions without decisions" },
      { pick: "Approve", group: "Decision about Edit" },
      { pick: "Reject", group: "Decision about Plan" },
      { write: "Later", into: "Reason" },
      { pick: "Approve with changes", group: "Decision about Patch" },
      { write: '{ "diff": "" }', into: "Arguments" },
      { pick: "Approve", group: "Decision about Run" },
      { pick: "Approve", group: "Decision about Stop" },
      { press: "Add a note" },
      { write: "One by one", into: "Note about everything" },
      { look: "several decisions" },
      send,
      { see: DECIDED },
      { look: "several decided actions" },
    ],
    outcome: {
      ...decided(
        { action: "a1", kind: "approve" },
        { action: "a2", kind: "reject", message: "Later" },
        { action: "a3", kind: "edit", args: { diff: "" } },
        { action: "a4", kind: "approve" },
        { action: "a5", kind: "approve" },
      ),
      note: "One by one",
    },
    title: DECIDED,
  },
  "a decision that counts always": {
    ask: { approval: { actions: [{ ...COMMAND, args: { command: "sudo rm" } }] }, metadata: SHOP },
    // The rule would decide about the next one like it.
    after: async ({ hub }) => {
      for (const { id } of await hub.rules.list("ana")) await hub.rules.revoke(id, "ana");
    },
    steps: [
      { choose: "Always", from: "This decision counts" },
      { look: "a decision that is remembered" },
      { press: "Reject" },
    ],
    outcome: decided({ kind: "reject", remember: "always" }),
    title: DECIDED,
  },
  "a rule of the agent's own": {
    ask: { approval: { actions: [{ ...COMMAND, rules: ["Bash(rm:*) in this project"] }] } },
    steps: [
      { choose: "Bash(rm:*) in this project", from: "This decision counts" },
      { look: "a rule of the agent's own" },
      { press: "Approve" },
    ],
    outcome: decided({ kind: "approve", remember: "Bash(rm:*) in this project" }),
    title: DECIDED,
  },
  "a rejection, which makes no rule of the agent's own": {
    ask: { approval: { actions: [{ ...COMMAND, rules: ["Bash(rm:*)"] }] } },
    steps: [
      { choose: "Bash(rm:*)", from: "This decision counts" },
      { press: "Reject" },
      { see: "Only an approval makes the agent’s own rule." },
      { look: "a rejection that would drop a rule" },
      { choose: "Only this time", from: "This decision counts" },
      { press: "Reject" },
    ],
    outcome: { decisions: [{ action: "a1", kind: "reject" }] },
    title: DECIDED,
  },
  "an approval while the choice of a rule is not on screen": {
    ask: { approval: { actions: [COMMAND] }, metadata: SHOP },
    after: async ({ hub }) => expect(await hub.rules.list("ana")).toEqual([]),
    steps: [
      { choose: "Always", from: "This decision counts" },
      { press: "Change the arguments" },
      { see: "This decision counts: with changed arguments, only this time" },
      { press: "Approve" },
    ],
    outcome: { decisions: [{ action: "a1", kind: "approve" }] },
    title: DECIDED,
  },
  "declining an approval": {
    ask: { approval: { actions: [COMMAND] } },
    steps: [{ press: "Decline to answer" }, { press: "Decline to answer" }],
    outcome: { kind: "declined", by: { id: "ana" } },
    title: /^Declined by you on /,
  },
};
