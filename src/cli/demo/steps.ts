// What the demo agent asks, and what it would do with each answer. It plays an agent that prepares the release of a
// small service; it changes nothing.

import type { Decision } from "../../core/model/approval.js";
import type { Ask, AskInput } from "../../core/model/ask.js";
import type { Outcome } from "../../core/model/outcome.js";
import { displayJson, displayLine } from "../../core/text/display.js";
import { outcomeSummary } from "../output/ask-summary.js";

export interface DemoStep {
  /** Makes asking idempotent, so that an interrupted demo continues where it was. */
  readonly key: string;
  readonly input: AskInput;
  /** What the agent would do next; called only for an answered or decided ask. */
  readonly react: (ask: Ask, outcome: Outcome) => string;
}

const single: DemoStep = {
  key: "database",
  input: {
    context: "The service keeps about a thousand orders a day.",
    questions: [
      {
        question: "Which database should the new service use?",
        header: "Database",
        options: [
          { label: "PostgreSQL", description: "Several servers can share it", recommended: true },
          { label: "SQLite", description: "One file, nothing to install" },
          { label: "MySQL", description: "What the old service uses" },
        ],
      },
    ],
  },
  react: (ask, outcome) => `I would add ${chosenText(ask, outcome)} to the service.`,
};

const multi: DemoStep = {
  key: "checks",
  input: {
    questions: [
      {
        question: "Which checks must pass before a release?",
        header: "Checks",
        multiSelect: true,
        options: [
          { label: "Unit tests", description: "2 minutes" },
          { label: "End-to-end tests", description: "14 minutes" },
          { label: "Load test", description: "40 minutes" },
        ],
      },
    ],
  },
  react: (ask, outcome) => `I would run before each release: ${chosenText(ask, outcome)}.`,
};

const freeText: DemoStep = {
  key: "name",
  input: { questions: [{ question: "What should the release be called?", header: "Name" }] },
  react: (ask, outcome) => `I would tag the release ${chosenText(ask, outcome)}.`,
};

const preview: DemoStep = {
  key: "log-format",
  input: {
    questions: [
      {
        question: "Which form should the log lines have?",
        header: "Log",
        freeText: false,
        options: [
          {
            label: "JSON",
            description: "For programs",
            preview: '{"level":"info","order":42,"took_ms":7}\n{"level":"warn","order":43,"took_ms":912}',
          },
          {
            label: "Text",
            description: "For people",
            preview: "INFO  order 42 took 7 ms\nWARN  order 43 took 912 ms",
          },
        ],
      },
    ],
  },
  react: (ask, outcome) => `I would write log lines as ${chosenText(ask, outcome)}.`,
};

const approval: DemoStep = {
  key: "deploy",
  input: {
    context: "All checks have passed.",
    approval: {
      actions: [
        {
          name: "deploy",
          description: "Starts the new version beside the old one.",
          args: { service: "orders", version: "2.0.0", to: "staging" },
        },
      ],
    },
  },
  react: (ask, outcome) => `${chosenText(ask, outcome)}.`,
};

export const DEMO_STEPS: readonly DemoStep[] = [single, multi, freeText, preview, approval];

/** What was chosen, as a part of a sentence. */
function chosenText(ask: Ask, outcome: Outcome): string {
  if (outcome.kind !== "decided") return outcomeSummary({ ...ask, outcome });
  return outcome.decisions.map((decision) => decidedText(ask, decision)).join("; ");
}

function decidedText({ approval }: Ask, decision: Decision): string {
  const action = approval?.actions.find(({ id }) => id === decision.action);
  const name = displayLine(action?.name ?? decision.action);
  switch (decision.kind) {
    case "approve":
      return `I would now run ${name}`;
    case "edit":
      return `I would now run ${name} with ${displayJson(JSON.stringify(decision.args))}`;
    case "reject":
      return `I would not run ${name}${decision.message === undefined ? "" : ` ("${displayLine(decision.message)}")`}`;
  }
}
