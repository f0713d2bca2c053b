// Every dialect with its golden vectors: real inputs and outputs of the other systems.

import { answersMap } from "../../../../src/agents/shapes/answers-map.js";
import { canonical } from "../../../../src/agents/shapes/canonical.js";
import { claude, UNANSWERED_CAPABILITY } from "../../../../src/agents/shapes/claude.js";
import type { Dialect } from "../../../../src/agents/shapes/dialect.js";
import { ELICITATION_META_KEY } from "../../../../src/agents/shapes/elicitation/shape.js";
import { elicitation } from "../../../../src/agents/shapes/elicitation.js";
import { gateway } from "../../../../src/agents/shapes/gateway.js";
import { harness } from "../../../../src/agents/shapes/harness.js";
import { stream } from "../../../../src/agents/shapes/stream.js";
import { toolbox } from "../../../../src/agents/shapes/toolbox.js";
import type { AskRequest } from "../../../../src/core/model/ask.js";
import mapVectors from "../../../vectors/answers-map.json" with { type: "json" };
import canonicalVectors from "../../../vectors/canonical.json" with { type: "json" };
import claudeVectors from "../../../vectors/claude.json" with { type: "json" };
import elicitationVectors from "../../../vectors/elicitation.json" with { type: "json" };
import gatewayVectors from "../../../vectors/gateway.json" with { type: "json" };
import harnessVectors from "../../../vectors/harness.json" with { type: "json" };
import streamVectors from "../../../vectors/stream.json" with { type: "json" };
import toolboxVectors from "../../../vectors/toolbox.json" with { type: "json" };

export interface Golden {
  readonly input: unknown;
  /** What it is when it is encoded again, where that is not the input itself. */
  readonly written?: unknown;
  /** Answers to it, which come out the same when they are decoded and encoded again. */
  readonly outputs: readonly unknown[];
}

export interface DialectCase {
  /** With whatever its encoding needs. */
  readonly dialect: Dialect;
  readonly golden: readonly [Golden, ...Golden[]];
}

const ID = "q-1";
const [firstQuestion, secondQuestion] = Object.keys(streamVectors.approval.answers);
const gatewayQuestion = gatewayVectors.step1.payload.payload;

export const DIALECTS: readonly DialectCase[] = [
  {
    dialect: answersMap,
    golden: [
      {
        input: { questions: mapVectors.questions },
        outputs: mapVectors.cases
          .filter(({ error, warns }) => error === null && !warns)
          .map(({ answers }) => answers),
      },
      { input: mapVectors.questions, written: { questions: mapVectors.questions }, outputs: [] },
    ],
  },
  {
    dialect: canonical,
    golden: [
      {
        input: { questions: canonicalVectors.validate[0]?.questions },
        outputs: [
          { answers: [{ question: "Auth?", selected: ["OAuth"], other: "" }] },
          { answers: [{ question: "Auth?", selected: [], other: "mine" }] },
          { cancelled: true },
        ],
      },
      ...canonicalVectors.validate
        .slice(1)
        .filter(({ error }) => error === null)
        .map(({ questions }) => ({ input: { questions }, outputs: [] })),
    ],
  },
  {
    dialect: {
      ...claude,
      encodeOutcome: (ask, outcome) =>
        claude.encodeOutcome(ask, outcome, {
          input: claudeVectors.input,
          capabilities: [UNANSWERED_CAPABILITY],
        }),
    },
    golden: [
      {
        input: claudeVectors.input,
        outputs: claudeVectors.encodeOutcome
          .filter(({ name }) => name !== "a reply is the response")
          .map(({ expect: permission }) => permission),
      },
    ],
  },
  {
    dialect: elicitation,
    golden: [
      {
        input: {
          message: elicitationVectors.message,
          requestedSchema: elicitationVectors.newest,
          _meta: { [ELICITATION_META_KEY]: elicitationVectors.ask },
        },
        outputs: elicitationVectors.outputs,
      },
    ],
  },
  {
    dialect: {
      ...gateway,
      encodeAsk: (ask) => gateway.encodeAsk(ask, { id: ID }),
      encodeOutcome: (ask, outcome) => gateway.encodeOutcome(ask, outcome, { id: ID }),
    },
    golden: [
      {
        input: { ...gatewayQuestion, questionId: ID },
        written: event("ask_user_question", { ...gatewayQuestion, questionId: ID }),
        outputs: [
          gatewayVectors.step3.payload.answers,
          gatewayVectors.freeText.answers,
          gatewayVectors.dismissal.payload.answers,
        ].map((answers) => ({ type: "hook.ask_user_answer", payload: { questionId: ID, answers } })),
      },
      {
        input: event("exec.approval.requested", {
          ...{ sessionKey: "s", agentId: "a", executionId: ID, action: "run", args: { count: 1 } },
          summary: "Runs",
        }),
        outputs: [
          { type: "hook.approval", payload: { executionId: ID, approved: true } },
          { type: "hook.approval", payload: { executionId: ID, approved: false, reason: "no" } },
        ],
      },
    ],
  },
  {
    dialect: harness,
    golden: [
      {
        input: harnessVectors.input,
        outputs: harnessVectors.outcomes.map(({ output }): unknown => JSON.parse(output)),
      },
    ],
  },
  {
    dialect: {
      ...stream,
      encodeAsk: (ask) =>
        stream.encodeAsk(ask, ask.approval === undefined ? { timeoutSeconds: 600 } : undefined),
    },
    golden: [
      {
        input: streamVectors.approvalRequest.delta.delta,
        outputs: [
          { answers: streamVectors.approval.answers },
          { answers: { [firstQuestion ?? ""]: "x", [secondQuestion ?? ""]: "[No preference]" } },
        ],
      },
      {
        input: {
          action_requests: [{ name: "buy", args: { count: 1 }, description: "Buys" }],
          review_configs: [{ action_name: "buy", allowed_decisions: ["approve", "reject"] }],
        },
        outputs: [
          { decisions: [{ type: "approve" }] },
          { decisions: [{ type: "reject", message: "not now" }] },
        ],
      },
    ],
  },
  {
    dialect: toolbox,
    golden: [
      {
        input: {
          question: "Pick one",
          context: "why",
          options: [{ label: "A" }, { label: "B", description: "b" }],
        },
        outputs: [1, 2],
      },
      ...toolboxVectors.execute
        .filter(({ exit }) => exit === 0)
        .map(({ expect: document }) => ({
          input: document,
          written: {
            question: document.prompt?.question,
            ...(document.prompt?.context !== undefined && { context: document.prompt.context }),
            options: document.prompt?.options.map(({ label, description }) => ({
              label,
              ...(description !== "" && { description }),
            })),
          },
          outputs: [1],
        })),
    ],
  },
];

function event(name: string, payload: object): object {
  return { type: "event", payload: { event: name, payload } };
}

export function decodedAsk(dialect: Pick<Dialect, "decodeAsk">, input: unknown): AskRequest {
  const decoded = dialect.decodeAsk(input);
  if (!decoded.ok) throw new Error(JSON.stringify(decoded.issues));
  return decoded.ask;
}
