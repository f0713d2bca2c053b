import { formatIssues } from "../kit/issue.js";
import { type Profile, profiles } from "../kit/limits.js";
import type { Logger } from "../kit/logger.js";
import { AsklineError } from "../model/error.js";
import type { Question } from "../model/question.js";
import { checkAnswersByText } from "../text/answers-by-text.js";
import { untilAborted } from "./abort.js";
import type { AskTool } from "./ask-tool.js";
import { ASK_TOOL_DESCRIPTION, askToolSchema, parseToolInput, TOOL_NAME } from "./ask-tool-definition.js";

/** Asks a person and returns their answers: question text to label, labels joined with `", "`, or typed text. */
export type AnswerHandler = (
  questions: readonly Question[],
  options: { readonly signal?: AbortSignal },
) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;

export interface HandlerToolOptions {
  readonly name?: string;
  readonly handler: AnswerHandler;
  /** Whether to check what the handler returns; true by default. */
  readonly validateAnswers?: boolean;
  readonly profile?: Profile;
  readonly logger?: Logger;
}

/** The handler returned what is no answer to the questions. For the host to show; the model cannot mend it. */
export class InvalidAnswersError extends AsklineError {
  override readonly name: string = "InvalidAnswersError";

  constructor(message: string) {
    super("invalid_answer", message);
  }
}

const SUBAGENT_REFUSAL =
  "A subagent cannot ask the person. Finish with what you have, and tell the agent that called you what is open.";

/** Source 003's tool. It holds no state of its own, so calls may overlap as far as the handler allows it. */
export function createHandlerTool(options: HandlerToolOptions): AskTool {
  const profile = options.profile ?? profiles.spring;
  return {
    name: options.name ?? TOOL_NAME,
    description: ASK_TOOL_DESCRIPTION,
    inputSchema: askToolSchema(profile),
    async execute(input, { signal, subagent } = {}) {
      if (subagent) return { text: SUBAGENT_REFUSAL, isError: true };
      const parsed = parseToolInput(input, profile, {});
      if (!parsed.ok) {
        const text = `This cannot be asked. Correct it and call again:\n${formatIssues(parsed.issues)}`;
        return { text, isError: true, issues: parsed.issues };
      }
      const answers: unknown = await untilAborted(
        signal,
        Promise.resolve(options.handler(parsed.ask.questions, signal === undefined ? {} : { signal })),
      );
      if (options.validateAnswers ?? true) {
        const checked = checkAnswersByText(parsed.ask.questions, answers);
        if (!checked.ok) throw new InvalidAnswersError(checked.message);
        for (const warning of checked.warnings) options.logger?.warn(warning);
      }
      return { text: `User has answered your questions: ${JSON.stringify(answers)}`, isError: false };
    },
  };
}
