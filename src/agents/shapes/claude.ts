// The Claude Agent SDK's AskUserQuestion: the tool's input, and what `canUseTool` or a hook returns for it.
//
// A session is never allowed to go on with a question silently unanswered: a partial answer is a denial, unless the
// session's capabilities list `UNANSWERED_CAPABILITY`. Its model never sees which questions are annotated as unanswered,
// so these get words as their answer too. An answer that a policy gave carries a note that says so.
//
// Several labels are one string, written as the CLI writes it: a label that contains `", "` or `"` is quoted as JSON.
// The CLI takes such a label without the quotes for typed text; here both are read.

import { isBlank } from "../../core/kit/fold.js";
import { isRecord } from "../../core/kit/json.js";
import { LIMITS } from "../../core/kit/limits.js";
import { profiles } from "../../core/kit/profiles.js";
import type { AskContent } from "../../core/model/ask.js";
import type { Answer, Outcome } from "../../core/model/outcome.js";
import type { Question } from "../../core/model/question.js";
import type { AnswersMap } from "../../core/model/stream-event.js";
import { type InputReader, inputReader, typeName } from "../../core/read/input-reader.js";
import type { ParsedAsk } from "../../core/rules/parse-ask.js";
import { validateAnswers } from "../../core/rules/validate-answers.js";
import { ownValue } from "../../core/text/answers-by-text.js";
import { describeOutcome, describePolicy } from "../../core/text/describe-outcome.js";
import { answerParts, decodeTextAnswer } from "../../core/text/text-answer.js";
import type { AnswerableAsk, DecodedOutcome, DecodeOutcomeOptions, Dialect, EncodedAsk } from "./dialect.js";
import {
  answersByText,
  checkEncoded,
  type Fields,
  isGap,
  labelAndDescription,
  mapRecords,
  neverThrowing,
  PLAIN_LOSSES,
  type PlainOption,
  type PlainQuestion,
  parsePicked,
  pickQuestions,
  plainQuestions,
  repeatedTexts,
  unknownKeys,
} from "./shared.js";

/** A session whose init message lists this accepts questions without an answer, each with the reason. */
export const UNANSWERED_CAPABILITY = "ask_user_question_unanswered_v1";

export interface ClaudeOption extends PlainOption {
  readonly preview?: string;
}

export interface ClaudeQuestion extends PlainQuestion {
  readonly options: readonly ClaudeOption[];
}

export interface ClaudeInput {
  readonly questions: readonly ClaudeQuestion[];
}

const UNANSWERED = ["skipped", "replied_in_chat", "dismissed"] as const;

export interface ClaudeAnnotation {
  readonly notes?: string;
  /** The preview of the chosen option. */
  readonly preview?: string;
  readonly unanswered?: (typeof UNANSWERED)[number];
}

/** A type, not an interface: `canUseTool` takes a record, and an interface is not assignable to one. */
export type ClaudeOutput = {
  /** The input's questions, echoed. */
  readonly questions: readonly unknown[];
  /** Question text to label, labels joined with `", "`, typed text, or words for a skipped question. */
  readonly answers: AnswersMap;
  readonly annotations?: Readonly<Record<string, ClaudeAnnotation>>;
  /** What the person said instead of answering. Only the callback knows it. */
  readonly response?: string;
};

export type ClaudePermission =
  | { readonly behavior: "allow"; readonly updatedInput: ClaudeOutput }
  | { readonly behavior: "deny"; readonly message: string };

export interface ClaudeDecodeOptions {
  /** The session's `toolConfig.askUserQuestion.previewFormat`; `markdown` by default. */
  readonly previewFormat?: "markdown" | "html" | undefined;
}

export interface ClaudeEncodeOptions {
  /** The tool's input as it was received; its questions are echoed unchanged. */
  readonly input?: unknown;
  /** The `capabilities` of the session's init message. */
  readonly capabilities?: readonly string[] | undefined;
  /**
   * What the permission is returned from: the callback `canUseTool`, by default, or a hook. Hooks drop `response`, so a
   * reply is a denial there, with the reply in its message.
   */
  readonly from?: "callback" | "hook";
}

