// The interrupts of any AG-UI agent as asks, and outcomes as what the run is resumed with:
//
//   an interrupt of `park`                          its own questions
//   an approval, or a tool call without a schema    an approval; edits, if the schema has `editedArgs`
//   a flat schema, or that of one value             a form
//   any other schema                                one question, answered with JSON
//   no schema                                       a yes or no if its reason is `confirmation`, otherwise typed text

import { isBlank } from "../../../core/kit/fold.js";
import { isRecord, type JsonObject, parseDocument } from "../../../core/kit/json.js";
import { LIMITS } from "../../../core/kit/limits.js";
import { messageOf } from "../../../core/kit/tools.js";
import type { Ask, AskInput } from "../../../core/model/ask.js";
import type { Outcome } from "../../../core/model/outcome.js";
import { parseAsk } from "../../../core/rules/parse-ask.js";
import { codeBlock } from "../../../core/text/context.js";
import { writtenWords } from "../../../core/text/written-words.js";
import { ELICITATION_META_KEY } from "../../shapes/elicitation/shape.js";
import { elicitation } from "../../shapes/elicitation.js";
import {
  correctedMessage,
  type FormProblem,
  formContent,
  formQuestions,
} from "../../shapes/shared/schema-form.js";
import { isGap } from "../../shapes/shared.js";
import { approvalPayload, isApprovalSchema, offers } from "./approval.js";
import type { Interrupt, ResumeEntry } from "./shapes.js";

/** The tool call that an interrupt is about, as the messages have it. */
export interface ToolCallFacts {
  readonly name: string;
  readonly args: unknown;
}

/** An interrupt as an ask, and how to read its answer. */
export interface InterruptAsk {
  readonly content: Pick<AskInput, "questions" | "approval" | "context" | "allowPartial">;
  /** The payload of the response, or what is wrong with the answer: then the person is asked again. */
  read(ask: Ask, outcome: Outcome): Reading;
}

export type Reading = { readonly payload: unknown } | { readonly problems: readonly FormProblem[] };

/** `problems` are those of the last answer. */
export function interruptAsk(
  interrupt: Interrupt,
  call: ToolCallFacts | undefined,
  problems: readonly FormProblem[] = [],
): InterruptAsk {
  const candidates = [ownAsk, approvalAsk, formAsk, valueAsk, jsonAsk];
  for (const candidate of candidates) {
    const found = candidate(interrupt, call);
    const context = found && corrected(found.content.context, problems);
    // Such as a choice of a hundred, or two that look alike.
    if (found !== undefined && parseAsk({ ...found.content, context }).ok) {
      return { ...found, content: { ...found.content, ...(context !== undefined && { context }) } };
    }
  }
  return textAsk(interrupt, call, problems);
}

type Candidate = InterruptAsk | undefined;

function ownAsk({ metadata }: Interrupt): Candidate {
  const whole = metadata?.[ELICITATION_META_KEY];
  if (!isRecord(whole) || whole.approval !== undefined) return undefined;
  const decoded = elicitation.decodeAsk({ _meta: metadata });
  if (!decoded.ok) return undefined;
  const { questions, context, allowPartial } = decoded.ask;
  return {
    content: { questions, allowPartial, ...(context !== undefined && { context }) },
    read: (ask, outcome) => ({ payload: elicitation.encodeOutcome(ask, outcome).content ?? {} }),
  };
}

function approvalAsk(
  { reason, message, responseSchema: schema }: Interrupt,
  call?: ToolCallFacts,
): Candidate {
  if (schema === undefined ? reason !== "tool_call" : !isApprovalSchema(schema)) return undefined;
  const { name = reason, args } = call ?? {};
  const shown = isRecord(args) ? args : args === undefined ? {} : { input: args };
  const mayEdit = call !== undefined && offers(schema, "editedArgs");
  return {
    content: {
      approval: {
        actions: [
          {
            name,
            args: shown as JsonObject,
            ...(hasText(message) && { description: message }),
            // Without the call, nobody sees its arguments.
            ...(call === undefined && { once: true }),
            allow: mayEdit ? ["approve", "edit", "reject"] : ["approve", "reject"],
          },
        ],
      },
    },
    read: (_ask, outcome) => ({
      payload: approvalPayload(outcome.kind === "decided" ? outcome.decisions[0] : undefined, schema),
    }),
  };
}

function formAsk(interrupt: Interrupt, call?: ToolCallFacts): Candidate {
  const { responseSchema: schema, message } = interrupt;
  const form = formQuestions(schema);
  if (!form.ok) return undefined;
  const context = contextOf(interrupt, call, hasText(message) ? [message] : []);
  return {
    content: { questions: form.questions, allowPartial: form.allowPartial, ...context },
    read: (ask, outcome) => {
      const { content, problems } = formContent(schema, ask.questions, answersOf(outcome));
      return problems.length > 0 ? { problems } : { payload: content };
    },
  };
}

const VALUE = "answer";

