// A form that another MCP server requests through Claude Code. The id of a question is the name of its property.

import { type Ask, type JsonObject, type Outcome, type ParsedAsk, parseAsk } from "../../core/index.js";
import { formContent, formFields, formQuestions } from "../shared/schema-form.js";
import { refused } from "../shared.js";

/** Refused, if questions cannot express the form; the client then shows its own. */
export function decodeElicitation(schema: JsonObject): ParsedAsk {
  const form = formQuestions(schema);
  if (!form.ok) return refused("invalid_value", ["requested_schema"], form.message);
  const names = formFields(schema).map(({ name }) => name);
  const questions = form.questions.map((question, index) => ({ ...question, id: names[index] }));
  return parseAsk({ questions, allowPartial: form.allowPartial });
}

/** `{ action, content? }`. Undefined for an outcome that decides nothing. */
export function encodeElicitation(schema: JsonObject, ask: Ask, outcome: Outcome): JsonObject | undefined {
  switch (outcome.kind) {
    case "declined":
    case "replied":
      return { action: "decline" };
    case "answered": {
      // What does not fit the form is sent as it is: the server refuses it in its own words.
      const { content } = formContent(schema, ask.questions, outcome.answers);
      return { action: "accept", content };
    }
    default:
      return undefined;
  }
}
