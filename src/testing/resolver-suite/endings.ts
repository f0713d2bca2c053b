import type { AskInput } from "../../core/model/ask.js";
import { deliverOutcome } from "../../core/model/delivery.js";
import type { Submission } from "../../core/model/ending.js";
import type { Outcome } from "../../core/model/outcome.js";
import { requireAsk } from "../../core/rules/parse-ask.js";
import { check, checkEqual } from "../check.js";
import type { ScriptedEnding } from "../scripted-answerer.js";
import { type ResolverCase, type ResolverNeed, type ResolverScope, resolverCase } from "./harness.js";

const SINGLE: AskInput = { questions: [{ question: "Which colour?", options: ["Red", "Green"] }] };
const MULTI: AskInput = {
  questions: [{ question: "Which parts?", options: ["A", "B", "C"], multiSelect: true }],
};
const TWO: AskInput = {
  questions: [
    { question: "Which colour?", options: ["Red", "Green"] },
    { question: "What name?", options: [] },
  ],
};

/** Every way to settle an ask reaches the agent unchanged. */
export const endingCases: readonly ResolverCase[] = [
  answerCase(
    "a picked option",
    SINGLE,
    { answers: [{ question: "q1", selected: ["o2"] }] },
    { answers: [{ question: "q1", selected: ["o2"] }] },
  ),
  answerCase(
    "several picks, in option order",
    MULTI,
    { answers: [{ question: "q1", selected: ["o3", "o1"] }] },
    { answers: [{ question: "q1", selected: ["o1", "o3"] }] },
  ),
  answerCase(
    "labels with commas, quotes and line breaks",
    {
      questions: [
        { question: "Which ones?", options: ["No", "Yes, now", 'the "big"\none'], multiSelect: true },
      ],
    },
    { answers: [{ question: "q1", selected: ["o2", "o3"] }] },
    { answers: [{ question: "q1", selected: ["o2", "o3"] }] },
  ),
  answerCase(
    "typed text",
    SINGLE,
    { answers: [{ question: "q1", text: "Blue" }] },
    { answers: [{ question: "q1", selected: [], text: "Blue" }] },
  ),
  answerCase(
    "picks and typed text together",
    MULTI,
    { answers: [{ question: "q1", selected: ["o2"], text: "and D" }] },
    { answers: [{ question: "q1", selected: ["o2"], text: "and D" }] },
  ),
  answerCase(
    "a note on an answer and one on the whole",
    SINGLE,
    { answers: [{ question: "q1", selected: ["o1"], note: "dark, please" }], note: "thanks" },
    { answers: [{ question: "q1", selected: ["o1"], note: "dark, please" }], note: "thanks" },
  ),
  answerCase(
    "several questions, in order",
    TWO,
    {
      answers: [
        { question: "q2", text: "Ada" },
        { question: "q1", selected: ["o1"] },
      ],
    },
    {
      answers: [
        { question: "q1", selected: ["o1"] },
        { question: "q2", selected: [], text: "Ada" },
      ],
    },
  ),
  answerCase(
    "a skipped question, if that is allowed",
    { ...TWO, allowPartial: true },
    { answers: [{ question: "q1", selected: ["o1"] }] },
    {
      answers: [
        { question: "q1", selected: ["o1"] },
        { question: "q2", selected: [], skipped: true },
      ],
    },
  ),
  answerCase(
    "ids that the agent chose",
    { questions: [{ id: "colour", question: "Which?", options: [{ id: "r", label: "Red" }, "Green"] }] },
    { answers: [{ question: "colour", selected: ["r"] }] },
    { answers: [{ question: "colour", selected: ["r"] }] },
  ),

  endingCase(
    "declined, with a reason",
    [],
    { type: "decline", reason: "not my call" },
    { kind: "declined", reason: "not my call" },
  ),
  endingCase("declined, without a reason", [], { type: "decline" }, { kind: "declined" }),
  endingCase(
    "replied",
    ["replies"],
    { type: "reply", text: "What is it for?" },
    { kind: "replied", text: "What is it for?" },
  ),

  resolverCase("the person sees the whole ask", [], async ({ open }) => {
    const request: AskInput = {
      questions: [
        {
          question: "Deploy now?",
          header: "Deploy",
          options: [{ label: "Yes", description: "at once", recommended: true }, "No"],
        },
      ],
      context: "**All tests pass.**",
      session: "session_1",
    };
    const scripted = await open(() => pick("o1"));
    await scripted.ask(request);
    const [asked] = scripted.asked;
    checkEqual(scripted.asked.length, 1, "how many asks reached the person");
    checkEqual(
      asked?.questions,
      [
        {
          id: "q1",
          question: "Deploy now?",
          header: "Deploy",
          options: [
            { id: "o1", label: "Yes", description: "at once", recommended: true },
            { id: "o2", label: "No" },
          ],
          multiSelect: false,
          freeText: true,
        },
      ],
      "the questions",
    );
    checkEqual(asked?.context, "**All tests pass.**", "the context");
    checkEqual(asked?.session, "session_1", "the session");
  }),

  resolverCase("concurrent asks do not mix", [], async ({ open }) => {
    const scripted = await open(async ({ questions: [question] }) => {
      const number = Number(question?.question.match(/\d+/)?.[0]);
      // Settled in another order than asked.
      for (let turn = 0; turn < (number * 7) % 10; turn += 1) await Promise.resolve();
      if (number % 5 === 4) return { type: "decline", reason: `no ${number}` };
      return { type: "answer", answers: [{ question: "q1", text: `answer ${number}` }] };
    });
    await Promise.all(
      Array.from({ length: 50 }, async (_, number) => {
        const request = { questions: [{ question: `Question ${number}?` }] };
        const outcome = await scripted.ask(request);
        const text = `answer ${number}`;
        if (number % 5 === 4) checkSame(request, outcome, { kind: "declined", reason: `no ${number}` });
        else checkSame(request, outcome, answer({ question: "q1", selected: [], text }));
      }),
    );
    checkEqual(scripted.asked.length, 50, "how many asks reached the person");
  }),

  resolverCase("the same question twice is asked twice", [], async ({ open }) => {
    let count = 0;
    const scripted = await open(() => {
      count += 1;
      return pick(`o${count}`);
    });
    checkSame(SINGLE, await scripted.ask(SINGLE), answer({ question: "q1", selected: ["o1"] }));
    checkSame(SINGLE, await scripted.ask(SINGLE), answer({ question: "q1", selected: ["o2"] }));
  }),

  resolverCase("texts in any language arrive unchanged", [], async ({ open }) => {
    const texts = [
      "Tiếng Việt: Khác",
      "שלום 👩‍👩‍👧‍👦",
      "line\nbreak\ttab",
      "\"quoted\" \\ 'single' <b>",
      "\u{10ffff}",
    ];
    const scripted = await open(({ questions }) => ({
      type: "answer",
      answers: questions.map(({ id, question }) => ({ question: id, text: question })),
      note: texts.join(),
    }));
    const request = { questions: texts.map((text) => ({ question: text, options: [text, "x"] })) };
    const outcome = await scripted.ask(request);
    checkEqual(
      scripted.asked[0]?.questions.map(({ question, options }) => [question, options[0]?.label]),
      texts.map((text) => [text, text]),
      "what the person saw",
    );
    checkSame(request, outcome, {
      kind: "answered",
      answers: texts.map((text, index) => ({ question: `q${index + 1}`, selected: [], text })),
      note: texts.join(),
    });
  }),
];