/** A schema of one value, as a form with one field. */
function valueAsk(interrupt: Interrupt, call?: ToolCallFacts): Candidate {
  const {
    reason,
    message,
    responseSchema = reason === "confirmation" ? { type: "boolean" } : undefined,
  } = interrupt;
  if (responseSchema === undefined || isRecord(responseSchema.properties)) return undefined;
  const { title = "Answer", description } = responseSchema;
  const question = [message, description, title].find(hasText) ?? reason;
  const field = { ...responseSchema, title, description: question };
  const schema = { type: "object", properties: { [VALUE]: field }, required: [VALUE] };
  const form = formQuestions(schema);
  if (!form.ok) return undefined;
  return {
    content: { questions: form.questions, ...contextOf(interrupt, call) },
    read: (ask, outcome) => {
      const { content, problems } = formContent(schema, ask.questions, answersOf(outcome));
      return problems.length > 0 ? { problems } : { payload: content[VALUE] };
    },
  };
}

/** A schema that no form can show. */
function jsonAsk(interrupt: Interrupt, call?: ToolCallFacts): Candidate {
  const { responseSchema: schema } = interrupt;
  if (schema === undefined) return undefined;
  const about = `Answer with JSON that fits this schema:\n\n${codeBlock(JSON.stringify(schema, null, 2), "json")}`;
  const { question, rest } = questionText(interrupt);
  return {
    content: { questions: [{ question, options: [] }], ...contextOf(interrupt, call, [...rest, about]) },
    read: (_ask, outcome) => {
      const text = answersOf(outcome)[0]?.text ?? "";
      try {
        const payload = parseDocument(text);
        const isFit = schema.type !== "object" || isRecord(payload);
        return isFit ? { payload } : { problems: [{ title: "JSON", problem: "must be an object" }] };
      } catch (error) {
        return { problems: [{ title: "JSON", problem: messageOf(error) }] };
      }
    },
  };
}

function textAsk(
  interrupt: Interrupt,
  call: ToolCallFacts | undefined,
  problems: readonly FormProblem[],
): InterruptAsk {
  const { question, rest } = questionText(interrupt);
  const { context } = contextOf(interrupt, call, rest);
  const whole = corrected(context, problems);
  return {
    content: { questions: [{ question, options: [] }], ...(whole !== undefined && { context: whole }) },
    read: (_ask, outcome) => ({ payload: answersOf(outcome)[0]?.text ?? "" }),
  };
}

/** The message as the question; one that is too long, as its context. */
function questionText({ message, reason }: Interrupt): {
  readonly question: string;
  readonly rest: readonly string[];
} {
  const general = `The agent waits for you: ${hasText(reason) ? reason : "it needs input"}`;
  if (!hasText(message)) return { question: general, rest: [] };
  if (message.length <= LIMITS.questionLength) return { question: message, rest: [] };
  return { question: general, rest: [message] };
}

/** The tool call that the interrupt is about, and what else it says if it has no message. */
function contextOf(
  { message, metadata }: Interrupt,
  call: ToolCallFacts | undefined,
  first: readonly string[] = [],
): { readonly context?: string } {
  const parts = [
    ...first,
    ...(call === undefined
      ? []
      : [`\`${call.name}\`\n\n${codeBlock(JSON.stringify(call.args, null, 2) ?? "", "json")}`]),
    ...(hasText(message) || metadata === undefined
      ? []
      : [codeBlock(JSON.stringify(metadata, null, 2), "json")]),
  ];
  return parts.length === 0 ? {} : { context: parts.join("\n\n") };
}

function corrected(context: string | undefined, problems: readonly FormProblem[]): string | undefined {
  const text = correctedMessage(context ?? "", problems).trim();
  return text === "" ? undefined : text;
}

function answersOf(outcome: Outcome) {
  return outcome.kind === "answered" ? outcome.answers : [];
}

function hasText(value: unknown): value is string {
  return typeof value === "string" && !isBlank(value);
}

/** What the run is resumed with for an ask that has ended. An answer that comes too late is not sent. */
export function resumeEntry(
  { id, expiresAt, responseSchema: schema }: Interrupt,
  ask: Ask,
  outcome: Outcome,
  payload: unknown,
  now: number,
): ResumeEntry {
  // An empty payload reads as a yes, so an answer with everything skipped resolves nothing.
  const isGiven =
    outcome.kind === "decided" || (outcome.kind === "answered" && !outcome.answers.every(isGap));
  const isLate = expiresAt !== undefined && Date.parse(expiresAt) <= now;
  // The reason of a rejection may be in the payload already.
  const words = outcome.kind === "decided" && offers(schema, "reason") ? outcome.note : writtenWords(outcome);
  const metadata = {
    askline: {
      ask: ask.id,
      outcome: isGiven && isLate ? "expired" : outcome.kind,
      ...(words && { message: words }),
    },
  };
  return isGiven && !isLate
    ? { interruptId: id, status: "resolved", payload, metadata }
    : { interruptId: id, status: "cancelled", metadata };
}
