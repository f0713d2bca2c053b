// What every dialect promises, checked against what it declares.

import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Dialect } from "../../../../src/agents/shapes/dialect.js";
import { isRecord } from "../../../../src/core/kit/json.js";
import type { AskRequest } from "../../../../src/core/model/ask.js";
import type { OutcomeKind } from "../../../../src/core/model/kinds.js";
import { type Outcome, requireAsk, validateAnswers } from "../../../../src/index.js";
import {
  arbitraryAnswered,
  arbitraryAnsweredOf,
  arbitraryAsk,
  BY,
  nastyText,
  plainText,
} from "../../../support/arbitraries.js";
import { DIALECTS, decodedAsk } from "./dialects.js";
import { fuzz } from "./fuzz.js";
import { ASK_LOSSES, askAfter, OUTCOME_LOSSES, outcomeAfter } from "./losses.js";

const by = { by: BY };

describe.each(DIALECTS)("$dialect.name", ({ dialect, golden }) => {
  const { carries, endings, losses, profile } = dialect;
  const questions = decodedAsk(dialect, golden[0].input);
  const multiSelect = carries.includes("multiSelect");
  const isAmbiguous = losses.outcome.includes("ambiguous text");

  it.each(golden)("reads and writes a golden ask and its answers", ({ input, written, outputs }) => {
    const ask = decodedAsk(dialect, input);
    expect(encodedAsk(dialect, ask)).toEqual(written ?? input);
    for (const output of outputs) {
      const decoded = dialect.decodeOutcome({ ...ask, allowPartial: true }, output, by);
      if (!decoded.ok) throw new Error(JSON.stringify(decoded.issues));
      expect(sent(dialect.encodeOutcome(ask, decoded.outcome))).toEqual(output);
    }
  });

  it("takes nothing from the input but the fields of the shape", () => {
    const [{ input }] = golden;
    const foreign = { session: "theirs", key: "k", recipients: ["eve"], deadline: "bad", metadata: { a: 1 } };
    expect(decodedAsk(dialect, { ...(input as object), ...foreign })).toEqual(questions);
  });

  it("gives back an ask with the listed losses and no others", () => {
    const text = losses.ask.includes("white space") ? nastyText().map((each) => each.trim()) : nastyText();
    fc.assert(
      fc.property(arbitraryAsk({ profile, text, multiSelect }), (asked) => {
        const ask = addressedTo(dialect, asked);
        expect(decodedAsk(dialect, encodedAsk(dialect, ask))).toEqual(askAfter(dialect, ask));
      }),
    );
  });

  it("gives back an approval with the listed losses, or refuses it", () => {
    fc.assert(
      fc.property(arbitraryApproval, (approval) => {
        const ask = addressedTo(dialect, requireAsk({ approval, allowPartial: questions.allowPartial }));
        if (carries.includes("approval")) {
          const { approval: left } = decodedAsk(dialect, encodedAsk(dialect, ask));
          expect(left).toEqual(askAfter(dialect, ask).approval);
        } else {
          expect(dialect.encodeAsk(ask)).toMatchObject({ ok: false, issues: [{ path: ["approval"] }] });
        }
      }),
      { numRuns: 20 },
    );
  });

  it("gives back answers with the listed losses and no others", () => {
    const answers = {
      text: isAmbiguous ? plainText("typed") : nastyText(),
      notes: !losses.outcome.includes("notes"),
    };
    const isPlain = isAmbiguous || losses.outcome.includes("text beside picks");
    const text = isPlain ? plainText("label") : nastyText();
    fc.assert(
      fc.property(arbitraryAnswered({ profile, text, multiSelect, answers }), ({ ask, outcome }) => {
        fc.pre(!isLostAsAWhole(dialect, outcome));
        const decoded = dialect.decodeOutcome(ask, sent(dialect.encodeOutcome(ask, outcome)), by);
        expect(decoded).toEqual({ ok: true, outcome: outcomeAfter(dialect, outcome) });
      }),
    );
  });

  if (isAmbiguous) {
    it("keeps a valid answer for each question, however texts and labels look", () => {
      const shaped = arbitraryAsk({ profile }).chain((ask) =>
        arbitraryAnsweredOf({
          ...ask,
          allowPartial: true,
          questions: ask.questions.map(({ minPicks: _least, maxPicks: _most, ...question }) => ({
            ...question,
            freeText: true,
          })),
        }),
      );
      fc.assert(
        fc.property(shaped, ({ ask, outcome }) => {
          fc.pre(!isLostAsAWhole(dialect, outcome));
          const decoded = dialect.decodeOutcome(ask, sent(dialect.encodeOutcome(ask, outcome)), by);
          if (!decoded.ok && typesLabelOfInput(ask, outcome)) {
            expect(new Set(decoded.issues.map(({ code }) => code))).toEqual(new Set(["text_required"]));
            return;
          }
          if (!decoded.ok || decoded.outcome.kind !== "answered") throw new Error(JSON.stringify(decoded));
          const { answers } = decoded.outcome;
          expect(validateAnswers(ask, answers)).toEqual({ ok: true, answers });
          // Encoded again it means the same, if not always in the same words: labels that were typed in another order
          // are understood as picks, and picks are written in the order of the options.
          const again = sent(dialect.encodeOutcome(ask, decoded.outcome));
          expect(dialect.decodeOutcome(ask, again, by)).toEqual(decoded);
        }),
      );
    });
  }

  it.each(Object.entries(endings))("%s comes back as %s", (kind, expected) => {
    const isDecided = kind === "decided" && carries.includes("approval");
    const ask = isDecided
      ? decodedAsk(dialect, encodedAsk(dialect, addressedTo(dialect, APPROVAL)))
      : questions;
    const output = sent(dialect.encodeOutcome(ask, outcomeOf(kind as OutcomeKind, ask)));
    const decoded = dialect.decodeOutcome(ask, output, by);
    expect(decoded.ok ? decoded.outcome.kind : "lost").toBe(expected);
    if (!decoded.ok || decoded.outcome.kind !== "declined" || kind !== "declined") return;
    expect(decoded.outcome.reason === "no").toBe(!losses.outcome.includes("reasons"));
  });

  it("refuses a multi-select unless it declares it", () => {
    const [question] = questions.questions;
    if (question === undefined) throw new Error("no question");
    const asked = { ...questions, questions: [{ ...question, multiSelect: true }] };
    expect(dialect.encodeAsk(asked).ok).toBe(multiSelect);
  });

  it("reads 2,000 broken documents without a throw or a hang", () => {
    const accepted = fuzz({ dialect, golden }, 2_000);
    // A mutation that never lets anything through would prove little.
    expect(accepted.asked).toBeGreaterThan(20);
    expect(accepted.asked).toBeLessThan(2_000);
    expect(accepted.ended).toBeLessThan(2_000);
  });

  it("reads anything without a throw, and refuses an object that throws when it is read", () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        dialect.decodeAsk(value);
        dialect.decodeOutcome(questions, value, by);
      }),
    );
    const refuse = (): never => {
      throw Object.create(null);
    };
    const hostile = new Proxy({}, { get: refuse, ownKeys: refuse, getOwnPropertyDescriptor: refuse });
    const inner = { questions: hostile, options: hostile, answers: hostile, prompt: hostile, question: "Q?" };
    const hook = { type: "hook.ask_user_answer", payload: hostile };
    for (const value of [hostile, inner, [hostile], { type: "event", payload: hostile }, hook]) {
      expect(dialect.decodeAsk(value).ok).toBe(false);
      expect(dialect.decodeOutcome(questions, value, by).ok).toBe(false);
    }
  });
});

