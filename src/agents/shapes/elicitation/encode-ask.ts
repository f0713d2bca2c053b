// Writes an ask as a form.

import type { Issue } from "../../../core/kit/issue.js";
import { type JsonObject, setOwn } from "../../../core/kit/json.js";
import type { AskContent } from "../../../core/model/ask.js";
import type { Question } from "../../../core/model/question.js";
import { displayJson, displayLabel, displayLine, displayText } from "../../../core/text/display.js";
import type { AnswerableAsk, EncodedAsk } from "../dialect.js";
import { decodeAsk } from "./decode-ask.js";
import {
  ELICITATION_META_KEY,
  type ElicitationChoice,
  type ElicitationInput,
  type ElicitationOptions,
  type ElicitationProperty,
  type Names,
  namesOf,
} from "./shape.js";

export function encodeAsk(
  ask: AnswerableAsk,
  { revision, issues = [] }: ElicitationOptions = {},
): EncodedAsk<ElicitationInput> {
  const isOldest = revision === "2025-06-18";
  const properties: Record<string, ElicitationProperty> = {};
  const required: string[] = [];
  const names = namesOf(ask);
  const { questions, approval, context, allowPartial = false } = ask;
  for (const [index, question] of questions.entries()) {
    const own = names[index];
    if (own === undefined) continue;
    for (const [name, property] of questionProperties(question, own, isOldest)) {
      setOwn(properties, name, property);
    }
    // A client refuses typed text alone for a choice that is required.
    const isAlone = question.options.length === 0 || !question.freeText;
    if (isAlone && !allowPartial && Object.hasOwn(properties, own.own)) required.push(own.own);
  }
  for (const [index, { name, args, description, allow }] of (approval?.actions ?? []).entries()) {
    const own = names[index];
    if (own === undefined) continue;
    const about = [
      description === undefined ? undefined : displayText(description),
      `Arguments: ${displayJson(JSON.stringify(args))}`,
    ]
      .filter(Boolean)
      .join("\n");
    const choices = CHOICES.filter(({ const: kind }) => allow.includes(kind));
    setOwn(properties, own.own, {
      title: displayLine(name),
      description: about,
      ...choice(choices, isOldest),
    });
    required.push(own.own);
    if (!allow.includes("reject")) continue;
    setOwn(properties, own.text, {
      type: "string",
      title: `${displayLine(name)}: why not`,
      description: WHY,
    });
  }
  const lead =
    issues.length > 0
      ? [`Please correct this:\n${issues.map((issue) => correction(ask, issue)).join("\n")}`]
      : [];
  const message = displayText(
    [...lead, ...(context === undefined ? [] : [context]), summary(ask)].join("\n\n"),
  );
  const whole = { questions, ...(approval !== undefined && { approval }), allowPartial };
  const input: ElicitationInput = {
    message,
    requestedSchema: { type: "object", properties, ...(required.length > 0 && { required }) },
    _meta: {
      [ELICITATION_META_KEY]: {
        ...whole,
        ...(context !== undefined && { context }),
      } as unknown as JsonObject,
    },
  };
  const decoded = decodeAsk(input);
  return decoded.ok ? { ok: true, input } : decoded;
}

const CHOICES = [
  { const: "approve", title: "Approve" },
  { const: "reject", title: "Reject" },
] as const;
const WHY = "If you reject it: what should be done instead? You may leave this empty.";

/** What is wrong, in words for the person at the form. */
function correction({ questions }: AskContent, { code, path, message }: Issue): string {
  const question = questions.find(({ id }) => path[0] === "content" && id === path[1]);
  const what = CORRECTIONS[code] ?? message;
  return question === undefined ? `- ${what}` : `- ${question.header ?? question.question}: ${what}`;
}

const CORRECTIONS: Partial<Record<Issue["code"], string>> = {
  missing_answer: "needs an answer",
  empty_answer: "nothing was answered; answer at least one question, or decline",
  unknown_option: "choose one of the listed options",
  missing_decision: "choose Approve or Reject for each action",
};

function summary({ questions, approval }: AskContent): string {
  if (approval !== undefined) {
    return `May the agent do this? ${approval.actions.map(({ name }) => name).join(", ")}`;
  }
  const [first] = questions;
  return questions.length === 1 ? (first?.question ?? "") : `The agent has ${questions.length} questions.`;
}

function* questionProperties(
  { question, header, options, multiSelect, freeText, minPicks, maxPicks }: Question,
  names: Names,
  isOldest: boolean,
): Generator<[string, ElicitationProperty]> {
  const title = displayLine(header ?? question);
  const listed = options.filter(({ input }) => input !== true);
  const bounds = multiSelect ? boundsText(minPicks, maxPicks) : [];
  const described = listed
    .filter(({ description }) => description !== undefined)
    .map((option) => `• ${displayLabel(option, options)}: ${option.description}`);
  const description = displayText([question, ...bounds, ...described].join("\n"));
  if (listed.length === 0) {
    yield [names.own, { type: "string", title, description }];
    return;
  }
  if (multiSelect && isOldest) {
    for (const option of listed) {
      const { id, description: about } = option;
      const label = displayLabel(option, options);
      const text = displayText([question, ...bounds, ...(about === undefined ? [] : [about])].join("\n"));
      yield [
        names.options.get(id) ?? id,
        { type: "boolean", title: `${title}: ${label}`, description: text },
      ];
    }
  } else {
    const choices = listed.map((option) => {
      const label = displayLabel(option, options);
      const isMarked = option.recommended === true && !/\(recommended\)\s*$/i.test(label);
      return { const: option.id, title: isMarked ? `${label} (recommended)` : label };
    });
    yield [
      names.own,
      {
        title,
        description,
        ...(multiSelect ? { type: "array", items: { anyOf: choices } } : choice(choices, isOldest)),
      },
    ];
  }
  if (!freeText) return;
  const other = options.find(({ input }) => input === true)?.label ?? "Other";
  const about = multiSelect
    ? "Your own answer, beside or instead of the choices."
    : "Your own answer, instead of a choice.";
  yield [names.text, { type: "string", title: `${title}: ${displayLine(other)}`, description: about }];
}

function boundsText(least: number | undefined, most: number | undefined): readonly string[] {
  if (least === undefined && most === undefined) return [];
  return [
    most === undefined
      ? `Choose at least ${least}.`
      : least === most
        ? `Choose ${most}.`
        : `Choose ${least ?? 1} to ${most}.`,
  ];
}

function choice(
  choices: readonly ElicitationChoice[],
  isOldest: boolean,
):
  | { readonly type: "string"; readonly oneOf: ElicitationChoice[] }
  | { readonly type: "string"; readonly enum: string[]; readonly enumNames: string[] } {
  if (!isOldest) return { type: "string", oneOf: choices.map((each) => ({ ...each })) };
  return {
    type: "string",
    enum: choices.map(({ const: value }) => value),
    enumNames: choices.map(({ title }) => title),
  };
}
