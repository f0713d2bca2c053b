// A form that another MCP server requests through Claude Code. The id of a question is the name of its property.

import type { JsonObject } from "../../../core/kit/json.js";
import type { Ask } from "../../../core/model/ask.js";
import type { Outcome } from "../../../core/model/outcome.js";
import { type ParsedAsk, parseAsk } from "../../../core/rules/parse-ask.js";
import { askOfForm, formFields, replyToForm } from "../shared/schema-form.js";
import { refused } from "../shared.js";

/** Refused, if an ask cannot express the form; the client then shows its own. */
export function decodeElicitation(schema: JsonObject): ParsedAsk {
  const form = askOfForm(schema);
  if (!form.ok) return refused("invalid_value", ["requested_schema"], form.message);
  const names = formFields(schema).map(({ name }) => name);
  const questions = form.content.questions?.map((question, index) => ({ ...question, id: names[index] }));
  return parseAsk({ ...form.content, questions });
}

/** `{ action, content? }`. Undefined for an outcome that decides nothing. */
export function encodeElicitation(schema: JsonObject, ask: Ask, outcome: Outcome): JsonObject | undefined {
  const reply = replyToForm(schema, ask.questions, outcome);
  if (reply?.action !== "accept") return reply;
  // What does not fit the form is sent as it is: the server refuses it in its own words.
  return { action: "accept", content: reply.content };
}
