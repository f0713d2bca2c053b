import {
  type Ask,
  displayLine,
  type Option,
  type Question,
  type Submission,
  type SubmittedAnswer,
} from "../../core/index.js";
import { numberedOptions } from "../../terminal/selection.js";
import { CommandError } from "../world/exit.js";

interface Given {
  readonly selected: string[];
  text?: string;
  note?: string;
  skipped?: true;
}

/**
 * The answers that a command line gives: `values` such as `q2=1,3` (or, for a single question, just `1,3`), and
 * flags. Refuses what it would have to guess; whether the answers fit is for the server to say.
 */
export function readSubmission(
  ask: Ask,
  values: readonly string[],
  flags: readonly AnswerFlag[],
  note: string | undefined,
): Submission {
  const answers = new Map<Question, Given>();
  const givenOf = (question: Question): Given => {
    const given = answers.get(question) ?? { selected: [] };
    answers.set(question, given);
    return given;
  };
  for (const value of values) {
    const [question, text] = splitValue(ask, value);
    if (answers.has(question))
      throw new CommandError(`question ${question.id} is answered twice; give it once`);
    addValue(givenOf(question), question, text);
  }
  let current: Question | undefined;
  for (const flag of flags) {
    if (flag.kind === "question") {
      current = requireQuestion(ask, flag.value);
      continue;
    }
    const question = current ?? onlyQuestion(ask, `--${flag.kind}`);
    addFlag(givenOf(question), question, flag);
  }
  if (answers.size === 0) {
    throw new CommandError(
      `there is no answer; give --pick or --text, or question=choice for each (${ask.questions.map(({ id }) => id).join(", ")})`,
    );
  }
  return {
    answers: Array.from(answers, ([{ id }, given]): SubmittedAnswer => ({ question: id, ...given })),
    ...(note !== undefined && { note }),
  };
}

function addFlag(given: Given, question: Question, flag: Exclude<AnswerFlag, { kind: "question" }>): void {
  switch (flag.kind) {
    case "pick":
      given.selected.push(requireOption(question, flag.value).id);
      return;
    case "text":
    case "note":
      if (given[flag.kind] !== undefined) {
        throw new CommandError(`--${flag.kind} is given twice for question ${question.id}; give it once`);
      }
      given[flag.kind] = flag.value;
      return;
    case "skip":
      given.skipped = true;
  }
}

/** `1,3`, a label, ids, `other some text`, any text where there are no options; nothing skips the question. */
function addValue(given: Given, question: Question, value: string): void {
  const text = value.trim();
  if (text === "") {
    given.skipped = true;
    return;
  }
  if (question.options.every(({ input }) => input)) {
    given.text = value;
    return;
  }
  let rest = text;
  while (rest !== "") {
    // A label may hold a comma: the whole rest comes first.
    const whole = findOption(question, rest);
    const other = question.freeText ? /^(?:o|other)\s+(\S.*)$/is.exec(rest)?.[1] : undefined;
    if (whole === undefined && other !== undefined) {
      given.text = other;
      return;
    }
    const comma = rest.indexOf(",");
    const part = whole !== undefined || comma < 0 ? rest : rest.slice(0, comma).trim();
    rest = whole !== undefined || comma < 0 ? "" : rest.slice(comma + 1).trim();
    if (part !== "") given.selected.push(requireOption(question, part).id);
  }
}

function splitValue(ask: Ask, value: string): readonly [Question, string] {
  const equals = value.indexOf("=");
  const named = equals < 0 ? undefined : findQuestion(ask, value.slice(0, equals));
  if (named !== undefined) return [named, value.slice(equals + 1)];
  if (equals >= 0 && ask.questions.length > 1) requireQuestion(ask, value.slice(0, equals));
  return [onlyQuestion(ask, `"${displayLine(value)}"`), value];
}

function onlyQuestion({ questions }: Ask, what: string): Question {
  const [only, second] = questions;
  if (only !== undefined && second === undefined) return only;
  throw new CommandError(
    `this ask has ${questions.length} questions (${questions.map(({ id }) => id).join(", ")}); say which one ${what} is for: ${second?.id ?? "q2"}=1,3, or --question ${second?.id ?? "q2"} before it`,
  );
}

/** By id, by number, or by header. */
function findQuestion({ questions }: Ask, text: string): Question | undefined {
  const name = text.trim();
  const exact = questions.find(({ id }) => id === name);
  if (exact !== undefined) return exact;
  if (/^\d{1,3}$/.test(name)) return questions[Number(name) - 1];
  const headed = questions.filter(({ header }) => header?.trim().toLowerCase() === name.toLowerCase());
  return headed.length === 1 ? headed[0] : undefined;
}

function requireQuestion(ask: Ask, text: string): Question {
  const question = findQuestion(ask, text);
  if (question !== undefined) return question;
  const ids = ask.questions.map(({ id, header }) =>
    header === undefined ? id : `${id} ${displayLine(header)}`,
  );
  throw new CommandError(`there is no question "${displayLine(text)}"; this ask has ${ids.join(", ")}`);
}

// What `askline answer` is given, in the order it was given: `--pick`, `--text`, `--note` and `--skip` belong to
// the `--question` before them.

export type AnswerFlag =
  | { readonly kind: "question" | "pick" | "text" | "note"; readonly value: string }
  | { readonly kind: "skip" };

/** Keeps the order of flags across options, which commander keeps only within one. */
export interface FlagRecorder {
  readonly flags: readonly AnswerFlag[];
  /** A parser for a commander option that records what it is given. */
  record(kind: "question" | "pick" | "text" | "note"): (value: string) => string;
  recordSkip(): void;
}

export function createFlagRecorder(): FlagRecorder {
  const flags: AnswerFlag[] = [];
  return {
    flags,
    record: (kind) => (value) => {
      flags.push({ kind, value });
      return value;
    },
    recordSkip() {
      flags.push({ kind: "skip" });
    },
  };
}

/** The option that a number (as `askline show` counts them), an id or a label names. Undefined where none. */
function findOption(question: Question, text: string): Option | undefined {
  const named = byName(question, text);
  const numbered = /^\d{1,4}$/.test(text) ? numberedOptions(question)[Number(text) - 1] : undefined;
  if (named !== undefined && numbered !== undefined && named !== numbered) {
    // Among options such as "2", "4" and "8" a number means two things; guessing would put words into a mouth.
    throw new CommandError(
      `"${text}" is the number of "${displayLine(numbered.label)}" and the name of another option; give the id ${numbered.id} or ${named.id}`,
    );
  }
  return named ?? numbered;
}

/** {@link findOption}, or an error that says what there is to pick. */
function requireOption(question: Question, text: string): Option {
  const option = findOption(question, text);
  if (option !== undefined) return option;
  const options = numberedOptions(question);
  if (options.length === 0) {
    throw new CommandError(`question ${question.id} has no options; answer it with --text`);
  }
  const list = options.map(({ label }, index) => `${index + 1} ${displayLine(label)}`).join(", ");
  throw new CommandError(`question ${question.id} has no option "${displayLine(text)}"; pick from: ${list}`);
}

function byName({ options }: Question, text: string): Option | undefined {
  const exact = options.find(({ id, label }) => id === text || label === text);
  if (exact !== undefined) return exact;
  const wanted = text.trim().toLowerCase();
  const loose = options.filter(({ id, label }) =>
    [id, label].some((name) => name.trim().toLowerCase() === wanted),
  );
  return loose.length === 1 ? loose[0] : undefined;
}
