import { displayLine, type Option, type Question } from "../../core/index.js";
import { numberedOptions } from "../../terminal/selection.js";
import { CommandError } from "../command-error.js";

/** The option that a number (as `askline show` counts them), an id or a label names. Undefined where none. */
export function findOption(question: Question, text: string): Option | undefined {
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
export function requireOption(question: Question, text: string): Option {
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
