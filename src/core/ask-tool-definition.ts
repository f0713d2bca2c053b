import type { JsonObject } from "./json.js";
import type { Profile } from "./limits.js";

/** The name that the model sees unless another is given. */
export const TOOL_NAME = "ask_user_question";

/** The Claude Agent SDK's spelling of the tool's name. */
export const SDK_TOOL_NAME = "AskUserQuestion";

/** What the model is told about the tool. */
export const ASK_TOOL_DESCRIPTION = `Ask the person you work for, and wait for the answer.

Use it when the work depends on something only they can decide: a preference, a choice between approaches with real trade-offs, a requirement that can be read in two ways. Do not use it for what you can find out yourself, nor to confirm what was already asked for.

- Put what belongs together into one call, each question standing on its own.
- Offer choices that differ, each with a description of what follows from it. Do not add an "Other" choice: the person is always offered a way to type an answer of their own.
- If you would recommend a choice, put it first and end its label with "(Recommended)".
- Set multiSelect to true when the choices can be combined, and word the question so.
- The person may decline, reply with something else, or not respond in time. The result says which; never treat those as an answer.`;

/** The tool's input as JSON Schema, within the limits of a profile. */
export function askToolSchema({ questions, options, headerRequired }: Profile): JsonObject {
  const required = [
    "question",
    ...(headerRequired ? ["header"] : []),
    ...(options.min > 0 ? ["options"] : []),
  ];
  return {
    type: "object",
    properties: {
      questions: {
        type: "array",
        description: `The questions to ask, ${questions.min} to ${questions.max} of them.`,
        minItems: questions.min,
        maxItems: questions.max,
        items: {
          type: "object",
          description: "One question.",
          properties: {
            question: {
              type: "string",
              description:
                'The whole question, clear without its choices and ending in a question mark. Example: "Which auth method should we use?"',
            },
            header: {
              type: "string",
              description: 'A very short label for it, 12 characters at most. Example: "Auth method"',
            },
            multiSelect: {
              type: "boolean",
              description: "True if several choices may be picked together. False by default.",
              default: false,
            },
            options: {
              type: "array",
              description: `The choices, ${options.min} to ${options.max} of them, with labels that differ. A way to type another answer is added for you.`,
              minItems: options.min,
              maxItems: options.max,
              items: {
                type: "object",
                description: "One choice.",
                properties: {
                  label: { type: "string", description: "What the person picks: one to five words." },
                  description: {
                    type: "string",
                    description: "What picking it means: what follows, what it costs.",
                  },
                  preview: {
                    type: "string",
                    description: "Something to look at before picking: a code snippet, a mock-up. Optional.",
                  },
                },
                required: ["label", "description"],
              },
            },
          },
          required,
        },
      },
      context: {
        type: "string",
        description: "What the person needs to know in order to decide, as markdown. Shown to them only.",
      },
    },
    required: ["questions"],
  };
}
