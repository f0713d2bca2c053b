// The `ask_user` command: one action, one line of JSON on stdout and an exit code. It does not wait for an answer: the
// host shows the prompt and reads back the number of an option.

import { messageOf } from "../../../core/kit/tools.js";
import { quote } from "../../../core/text/quote.js";
import { readText, type ToolboxError, type ToolboxPrompt } from "./prompt.js";

export type ToolboxOutput =
  | {
      readonly tool: "ask_user";
      readonly version: 1;
      readonly status: "ok";
      readonly prompt: ToolboxPrompt;
      readonly rendered_markdown: string;
    }
  | {
      readonly tool: "ask_user";
      readonly version: 1;
      readonly status: "error";
      readonly error: ToolboxError;
    };

/** `output` is exactly one line of JSON, without its line break. */
export interface ToolboxRun {
  readonly output: string;
  readonly exitCode: 0 | 1;
}

/**
 * What the command does for a `TOOLBOX_ACTION`. Reads standard input only for `execute`; `readStdin` throws a
 * `RangeError` for an input that is too long to read.
 */
export function runToolbox(action: string | undefined, readStdin: () => string): ToolboxRun {
  try {
    if (action === "describe") return { output: quote(describeToolbox()), exitCode: 0 };
    if (action === "execute") return executeToolbox(readStdin());
    const found = action === undefined || action === "" ? "it is not set" : `not ${quote(action)}`;
    return failed({
      code: "UNKNOWN_ACTION",
      message: `TOOLBOX_ACTION must be describe or execute; ${found}`,
    });
  } catch (error) {
    const code = error instanceof RangeError ? "INPUT_TOO_LONG" : "INTERNAL_ERROR";
    return failed({ code, message: messageOf(error) });
  }
}

export function executeToolbox(stdin: string): ToolboxRun {
  const read = readText(stdin);
  if (!read.ok) return failed(read.error);
  const { prompt } = read;
  const output: ToolboxOutput = {
    tool: "ask_user",
    version: 1,
    status: "ok",
    prompt,
    rendered_markdown: renderMarkdown(prompt),
  };
  return { output: quote(output), exitCode: 0 };
}

export interface ToolboxDescription {
  readonly name: "ask_user";
  readonly description: string;
  /** Name to type and meaning. */
  readonly args: Readonly<Record<"question" | "options" | "context", readonly [string, string]>>;
  readonly output: Readonly<Record<string, string>>;
}

export function describeToolbox(): ToolboxDescription {
  return {
    name: "ask_user",
    description:
      "Asks the person to choose one of 2 to 20 options. Show them rendered_markdown, then check their reply against prompt.answer_format.",
    args: {
      question: ["string", "The question for the person; not blank"],
      options: ["array", "2 to 20 distinct options: strings, or objects with label and description"],
      context: ["string", "Optional: background that the person needs to decide"],
    },
    output: {
      status: "ok or error",
      prompt: "The question, its numbered options, and answer_format: the range of valid replies",
      rendered_markdown: "The prompt as text for the person",
      error: "code and message, if status is error",
    },
  };
}

function renderMarkdown({ question, context, options }: ToolboxPrompt): string {
  const list = options.map(({ id, label, description }) =>
    description === "" ? `${id}. ${label}` : `${id}. ${label} — ${description}`,
  );
  return [
    ...(context === undefined ? [] : [`**Context:** ${context}`]),
    `**Question:** ${question}`,
    list.join("\n"),
    "_Reply with the option number._",
  ].join("\n\n");
}

function failed(error: ToolboxError): ToolboxRun {
  const output: ToolboxOutput = { tool: "ask_user", version: 1, status: "error", error };
  return { output: quote(output), exitCode: 1 };
}
