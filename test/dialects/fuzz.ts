// Broken documents through every dialect: nothing throws, nothing hangs, and what is let through is valid.

import { deepStrictEqual, ok } from "node:assert/strict";
import { type AskRequest, isRecord, parseAsk, requireAsk, validateAnswers } from "../../src/core/index.js";
import { answersMap } from "../../src/dialects/answers-map.js";
import { canonical } from "../../src/dialects/canonical.js";
import { claude } from "../../src/dialects/claude.js";
import { harness } from "../../src/dialects/harness.js";
import { stream } from "../../src/dialects/stream/index.js";
import { executeToolbox, toolbox } from "../../src/dialects/toolbox.js";
import { BY } from "../support/arbitraries.js";
import { mutateJson } from "../support/mutate-json.js";
import mapVectors from "../vectors/answers-map.json" with { type: "json" };
import canonicalVectors from "../vectors/canonical.json" with { type: "json" };
import claudeVectors from "../vectors/claude.json" with { type: "json" };
import harnessVectors from "../vectors/harness.json" with { type: "json" };
import streamVectors from "../vectors/stream.json" with { type: "json" };
import toolboxVectors from "../vectors/toolbox.json" with { type: "json" };

const dialects = { answersMap, canonical, claude, harness, stream, toolbox };
export type DialectName = keyof typeof dialects;
export const DIALECT_NAMES = Object.keys(dialects) as DialectName[];

const toolboxAsk = { question: "Pick one", options: ["A", "B"], context: "why" };

const inputs: Record<DialectName, readonly unknown[]> = {
  answersMap: [mapVectors.questions, { questions: mapVectors.questions }],
  canonical: canonicalVectors.validate.map(({ questions }) => ({ questions })),
  claude: [claudeVectors.input],
  harness: [harnessVectors.input],
  stream: [
    streamVectors.approvalRequest.delta.delta,
    {
      action_requests: [{ name: "buy", args: { count: 1 }, description: "Buys" }],
      review_configs: [{ action_name: "buy", allowed_decisions: ["approve", "reject"] }],
    },
  ],
  toolbox: [toolboxAsk, ...toolboxVectors.execute.map(({ expect: document }) => document)],
};

const outputs: Record<DialectName, readonly unknown[]> = {
  answersMap: mapVectors.cases.map(({ answers }) => answers),
  canonical: [
    { answers: [{ question: "Auth?", selected: ["OAuth"], other: "" }] },
    { answers: [{ selected: [], other: "mine" }] },
    { cancelled: true },
  ],
  claude: [
    ...claudeVectors.encodeOutcome.map(({ expect: permission }) => permission),
    ...claudeVectors.decodeOutcome.map(({ output }) => output),
  ],
  harness: harnessVectors.outcomes.map(({ output }): unknown => JSON.parse(output)),
  stream: [
    streamVectors.approval,
    {
      answers: {
        "Thời gian nắm giữ dự kiến?": "[No preference]",
        "Thảo muốn tập trung vào mục tiêu nào?": "x",
      },
    },
    { decisions: [{ type: "approve" }] },
  ],
  toolbox: [1, " 2 ", "0", 7],
};

const asks: Record<DialectName, AskRequest> = {
  answersMap: requireAsk({ questions: mapVectors.questions, allowPartial: true }),
  canonical: requireAsk({ questions: canonicalVectors.validate[0]?.questions ?? [] }),
  claude: requireAsk({ questions: claudeVectors.input.questions, allowPartial: true }),
  harness: requireAsk({ questions: harnessVectors.questions as AskRequest["questions"], allowPartial: true }),
  stream: requireAsk({
    questions: streamVectors.approvalRequest.delta.delta.action_requests[0]?.args.questions ?? [],
    allowPartial: true,
  }),
  toolbox: requireAsk({ questions: [{ question: "Q?", options: ["A", "B"], freeText: false }] }),
};

export function fuzz(name: DialectName, from: number, count: number): { asked: number; ended: number } {
  const dialect = dialects[name];
  const passed = { asked: 0, ended: 0 };
  for (let seed = from; seed < from + count; seed += 1) {
    try {
      const input = mutateJson(inputs[name], seed);
      const decoded = dialect.decodeAsk(input);
      if (decoded.ok) {
        passed.asked += 1;
        // What a dialect lets through, the core lets through unchanged.
        deepStrictEqual(parseAsk(decoded.ask), decoded);
      } else expectIssues(decoded.issues);
      const ended = dialect.decodeOutcome(asks[name], mutateJson(outputs[name], seed), { by: BY });
      if (ended.ok) {
        passed.ended += 1;
        if (ended.outcome.kind === "answered") {
          const { answers } = ended.outcome;
          deepStrictEqual(validateAnswers(asks[name], answers), { ok: true, answers });
        }
      } else expectIssues(ended.issues);
      if (name === "canonical") canonical.validate(input);
      if (name === "toolbox") expectOneLine(input);
    } catch (error) {
      throw new Error(`${name} broke at seed ${seed}`, { cause: error });
    }
  }
  ok(!("label" in Object.prototype));
  return passed;
}

/** An object that no JSON can make: looking at it throws. */
export function decodeHostile(name: DialectName): readonly boolean[] {
  const refuse = () => {
    throw Object.create(null);
  };
  const hostile = new Proxy({}, { get: refuse, ownKeys: refuse, getOwnPropertyDescriptor: refuse });
  const inner = { questions: hostile, options: hostile, answers: hostile, prompt: hostile, question: "Q?" };
  return [hostile, inner, [hostile]].flatMap((value) => [
    dialects[name].decodeAsk(value).ok,
    dialects[name].decodeOutcome(asks[name], value, { by: BY }).ok,
  ]);
}

function expectIssues(issues: readonly { readonly message: string }[]): void {
  ok(issues.length > 0);
  ok(issues.every(({ message }) => message !== "could not be read"));
}

function expectOneLine(input: unknown): void {
  const { output, exitCode } = executeToolbox(
    typeof input === "string" ? input : (JSON.stringify(input) ?? ""),
  );
  ok(!/[\n\r\u0085\u2028\u2029]/.test(output));
  const document: unknown = JSON.parse(output);
  ok(isRecord(document) && document.status === (exitCode === 0 ? "ok" : "error"));
}
