import { AsklineError } from "../../core/model/error.js";
import type { Option } from "../../core/model/option.js";
import type { Question } from "../../core/model/question.js";
import { displayLabel, displayLine, displayText } from "../../core/text/display.js";
import { hang } from "../cells/wrap.js";
import { type Dialogue, type Input, type Output, openDialogue } from "./dialogue.js";
import { inTurn } from "./in-turn.js";

export interface ConsoleHandlerOptions {
  readonly input: Input;
  readonly output: Output;
}

/** What `createAskTool({ handler })` takes: questions in, a map from question text to answer out. */
export type ConsoleHandler = (
  questions: readonly Question[],
  options?: { readonly signal?: AbortSignal },
) => Promise<Readonly<Record<string, string>>>;

/**
 * The console of the answers-map systems: a number, numbers separated by commas, or any text. Nothing is asked twice:
 * anything but option numbers is a text answer, and a blank line is `""`. Rejects with `closed` when the input ends
 * and with `aborted` when the signal aborts.
 *
 * @example
 * const tool = createAskTool({ handler: consoleHandler({ input: process.stdin, output: process.stdout }) });
 */
export function consoleHandler({ input, output }: ConsoleHandlerOptions): ConsoleHandler {
  return (questions, { signal } = {}) =>
    inTurn(input, async () => {
      if (signal?.aborted) throw aborted();
      const dialogue = openDialogue(input, output, signal);
      try {
        const answers: [string, string][] = [];
        for (const question of questions) {
          dialogue.say(questionText(question, dialogue.columns));
          answers.push([question.question, await readAnswer(dialogue, question)]);
        }
        // Not by assignment, since a question may be called `__proto__`.
        return Object.fromEntries(answers);
      } finally {
        dialogue.close();
      }
    });
}

function questionText(question: Question, columns: number | undefined): string {
  const header = question.header === undefined ? "" : `${displayLine(question.header)}: `;
  const lines = [
    "",
    hang("", `${header}${displayText(question.question)}`, columns),
    ...question.options.map((option, index) =>
      hang(`  ${index + 1}. `, optionText(option, question.options), columns),
    ),
    `  (${hint(question)})`,
  ];
  return `${lines.join("\n")}\n`;
}

function optionText(option: Option, options: readonly Option[]): string {
  const label = displayLabel(option, options);
  return option.description === undefined ? label : `${label} - ${displayText(option.description)}`;
}

function hint({ options, multiSelect }: Question): string {
  if (options.length === 0) return "Type your answer";
  const numbers = multiSelect ? "Enter numbers separated by commas" : "Enter a number";
  return `${numbers}, or type custom text`;
}

async function readAnswer(dialogue: Dialogue, question: Question): Promise<string> {
  const response = await readLine(dialogue, "");
  const picks = pickedOptions(response, question.options);
  if (picks.length === 0) return response;
  const parts: string[] = [];
  for (const option of picks) {
    // The label of an option that opens the text field is never the answer.
    parts.push(option.input ? await readLine(dialogue, `  ${displayLine(option.label)}: `) : option.label);
  }
  return parts.join(", ");
}

async function readLine(dialogue: Dialogue, prompt: string): Promise<string> {
  const line = await dialogue.ask(prompt);
  if (line.kind === "line") return line.text.trim();
  throw line.kind === "end"
    ? new AsklineError("closed", "the input ended before every question was answered")
    : aborted();
}

function aborted(): AsklineError {
  return new AsklineError("aborted", "aborted before an answer came");
}

const INTEGER = /^[+-]?\d+$/;
const GREATEST_INTEGER = 2 ** 31;

/** Empty if any part is not a whole number. Numbers out of range are ignored. */
function pickedOptions(response: string, options: readonly Option[]): readonly Option[] {
  // Trailing commas are ignored: `1,` is one pick.
  const parts = response.replace(/,+$/, "").split(",");
  const numbers = parts.map((part) => (INTEGER.test(part.trim()) ? Number(part) : Number.NaN));
  if (numbers.some((number) => !(Math.abs(number) < GREATEST_INTEGER))) return [];
  return numbers.flatMap((number) => options[number - 1] ?? []);
}