export interface ClaudeDialect extends Dialect<ClaudeInput, ClaudePermission> {
  readonly decodeAsk: (input: unknown, options?: ClaudeDecodeOptions) => ParsedAsk;
  /** Allows complete answers, a reply to the callback, and gaps if the session accepts them; otherwise denies. */
  readonly encodeOutcome: (
    ask: AskContent,
    outcome: Outcome,
    options?: ClaudeEncodeOptions,
  ) => ClaudePermission;
  /** Accepts what `canUseTool` returned, or its `updatedInput` alone. */
  readonly decodeOutcome: Dialect["decodeOutcome"];
}

/**
 * @example
 * const decoded = claude.decodeAsk(input);
 * return claude.encodeOutcome(ask, outcome, { input, capabilities }); // from canUseTool
 */
export const claude: ClaudeDialect = {
  name: "claude",
  profile: profiles.claude,
  carries: ["questions", "multiSelect"],
  endings: {
    answered: "answered",
    decided: "declined",
    declined: "declined",
    replied: "replied",
    expired: "declined",
    withdrawn: "declined",
    unavailable: "declined",
  },
  losses: {
    ask: [...PLAIN_LOSSES, "context", "preview format", "allowPartial: true", "input"],
    outcome: ["overall note", "reasons", "ambiguous text"],
  },
  decodeAsk,
  encodeAsk,
  encodeOutcome,
  decodeOutcome,
};

function decodeAsk(input: unknown, { previewFormat = "markdown" }: ClaudeDecodeOptions = {}): ParsedAsk {
  /** The places of questions that are answered with text alone. */
  const typed = new Set<number>();
  const parsed = parsePicked(input, profiles.claude, (fields) => {
    const questions = mapRecords(fields.questions, (question, index) => {
      if (!isOfUnknownKind(question)) return question;
      typed.add(index);
      return { ...question, header: question.header || question.kind, options: ANY, multiSelect: false };
    });
    return {
      questions: pickQuestions(questions, (option) => ({
        ...labelAndDescription(option),
        // Only a string is a preview here: the session chooses its format, not the model.
        preview:
          typeof option.preview === "string" ? { format: previewFormat, content: option.preview } : undefined,
      })),
    };
  });
  if (!parsed.ok || typed.size === 0) return parsed;
  const questions = parsed.ask.questions.map((question, index) =>
    typed.has(index) ? Object.freeze({ ...question, options: Object.freeze([]) }) : question,
  );
  return { ok: true, ask: Object.freeze({ ...parsed.ask, questions: Object.freeze(questions) }) };
}

/** Options that the parser accepts, for a question that has none. */
const ANY = [{ label: "1" }, { label: "2" }];

/** A question of a newer schema, such as `kind: "text"` or `kind: "number"`, without options: the answer is typed. */
function isOfUnknownKind({ kind, options }: Fields): boolean {
  const hasOptions =
    options !== undefined && options !== null && !(Array.isArray(options) && options.length === 0);
  return typeof kind === "string" && kind.trim() !== "" && !hasOptions;
}

function encodeAsk(ask: AskContent): EncodedAsk<ClaudeInput> {
  return checkEncoded(ask, { questions: encodeQuestions(ask) }, decodeAsk);
}

function encodeQuestions(ask: AskContent): readonly ClaudeQuestion[] {
  return plainQuestions(ask).map((question, index) => ({
    ...question,
    options: question.options.map((option, place): ClaudeOption => {
      const preview = ask.questions[index]?.options[place]?.preview;
      return preview === undefined ? option : { ...option, preview: preview.content };
    }),
  }));
}