describe("docs/dialects.md", () => {
  const page = readFileSync(new URL("../../../../docs/dialects.md", import.meta.url), "utf8");

  it("lists the losses that the dialects declare", () => {
    const rows = tableBelow(page, "| dialect | lost from an ask | lost from an outcome |");
    expect(rows).toEqual(
      DIALECTS.map(({ dialect: { name, losses } }) => [
        `\`${name}\``,
        losses.ask.map((loss) => `\`${loss}\``).join(", "),
        losses.outcome.map((loss) => `\`${loss}\``).join(", "),
      ]),
    );
  });

  it("explains each loss", () => {
    const explained = tableBelow(page, "| loss | meaning |").map(([loss]) => loss);
    expect(explained).toEqual([...new Set([...ASK_LOSSES, ...OUTCOME_LOSSES])].map((loss) => `\`${loss}\``));
  });
});

/** The encoding as it arrives at the other end. */
function encodedAsk(dialect: Dialect, ask: AskRequest): unknown {
  const encoded = dialect.encodeAsk(ask);
  if (!encoded.ok) throw new Error(JSON.stringify(encoded.issues));
  return JSON.parse(JSON.stringify(encoded.input));
}

/** What arrives at the other end; undefined where nothing is sent. */
function sent(encoded: unknown): unknown {
  const isWrapped = isRecord(encoded) && typeof encoded.ok === "boolean";
  const output = isWrapped ? encoded.output : encoded;
  return output === undefined ? undefined : JSON.parse(JSON.stringify(output));
}

