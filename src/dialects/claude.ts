// The Claude Agent SDK's AskUserQuestion: the tool's input, and what `canUseTool` returns for it.
//
// Lost from an ask in encode and decode: everything but its questions; ids (they become q1…, o1…), minPicks,
// maxPicks, `freeText: false`, `allowPartial: true`; `recommended` and `input` where the label does not say
// so; a preview's format, which is the session's `previewFormat`.
// Lost from an outcome: `expired`, `withdrawn`, `unavailable` and `decided` are denials and come back as
// `declined`, as does a partial answer where the session cannot be told of skipped questions; a decline's
// reason comes back inside the message that the model reads; the overall note comes back in the notes of the
// last question, and a policy's answer in notes that say so; who answered is for the decoder's caller to
// say; and answers are strings, with the losses of `answers-map`.

import { ownValue } from "../core/answers-by-text.js";
import {
  type Answer,
  type AskContent,
  decodeTextAnswer,
  describeOutcome,
  encodeTextAnswer,
  isRecord,
  LIMITS,
  type Outcome,
  type ParsedAsk,
  profiles,
  type Question,
  validateAnswers,
} from "../core/index.js";
import { type InputReader, inputReader, typeName } from "../core/input-reader.js";
import { quote } from "../core/quote.js";
import {
  type AnswerableAsk,
  checkEncoded,
  type DecodedOutcome,
  type DecodeOutcomeOptions,
  type EncodedAsk,
  labelAndDescription,
  neverThrowing,
  parsePicked,
  pickQuestions,
  repeatedTexts,
} from "./answers-map.js";

/** A session whose init message lists this may be told why a question has no answer. */
export const UNANSWERED_CAPABILITY = "ask_user_question_unanswered_v1";

export interface ClaudeOption {
  readonly label: string;
  readonly description: string;
  readonly preview?: string;
}

