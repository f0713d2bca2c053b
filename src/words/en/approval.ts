import type { ApprovalWords } from "../approval.js";

export const APPROVAL: ApprovalWords = {
  approvalTitle: (count) => (count === 1 ? "Approve this action?" : `Approve these ${count} actions?`),
  actionOf: (number, count) => `Action ${number} of ${count}`,
  command: "Command",
  removed: "removed",
  added: "added",
  noArguments: "No arguments.",
  emptyText: "empty text",
  decisionFor: (action) => `Decision about ${action}`,
  rejectWithReason: "Reject with a reason",
  editArguments: "Change the arguments",
  undoChanges: "Undo the changes",
  remember: "This decision counts",
  remembers: { once: "Only this time", session: "For this session", always: "Always" },
  notWithChanges: "with changed arguments, only this time",
  agentRules: "If approved, the agent’s own rule",
};
