// Broken documents through the parsers of core: nothing throws, nothing hangs, and what is let through is valid.

import { deepStrictEqual } from "node:assert/strict";
import { parseDraft } from "../../src/core/model/draft.js";
import { asEnding } from "../../src/core/model/ending.js";
import { validateDecisions } from "../../src/core/rules/validate-decisions.js";
import { parseAsk, profiles, requireAsk, validateAnswers, validateEnding } from "../../src/index.js";
import { mutateJson } from "../support/mutate-json.js";

const questions = [
  {
    question: "Auth?",
    header: "Auth",
    options: ["OAuth (Recommended)", { label: "API key", preview: "curl" }],
  },
  {
    question: "Languages?",
    header: "Languages",
    multiSelect: true,
    minPicks: 1,
    options: ["Go", "Rust", "Other"],
  },
];
const approval = { actions: [{ name: "mail", args: { to: ["ana"] }, allow: ["approve", "edit"] }] };
const asks = [
  { questions, context: "why", session: "s1", key: "call_1", recipients: ["ana"], metadata: { run: 1 } },
  {
    questions: JSON.stringify(questions),
    deadline: "2030-01-01T00:00:00Z",
    latest: 2e12,
    extendOnActivity: 5,
  },
  { approval, timeoutMs: 1_000, onDeadline: "wait", agentPath: ["a", "b"] },
];
const answers = [
  {
    answers: [
      { question: "q1", selected: ["o1"] },
      { question: "q2", selected: ["Go"], text: "C" },
    ],
    note: "n",
  },
];
const decisions = [{ decisions: [{ action: "a1", kind: "edit", args: { to: [] } }] }];

const ask = requireAsk({ questions });
const decided = requireAsk({ approval: { actions: [{ name: "mail", allow: ["approve", "edit"] }] } });

/** How many of the broken asks and answers were good enough to pass. */
export function fuzz(seed: number, runs: number): { readonly asked: number; readonly ended: number } {
  const passed = { asked: 0, ended: 0 };
  const allProfiles = Object.values(profiles);
  for (let run = 0; run < runs; run += 1) {
    const profile = allProfiles[run % allProfiles.length] ?? profiles.open;
    const parsed = parseAsk(mutateJson(asks, seed + run), { profile });
    if (parsed.ok) {
      passed.asked += 1;
      deepStrictEqual(parseAsk(parsed.ask, { profile }), parsed);
    }
    const submission = mutateJson(answers, seed + run);
    const checked = validateEnding(ask, asEnding("answer", submission));
    if (checked.ok && checked.ending.type === "answer") {
      passed.ended += 1;
      deepStrictEqual(validateAnswers(ask, checked.ending.answers), {
        ok: true,
        answers: checked.ending.answers,
      });
    }
    validateAnswers(ask, submission);
    validateDecisions(decided, mutateJson(decisions, seed + run));
    parseDraft(submission);
  }
  return passed;
}
