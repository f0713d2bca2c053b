import type { SettledWords } from "../settled.js";

export const SETTLED: SettledWords = {
  decisions: { approve: "Approved", edit: "Approved with changes", reject: "Rejected" },
  settled: (outcome, by, time) =>
    `${outcome}${by === "" ? "" : ` by ${by}`}${time === "" ? "" : ` on ${time}`}`,
  you: "you",
  rule: (name) => `the rule “${name}”`,
  onSurface: (person, surface) => `${person} (${surface})`,
  notYours: "This ended before your answer was sent.",
  yourText: "What you had entered was not sent:",
};