type WithoutBy<Kind extends Outcome["kind"]> = Omit<Extract<Outcome, { readonly kind: Kind }>, "by">;

function answerCase(
  name: string,
  request: AskInput,
  submission: Submission,
  expected: Omit<WithoutBy<"answered">, "kind">,
): ResolverCase {
  return resolverCase(`answered: ${name}`, [], (scope) =>
    checkEnding(scope, request, { type: "answer", ...submission }, { kind: "answered", ...expected }),
  );
}

function endingCase(
  name: string,
  needs: readonly ResolverNeed[],
  ending: ScriptedEnding,
  expected: object,
): ResolverCase {
  return resolverCase(name, needs, (scope) => checkEnding(scope, SINGLE, ending, expected));
}

async function checkEnding(
  { open }: ResolverScope,
  request: AskInput,
  ending: ScriptedEnding,
  expected: object,
): Promise<void> {
  const scripted = await open(() => ending);
  checkSame(request, await scripted.ask(request), expected);
  checkEqual(scripted.asked.length, 1, "how many asks reached the person");
}

function pick(option: string): ScriptedEnding {
  return { type: "answer", answers: [{ question: "q1", selected: [option] }] };
}

function answer(only: WithoutBy<"answered">["answers"][number]): WithoutBy<"answered"> {
  return { kind: "answered", answers: [only] };
}

/** Checks the outcome, its `choices` if it has them, and that it names a person; the harness checks which one. */
function checkSame(request: AskInput, outcome: Outcome, expected: object): void {
  check(
    "by" in outcome && outcome.by.kind === "person",
    "the outcome must name the person who settled the ask",
  );
  checkEqual({ ...outcome, by: undefined, choices: undefined }, expected, "the outcome");
  if ("choices" in outcome) checkEqual(outcome, deliverOutcome(requireAsk(request), outcome), "the choices");
}
