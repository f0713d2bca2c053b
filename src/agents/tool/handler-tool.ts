import { formatIssues } from "../../core/kit/issue.js";
import type { Logger } from "../../core/kit/logger.js";
import { type Profile, profiles } from "../../core/kit/profiles.js";
import { AsklineError } from "../../core/model/error.js";
import type { Question } from "../../core/model/question.js";
import { untilAborted } from "../../core/rules/abort.js";
import { checkAnswersByText } from "../../core/text/answers-by-text.js";
import { quote } from "../../core/text/quote.js";
import type { AskTool } from "./ask-tool.js";
import {
  ASK_TOOL_DESCRIPTION,
  askToolSchema,
  parseToolInput,
  SUBAGENT_REFUSAL,
  TOOL_NAME,
} from "./ask-tool-definition.js";

/** From question text to a label, to labels joined with `", "`, or to typed text. */
export type HandlerAnswers = Readonly<Record<string, string>> | ReadonlyMap<string, string>;

/** Asks a person and returns the answers, as an object or a `Map`. */
export type AnswerHandler = (
  questions: readonly Question[],
  options: { readonly signal?: AbortSignal },
) => HandlerAnswers | Promise<HandlerAnswers>;

export interface HandlerToolOptions {
  /** The tool's name for the model; `ask_user_question` by default. */
  readonly name?: string;
  /** Asks the person and returns a map from question text to answer. Nothing is stored. */
  readonly handler: AnswerHandler;
  /** Whether to check the map that the handler returns; true by default. */
  readonly validateAnswers?: boolean;
  /** The limits of what a model may ask; `profiles.spring` by default. */
  readonly profile?: Profile;
  /** Whether `inputSchema` has the form that OpenAI's strict mode needs; false by default. */
  readonly strict?: boolean;
  /** Receives warnings, such as of an answer to a question that was not asked; the console by default. */
  readonly logger?: Logger;
}

/** The handler did not return valid answers. This is an error of the host, which the model cannot fix. */
export class InvalidAnswersError extends AsklineError {
  override readonly name: string = "InvalidAnswersError";

  constructor(message: string) {
    super("invalid_answer", message);
  }
}

/** The ask tool over an answers map. It has no state, so calls may overlap if the handler allows it. */
export function createHandlerTool(options: HandlerToolOptions): AskTool {
  const { profile = profiles.spring, logger = console } = options;
  return {
    name: options.name ?? TOOL_NAME,
    description: ASK_TOOL_DESCRIPTION,
    inputSchema: askToolSchema(profile, options),
    async execute(input, { signal, subagent } = {}) {
      if (subagent) return { text: SUBAGENT_REFUSAL, isError: true };
      const parsed = parseToolInput(input, profile, {});
      if (!parsed.ok) {
        const text = `The input is invalid, and nothing was asked. Fix these problems and call the tool again:\n${formatIssues(parsed.issues)}`;
        return { text, isError: true, issues: parsed.issues };
      }
      const returned: unknown = await untilAborted(
        signal,
        Promise.resolve(options.handler(parsed.ask.questions, signal === undefined ? {} : { signal })),
      );
      // Object.fromEntries defines own properties, so that a question called `__proto__` stays in the map.
      const answers = returned instanceof Map ? Object.fromEntries(returned) : returned;
      if (options.validateAnswers ?? true) {
        const checked = checkAnswersByText(parsed.ask.questions, answers);
        if (!checked.ok) throw new InvalidAnswersError(checked.message);
        const [first, ...more] = checked.unknownKeys;
        if (first !== undefined) logger.warn(warningOf([first, ...more]));
      }
      return { text: `User has answered your questions: ${JSON.stringify(answers)}`, isError: false };
    },
  };
}

// A warning names at most this many unknown keys.
const MOST_KEYS_NAMED = 10;

/** The map goes to the model whole, as the answers map's own tool passes it on. */
function warningOf(unknownKeys: readonly string[]): string {
  const named = unknownKeys.slice(0, MOST_KEYS_NAMED).map(quote).join(", ");
  const more = unknownKeys.length - MOST_KEYS_NAMED;
  return `The answer handler returned keys that are not the text of any question: ${named}${more > 0 ? ` and ${more} more` : ""}. They are passed on to the model with the answers.`;
}