function encodeOutcome(
  ask: AskContent,
  outcome: Outcome,
  { input, capabilities, from = "callback" }: ClaudeEncodeOptions = {},
): ClaudePermission {
  const questions =
    isRecord(input) && Array.isArray(input.questions) ? (input.questions as unknown[]) : encodeQuestions(ask);
  const acceptsGaps = capabilities?.includes(UNANSWERED_CAPABILITY) ?? false;
  if (outcome.kind === "replied" && from === "callback") {
    const annotations = Object.fromEntries(
      ask.questions.map(({ question }) => [question, { unanswered: "replied_in_chat" as const }]),
    );
    return {
      behavior: "allow",
      updatedInput: { questions, answers: {}, ...(acceptsGaps && { annotations }), response: outcome.text },
    };
  }
  const hasGaps = outcome.kind === "answered" && outcome.answers.some(isGap);
  if (outcome.kind !== "answered" || (hasGaps && !acceptsGaps) || repeatedTexts(ask).length > 0) {
    return { behavior: "deny", message: describeOutcome(ask, outcome) };
  }
  const pairs = ask.questions.flatMap((question) => {
    const answer = outcome.answers.find((candidate) => candidate.question === question.id);
    return answer === undefined ? [] : [{ question, answer }];
  });
  const annotations = pairs
    .map(({ question, answer }, index) => {
      const overall = index === pairs.length - 1 ? outcome.note : undefined;
      const policy =
        outcome.by.kind === "policy"
          ? `Chosen by ${describePolicy(outcome.by).replace(/^T/, "t")}; no person answered.`
          : undefined;
      return [question.question, annotate(question, answer, [answer.note, overall, policy])] as const;
    })
    .filter(([, annotation]) => Object.keys(annotation).length > 0);
  return {
    behavior: "allow",
    updatedInput: {
      questions,
      answers: answersByText(ask, outcome.answers, { write: joinAnswer, skip: skipWord }),
      // Object.fromEntries defines own properties, so that a question called `__proto__` stays in the map.
      ...(annotations.length > 0 && { annotations: Object.fromEntries(annotations) }),
    },
  };
}

/** As the CLI joins several labels; typed text is the last part, as it is. */
function joinAnswer(question: Question, answer: Answer): string {
  if (!question.multiSelect) return answerParts(question, answer).join(", ");
  return answerParts(quotedLabels(question), answer).join(", ");
}

function quotedLabels(question: Question): Question {
  const options = question.options.map((option) => ({
    ...option,
    label: /, |"/.test(option.label) ? JSON.stringify(option.label) : option.label,
  }));
  return { ...question, options };
}

/** Reads one string as picks and text: labels as they are, or quoted as the CLI quotes them. */
function splitAnswer(question: Question, text: string): Answer {
  const plain = decodeTextAnswer(question, text);
  if (!question.multiSelect || plain.text === undefined) return plain;
  const quoted = decodeTextAnswer(quotedLabels(question), text);
  return quoted.text === undefined || quoted.selected.length > plain.selected.length ? quoted : plain;
}

const SKIP_WORDS = ["(skipped)", "(not answered)"] as const;

/** Not the label of an option, which would then seem to be chosen. */
function skipWord({ options }: Question): string {
  const [usual, other] = SKIP_WORDS;
  return options.some(({ label }) => label === usual) ? other : usual;
}

function annotate(
  question: Question,
  answer: Answer,
  notesOf: readonly (string | undefined)[],
): ClaudeAnnotation {
  const notes = notesOf.filter((note) => note !== undefined).join("\n\n");
  const [only, ...more] = question.options.filter(({ id }) => answer.selected.includes(id));
  return {
    ...(notes !== "" && { notes }),
    ...(only?.preview !== undefined && more.length === 0 && { preview: only.preview.content }),
    ...(isGap(answer) && { unanswered: "skipped" as const }),
  };
}

