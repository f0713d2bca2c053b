import { foldName, isBlank } from "../../core/kit/fold.js";
import type { Ask } from "../../core/model/ask.js";
import type { Submission, SubmittedAnswer } from "../../core/model/ending.js";
import type { Option } from "../../core/model/option.js";
import type { Question } from "../../core/model/question.js";
import { displayLabel, displayLine } from "../../core/text/display.js";
import { numberedOptions } from "../../people/terminal/selection.js";
import { CommandError } from "../world/exit.js";

interface PartialAnswer {
  readonly selected: string[];
  text?: string;
  note?: string;
  skipped?: true;
}

/**
 * The answers of a command line: `values` such as `q2=1,3` (for a single question just `1,3`) and flags. Refuses
 * anything ambiguous; the server validates the answers.
 */
export function readSubmission(
  ask: Ask,
  values: readonly string[],
  flags: readonly AnswerFlag[],
  note: string | undefined,
): Submission {
  const answers = new Map<Question, PartialAnswer>();
  const answerOf = (question: Question): PartialAnswer => {
    const answer = answers.get(question) ?? { selected: [] };
    answers.set(question, answer);
    return answer;
  };
  for (const value of values) {
    const [question, text] = splitValue(ask, value);
    if (answers.has(question))
      throw new CommandError(`question ${question.id} is answered twice; answer it once`);
    addValue(answerOf(question), question, text);
  }
  let current: Question | undefined;
  for (const flag of flags) {
    if (flag.kind === "question") {
      current = requireQuestion(ask, flag.value);
      continue;
    }
    const question = current ?? onlyQuestion(ask, `--${flag.kind}`);
    addFlag(answerOf(question), question, flag);
  }
  if (answers.size === 0) {
    throw new CommandError(
      `no answer given; use --pick or --text, or question=choice for each (${ask.questions.map(({ id }) => id).join(", ")})`,
    );
  }
  return {
    answers: Array.from(answers, ([{ id }, answer]): SubmittedAnswer => ({ question: id, ...answer })),
    ...(note !== undefined && { note }),
  };
}

function addFlag(
  answer: PartialAnswer,
  question: Question,
  flag: Exclude<AnswerFlag, { kind: "question" }>,
): void {
  switch (flag.kind) {
    case "pick":
      answer.selected.push(requireOption(question, flag.value).id);
      return;
    case "text":
    case "note":
      if (answer[flag.kind] !== undefined) {
        throw new CommandError(`--${flag.kind} is given twice for question ${question.id}; give it once`);
      }
      answer[flag.kind] = flag.value;
      return;
    case "skip":
      answer.skipped = true;
  }
}

/** `1,3`, a label, ids, `other some text`; any text if there are no options. An empty value leaves the question out. */
function addValue(answer: PartialAnswer, question: Question, value: string): void {
  const text = value.trim();
  if (isBlank(text)) return;
  if (question.options.every(({ input }) => input)) {
    answer.text = value;
    return;
  }
  let rest = text;
  while (rest !== "") {
    // A label may contain a comma, so try the whole rest first.
    const whole = findOption(question, rest);
    const other = question.freeText ? /^(?:o|other)\s+(\S.*)$/is.exec(rest)?.[1] : undefined;
    if (whole === undefined && other !== undefined) {
      answer.text = other;
      return;
    }
    const comma = rest.indexOf(",");
    const part = whole !== undefined || comma < 0 ? rest : rest.slice(0, comma).trim();
    rest = whole !== undefined || comma < 0 ? "" : rest.slice(comma + 1).trim();
    if (part !== "") answer.selected.push(requireOption(question, part).id);
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
    `this ask has ${questions.length} questions (${questions.map(({ id }) => id).join(", ")}); name the one that ${what} answers: ${second?.id ?? "q2"}=1,3, or --question ${second?.id ?? "q2"} before it`,
  );
}

/** By id, by number, or by header. */
function findQuestion({ questions }: Ask, text: string): Question | undefined {
  const name = text.trim();
  const found = questions.filter(
    ({ id, header }, index) =>
      id === name ||
      String(index + 1) === name ||
      (header !== undefined && foldName(header) === foldName(name)),
  );
  if (found.length > 1) {
    const meanings = found.map(({ id, question }) => `${id} "${displayLine(question)}"`).join(" or ");
    throw new CommandError(
      `"${displayLine(name)}" could mean question ${meanings}; give the id or number of one`,
    );
  }
  return found[0];
}

function requireQuestion(ask: Ask, text: string): Question {
  const question = findQuestion(ask, text);
  if (question !== undefined) return question;
  const ids = ask.questions.map(({ id, header }) =>
    header === undefined ? id : `${id} ${displayLine(header)}`,
  );
  throw new CommandError(`unknown question "${displayLine(text)}"; this ask has ${ids.join(", ")}`);
}

// The flags of `askline answer` in their order: `--pick`, `--text`, `--note` and `--skip` belong to the `--question`
// before them.

export type AnswerFlag =
  | { readonly kind: "question" | "pick" | "text" | "note"; readonly value: string }
  | { readonly kind: "skip" };

/** Records the order of flags across options; commander keeps it only within one option. */
export interface FlagRecorder {
  readonly flags: readonly AnswerFlag[];
  /** An argument parser for a commander option that records the value. */
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

/** Finds an option by number (as `askline show` prints it), id or label. */
function findOption(question: Question, text: string): Option | undefined {
  const named = byName(question, text);
  const numbered = /^\d{1,4}$/.test(text) ? numberedOptions(question)[Number(text) - 1] : undefined;
  if (named !== undefined && numbered !== undefined && named !== numbered) {
    // With options such as "2", "4" and "8" a number is ambiguous, and a guess could be the wrong answer.
    throw new CommandError(
      `"${text}" is the number of "${displayLine(numbered.label)}" and the name of another option; give the id ${numbered.id} or ${named.id}`,
    );
  }
  return named ?? numbered;
}

/** Like {@link findOption}, but throws an error that lists the options. */
function requireOption(question: Question, text: string): Option {
  const option = findOption(question, text);
  if (option !== undefined) return option;
  const options = numberedOptions(question);
  if (options.length === 0) {
    throw new CommandError(`question ${question.id} has no options; answer it with --text`);
  }
  const list = options.map((option, index) => `${index + 1} ${displayLabel(option, options)}`).join(", ");
  throw new CommandError(`question ${question.id} has no option "${displayLine(text)}"; pick from: ${list}`);
}

function byName(question: Question, text: string): Option | undefined {
  const { options } = question;
  const exact = options.filter(({ id, label }) => id === text || label === text);
  const wanted = foldName(text);
  const found =
    exact.length > 0
      ? exact
      : options.filter(({ id, label }) => foldName(id) === wanted || foldName(label) === wanted);
  if (found.length > 1) {
    const numbers = numberedOptions(question);
    const meanings = found.map(
      (option) => `${numbers.indexOf(option) + 1} "${displayLabel(option, options)}"`,
    );
    throw new CommandError(
      `"${displayLine(text)}" could mean option ${meanings.join(" or ")}; pick it by its number`,
    );
  }
  return found[0];
}
