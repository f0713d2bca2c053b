import { LIMITS } from "../kit/limits.js";
import {
  type Fields,
  type InputOf,
  type IntegerField,
  isRepeated,
  type Model,
  type Unfinished,
} from "../read/field.js";
import { QUESTION_IDS } from "../read/give-ids.js";
import { at, type InputReader, type Path, parseJson } from "../read/input-reader.js";
import { OPTION, type Option, type OptionInput } from "./option.js";

/** One prompt. A question without options is answered by typed text only. */
export interface Question {
  /** Unique in the ask; q1, q2, … by default. */
  readonly id: string;
  /** The text of the question. */
  readonly question: string;
  /** A word or two above the question. */
  readonly header?: string;
  /** The choices; without any, the answer is typed text. */
  readonly options: readonly Option[];
  /** Whether several options may be chosen; false by default. Also read as multi_select or multiple. */
  readonly multiSelect: boolean;
  /** The fewest picks; typed text counts as one. Only with multiSelect. */
  readonly minPicks?: number;
  /** The most picks; typed text counts as one. Only with multiSelect. */
  readonly maxPicks?: number;
  /** Whether the person may type an answer; true by default. */
  readonly freeText: boolean;
}

/** What a caller may write for a question; `parseAsk` turns it into a {@link Question}. */
export type QuestionInput = InputOf<
  Question,
  "question",
  {
    /** The choices; without any, the answer is typed text. */
    readonly options?: readonly OptionInput[];
  }
>;

const PICKS = { kind: "integer", min: 1, max: 1_000 } as const satisfies IntegerField;

export const QUESTION: Model<Question> = {
  name: "Question",
  tool: "One question.",
  must: "an object with question and options",
  fields: {
    id: { kind: "id", max: LIMITS.idLength, known: true, about: "Unique in the ask; q1, q2, … by default." },
    question: {
      kind: "text",
      max: LIMITS.questionLength,
      blank: ["blank_question", "each question must have non-empty question text"],
      about: "The text of the question.",
      tool: {
        about:
          'The complete question, clear without its choices and ending with a question mark. Example: "Which auth method should we use?"',
        required: true,
      },
    },
    header: {
      kind: "text",
      max: LIMITS.headerLength,
      blank: ["blank_header", "each question must have a non-empty header"],
      blankIf: "headerRequired",
      about: "A word or two above the question.",
      tool: { about: 'A very short label, at most 12 characters. Example: "Auth method"' },
    },
    options: {
      kind: "list",
      of: OPTION,
      required: true,
      about: "The choices; without any, the answer is typed text.",
      tool: {
        about: ({ min, max }) =>
          `The choices, ${min} to ${max} of them, with distinct labels. A text field for another answer is added automatically.`,
      },
    },
    multiSelect: {
      kind: "flag",
      default: false,
      aliases: ["multi_select", "multiple"],
      about:
        "Whether several options may be chosen; false by default. Also read as multi_select or multiple.",
      tool: { about: "Whether several choices may be picked. False by default." },
    },
    minPicks: { ...PICKS, about: "The fewest picks; typed text counts as one. Only with multiSelect." },
    maxPicks: { ...PICKS, about: "The most picks; typed text counts as one. Only with multiSelect." },
    freeText: {
      kind: "flag",
      default: true,
      about: "Whether the person may type an answer; true by default.",
    },
  },
  list: {
    ids: QUESTION_IDS,
    names: { of: ({ header }) => header, what: "header of another question" },
    shape: "question",
    range: ({ questions: { min, max } }) => ({ min: Math.max(1, min), max }),
    wrongCount(count, { min, max }) {
      if (count === 0) return ["no_questions", "questions must be a non-empty array"];
      if (count < min) return ["no_questions", `at least ${min} questions are needed`];
      return ["too_many_questions", `maximum ${max} questions allowed`];
    },
    checkItem: refuseRepeatedText,
  },
  check: checkQuestion,
};

function refuseRepeatedText(
  questions: readonly Question[],
  index: number,
  path: Path,
  reader: InputReader,
): void {
  if (!reader.profile.uniqueQuestions || !isRepeated(questions, index, "question")) return;
  const message = "question texts must be unique, because answers are matched by them; reword this one";
  reader.add("duplicate_question", at(path, index), message, "question");
}

function checkQuestion(question: Unfinished<Question>, given: Fields, path: Path, reader: InputReader): void {
  if (given.secret === true) {
    const message = "questions cannot ask for a secret; ask where the secret is stored instead";
    reader.add("secret_refused", path, message, "secret");
  }
  if (!question.freeText && question.options.length === 0 && isEmptyList(given.options)) {
    reader.add("conflict", path, "a question without options needs free text", "freeText");
  }
  if (question.minPicks !== undefined || question.maxPicks !== undefined) checkPicks(question, path, reader);
}

function checkPicks(question: Unfinished<Question>, path: Path, reader: InputReader): void {
  const { minPicks, maxPicks, options, freeText } = question;
  if (!question.multiSelect) {
    if ((minPicks ?? 1) !== 1 || (maxPicks ?? 1) !== 1) {
      reader.add("conflict", path, "minPicks and maxPicks need multiSelect: true", "multiSelect");
    }
    // They are redundant here: a single choice is one pick.
    delete question.minPicks;
    delete question.maxPicks;
    return;
  }
  if (minPicks === undefined) return;
  if (maxPicks !== undefined && minPicks > maxPicks) {
    reader.add("conflict", path, "minPicks must not be greater than maxPicks", "minPicks");
  }
  // The option that opens the text field and the text itself are one pick, not two.
  const most = options.filter(({ input }) => !input).length + (freeText ? 1 : 0);
  if (minPicks > most) {
    const message = `minPicks must not be greater than ${most}, the number of possible picks`;
    reader.add("conflict", path, message, "minPicks");
  }
}

function isEmptyList(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  const list = typeof value === "string" ? parseJson(value) : value;
  return Array.isArray(list) && list.length === 0;
}