function decodeOutcome(ask: AnswerableAsk, output: unknown, { by }: DecodeOutcomeOptions): DecodedOutcome {
  return neverThrowing((): DecodedOutcome => {
    const reader = inputReader();
    const outcome = readOutcome(ask, output, by, reader);
    if (reader.issues.length > 0 || outcome === undefined) return { ok: false, issues: reader.issues };
    if (outcome.kind !== "answered") return { ok: true, outcome };
    const validated = validateAnswers(ask, outcome.answers);
    return validated.ok ? { ok: true, outcome: { ...outcome, answers: validated.answers } } : validated;
  });
}

/** The outcome that the output describes; its answers are not validated yet. */
function readOutcome(
  ask: AnswerableAsk,
  output: unknown,
  by: DecodeOutcomeOptions["by"],
  reader: InputReader,
): Outcome | undefined {
  const whole = readRecord(output, [], reader);
  if (whole.behavior === "deny") {
    const reason = reader.text(whole.message, ["message"], { max: LIMITS.reasonLength });
    return { kind: "declined", ...(reason !== undefined && { reason }), by };
  }
  const fields =
    whole.behavior === "allow" ? readRecord(whole.updatedInput, ["updatedInput"], reader) : whole;
  for (const { code, path, message } of repeatedTexts(ask)) reader.add(code, path, message);
  const answerTexts = readRecord(fields.answers, ["answers"], reader);
  const annotations = readRecord(fields.annotations, ["annotations"], reader);
  const response = reader.text(fields.response, ["response"], { max: LIMITS.textLength });
  const texts = ask.questions.map(({ question }) => question);
  for (const key of unknownKeys(answerTexts, texts)) {
    reader.add("unknown_question", ["answers", key], "is not the text of any question");
  }
  const reasons = ask.questions.map(({ question }) =>
    reader.choice(
      readRecord(ownValue(annotations, question), ["annotations", question], reader).unanswered,
      ["annotations", question, "unanswered"],
      UNANSWERED,
    ),
  );
  const answers = ask.questions.map((question, index) => {
    const value = ownValue(answerTexts, question.question);
    const isSkipWord = reasons[index] !== undefined && SKIP_WORDS.some((word) => word === value);
    const answer = readAnswer(
      question,
      isSkipWord ? undefined : value,
      ownValue(annotations, question.question),
      reader,
    );
    return isGap(answer) && reasons[index] === "skipped" ? { ...answer, skipped: true as const } : answer;
  });
  if (answers.every(isGap)) {
    if (response !== undefined) return { kind: "replied", text: response, by };
    if (reasons.length > 0 && reasons.every((reason) => reason === "dismissed"))
      return { kind: "declined", by };
  }
  ask.questions.forEach(({ question }, index) => {
    const answer = answers[index];
    if (reasons[index] !== undefined && answer !== undefined && !isGap(answer)) {
      reader.add("conflict", ["annotations", question, "unanswered"], "the question has an answer as well");
    }
  });
  return { kind: "answered", answers, ...(response !== undefined && { note: response }), by };
}

function readAnswer(question: Question, value: unknown, annotation: unknown, reader: InputReader): Answer {
  const path = ["answers", question.question];
  if (value !== undefined && value !== null && typeof value !== "string") {
    reader.add("wrong_type", path, `must be a string, not ${typeName(value)}`);
  }
  const notes = isRecord(annotation) ? annotation.notes : undefined;
  const note = reader.text(notes, ["annotations", question.question, "notes"], { max: LIMITS.noteLength });
  return {
    // Blank text leaves the question out.
    ...(typeof value === "string" && !isBlank(value)
      ? splitAnswer(question, value)
      : { question: question.id, selected: [] }),
    ...(note !== undefined && { note }),
  };
}

function readRecord(value: unknown, path: readonly string[], reader: InputReader): Fields {
  if (isRecord(value)) return value;
  const mayBeAbsent = path.length > 0 && path[0] !== "updatedInput";
  if (!mayBeAbsent || (value !== undefined && value !== null)) {
    reader.add("wrong_type", path, `must be an object, not ${typeName(value)}`);
  }
  return {};
}