/** The gateway has an address in its shape, and the suite encodes under one id and session. */
function addressedTo({ losses }: Dialect, ask: AskRequest): AskRequest {
  return losses.ask.includes("address") ? ask : { ...ask, session: "s", key: "q-1", agentId: "a" };
}

/** Outcomes that a declared loss makes another kind of outcome, or none. */
function isLostAsAWhole({ losses }: Dialect, outcome: Extract<Outcome, { kind: "answered" }>): boolean {
  const { answers } = outcome;
  return (
    (losses.outcome.includes("typed text") && answers.some(({ text }) => text !== undefined)) ||
    (losses.outcome.includes("skips") && answers.some(({ skipped }) => skipped)) ||
    (losses.outcome.includes("all skipped") && answers.every(({ skipped }) => skipped))
  );
}

/** A text that is the label of the option for typed text looks as if nothing was typed. */
function typesLabelOfInput(ask: AskRequest, { answers }: Extract<Outcome, { kind: "answered" }>): boolean {
  return ask.questions.some(({ id, options }) => {
    const text = answers.find(({ question }) => question === id)?.text ?? "";
    return options.some(({ input, label }) => input && text.includes(label.trim()));
  });
}

const arbitraryApproval = fc.record({
  actions: fc.array(
    fc.record(
      {
        name: plainText("action"),
        args: fc.dictionary(fc.constantFrom("a", "b"), fc.integer()),
        description: plainText("about"),
        allow: fc.constantFrom(["approve", "reject"] as const, ["approve", "edit", "reject"] as const),
      },
      { requiredKeys: ["name"] },
    ),
    { minLength: 1, maxLength: 3 },
  ),
});

const APPROVAL = requireAsk({ approval: { actions: [{ name: "run" }] } });

function outcomeOf(kind: OutcomeKind, ask: AskRequest): Outcome {
  switch (kind) {
    case "answered": {
      const answers = ask.questions.map(({ id, options: [first] }) => ({
        question: id,
        selected: first === undefined ? [] : [first.id],
        ...(first === undefined && { text: "typed" }),
      }));
      return { kind, answers, by: BY };
    }
    case "decided":
      return { kind, decisions: [{ action: "a1", kind: "approve" }], by: BY };
    case "declined":
      return { kind, reason: "no", by: BY };
    case "replied":
      return { kind, text: "why?", by: BY };
    default:
      return { kind };
  }
}

function tableBelow(page: string, head: string): readonly (readonly string[])[] {
  const lines = page.slice(page.indexOf(head)).split("\n").slice(2);
  const end = lines.findIndex((line) => !line.startsWith("|"));
  return lines.slice(0, end).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