export interface ClaudeQuestion {
  readonly question: string;
  readonly header: string;
  readonly options: readonly ClaudeOption[];
  readonly multiSelect: boolean;
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

/** A type and no interface: `canUseTool` wants a record, and only a type is known to hold nothing else. */
export type ClaudeOutput = {
  /** The input's questions, echoed. */
  readonly questions: readonly unknown[];
  /** Question text to label, labels joined with `", "`, or typed text. */
  readonly answers: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, ClaudeAnnotation>>;
  /** What the person said instead of answering. */
  readonly response?: string;
};

export type ClaudePermission =
  | { readonly behavior: "allow"; readonly updatedInput: ClaudeOutput }
  | { readonly behavior: "deny"; readonly message: string };

export interface ClaudeDecodeOptions {
  /** What `toolConfig.askUserQuestion.previewFormat` says; `markdown` where it says nothing. */
  readonly previewFormat?: "markdown" | "html";
}

export interface ClaudeEncodeOptions {
  /** The tool's input as it came, so that its questions are echoed to the letter. */
  readonly input?: unknown;
  /** The `capabilities` of the session's init message. */
  readonly capabilities?: readonly string[];
}

/**
 * @example
 * const decoded = claude.decodeAsk(input);
 * return claude.encodeOutcome(ask, outcome, { input, capabilities }); // from canUseTool
 */
export const claude: {
  readonly decodeAsk: (input: unknown, options?: ClaudeDecodeOptions) => ParsedAsk;
  readonly encodeAsk: (ask: AskContent) => EncodedAsk<ClaudeInput>;
  /** Allows only with complete answers, a reply, or gaps that the session can be told of; else denies. */
  readonly encodeOutcome: (
    ask: AskContent,
    outcome: Outcome,
    options?: ClaudeEncodeOptions,
  ) => ClaudePermission;
  /** Takes what `canUseTool` returned, or its `updatedInput` alone. */
  readonly decodeOutcome: (
    ask: AnswerableAsk,
    output: unknown,
    options: DecodeOutcomeOptions,
  ) => DecodedOutcome;
} = { decodeAsk, encodeAsk, encodeOutcome, decodeOutcome };

function decodeAsk(input: unknown, { previewFormat = "markdown" }: ClaudeDecodeOptions = {}): ParsedAsk {
  return parsePicked(input, profiles.claude, (fields) => ({
    questions: pickQuestions(fields.questions, (option) => ({
      ...labelAndDescription(option),
      // Only a string is a preview here: its format is the session's to say, not the model's.
      preview:
        typeof option.preview === "string" ? { format: previewFormat, content: option.preview } : undefined,
    })),
  }));
}

function encodeAsk(ask: AskContent): EncodedAsk<ClaudeInput> {
  return checkEncoded(ask, { questions: encodeQuestions(ask) }, decodeAsk);
}

function encodeQuestions(ask: AskContent): readonly ClaudeQuestion[] {
  return ask.questions.map(({ question, header, options, multiSelect }) => ({
    question,
    header: header ?? "",
    options: options.map(({ label, description, preview }) => ({
      label,
      description: description ?? "",
      ...(preview !== undefined && { preview: preview.content }),
    })),
    multiSelect,
  }));
}

function encodeOutcome(
  ask: AskContent,
  outcome: Outcome,
  { input, capabilities }: ClaudeEncodeOptions = {},
): ClaudePermission {
  const questions =
    isRecord(input) && Array.isArray(input.questions) ? (input.questions as unknown[]) : encodeQuestions(ask);
  const canTellGaps = capabilities?.includes(UNANSWERED_CAPABILITY) ?? false;
  if (outcome.kind === "replied") {
    const annotations = Object.fromEntries(
      ask.questions.map(({ question }) => [question, { unanswered: "replied_in_chat" as const }]),
    );
    return {
      behavior: "allow",
      updatedInput: { questions, answers: {}, ...(canTellGaps && { annotations }), response: outcome.text },
    };
  }
  const hasGaps = outcome.kind === "answered" && outcome.answers.some(isGap);
  if (outcome.kind !== "answered" || (hasGaps && !canTellGaps) || repeatedTexts(ask).length > 0) {
    return { behavior: "deny", message: describeOutcome(ask, outcome) };
  }
  const pairs = ask.questions.flatMap((question) => {
    const answer = outcome.answers.find((candidate) => candidate.question === question.id);
    return answer === undefined ? [] : [{ question, answer }];
  });
  const answers = pairs
    .filter(({ answer }) => !isGap(answer))
    .map(({ question, answer }) => [question.question, encodeTextAnswer(question, answer)] as const);
  const annotations = pairs
    .map(({ question, answer }, index) => {
      const overall = index === pairs.length - 1 ? outcome.note : undefined;
      const policy =
        outcome.by.kind === "policy"
          ? `Chosen by the policy ${quote(outcome.by.name)}; no person answered.`
          : undefined;
      return [question.question, annotate(question, answer, [answer.note, overall, policy])] as const;
    })
    .filter(([, annotation]) => Object.keys(annotation).length > 0);
  return {
    behavior: "allow",
    updatedInput: {
      questions,
      // Object.fromEntries defines own properties, so that a question called `__proto__` stays in the map.
      answers: Object.fromEntries(answers),
      ...(annotations.length > 0 && { annotations: Object.fromEntries(annotations) }),
    },
  };
}

function isGap(answer: Answer): boolean {
  return answer.selected.length === 0 && answer.text === undefined;
}

function annotate(
  question: Question,
  answer: Answer,
  said: readonly (string | undefined)[],
): ClaudeAnnotation {
  const notes = said.filter((note) => note !== undefined).join("\n\n");
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

/** The outcome as far as the output says it; its answers are still to be validated. */
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
  const given = readRecord(fields.answers, ["answers"], reader);
  const annotations = readRecord(fields.annotations, ["annotations"], reader);
  const response = reader.text(fields.response, ["response"], { max: LIMITS.textLength });
  const asked = new Set(ask.questions.map(({ question }) => question));
  for (const key of Object.keys(given)) {
    if (!asked.has(key)) reader.add("unknown_question", ["answers", key], "is the text of no question");
  }
  const reasons = ask.questions.map(({ question }) =>
    reader.choice(
      readRecord(ownValue(annotations, question), ["annotations", question], reader).unanswered,
      ["annotations", question, "unanswered"],
      UNANSWERED,
    ),
  );
  const answers = ask.questions.map((question) =>
    readAnswer(
      question,
      ownValue(given, question.question),
      ownValue(annotations, question.question),
      reader,
    ),
  );
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
    ...decodeTextAnswer(question, typeof value === "string" ? value : ""),
    ...(note !== undefined && { note }),
  };
}

function readRecord(
  value: unknown,
  path: readonly string[],
  reader: InputReader,
): Readonly<Record<string, unknown>> {
  if (isRecord(value)) return value;
  const mayBeAbsent = path.length > 0 && path[0] !== "updatedInput";
  if (!mayBeAbsent || (value !== undefined && value !== null)) {
    reader.add("wrong_type", path, `must be an object, not ${typeName(value)}`);
  }
  return {};
}
