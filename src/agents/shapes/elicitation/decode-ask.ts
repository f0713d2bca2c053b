// Reads a form: ours, which carries the whole request, or one of another server.

import { isBlank } from "../../../core/kit/fold.js";
import { isRecord } from "../../../core/kit/json.js";
import { profiles } from "../../../core/kit/profiles.js";
import type { ParsedAsk } from "../../../core/rules/parse-ask.js";
import { CONFIRM, choicesOf, type FormField, formFields } from "../shared/schema-form.js";
import { type Fields, neverThrowing, parsePicked, refused } from "../shared.js";
import { ELICITATION_META_KEY } from "./shape.js";

/** A form of another server has no whole request: its choices and texts become questions. */
export function decodeAsk(input: unknown): ParsedAsk {
  return neverThrowing((): ParsedAsk => {
    const meta = isRecord(input) ? input._meta : undefined;
    const whole = isRecord(meta) ? meta[ELICITATION_META_KEY] : undefined;
    if (isRecord(whole)) {
      return parsePicked(whole, profiles.open, ({ questions, approval, context, allowPartial }) => ({
        ...(approval === undefined ? { questions } : { approval }),
        context,
        allowPartial,
      }));
    }
    const schema = isRecord(input) ? input.requestedSchema : undefined;
    if (!isRecord(input) || !isRecord(schema) || !isRecord(schema.properties)) {
      return refused("wrong_type", ["requestedSchema"], "must be a form with properties");
    }
    const fields = formFields(schema);
    const context = (message: unknown) =>
      typeof message === "string" && !isBlank(message) ? message : undefined;
    if (fields.length === 0) {
      const approval = { actions: [CONFIRM] };
      return parsePicked(input, profiles.open, ({ message }) => ({ approval, context: context(message) }));
    }
    const unknown = fields.find(({ property }) => property.type !== "string" && !isList(property));
    if (unknown !== undefined) {
      const message = "must be text or a choice; numbers and yes or no cannot be asked";
      return refused("invalid_value", ["requestedSchema", "properties", unknown.name], message);
    }
    const withChoices = fields.filter(({ property }) => (choicesOf(property) ?? []).length > 0);
    const others = new Set(withChoices.map(({ name }) => `${name}_other`));
    const asked = fields.filter(({ name }) => !others.has(name));
    return parsePicked(input, profiles.open, ({ message }) => ({
      context: context(message),
      allowPartial: asked.some(({ required }) => !required),
      questions: asked.map((field) =>
        foreignQuestion(
          field,
          fields.some(({ name }) => name === `${field.name}_other`),
        ),
      ),
    }));
  });
}

function isList(property: Fields): boolean {
  return property.type === "array" && (choicesOf(property) ?? []).length > 0;
}

/** The ids are the names and values of the form: an outcome is read and written with the ask alone. */
function foreignQuestion({ name, property }: FormField, freeText: boolean): Fields {
  const options = (choicesOf(property) ?? []).map(({ value, label }) => ({ id: value, label }));
  const { title, description } = property;
  return {
    id: name,
    question: description ?? title ?? name,
    ...(description !== undefined && { header: title }),
    options,
    multiSelect: property.type === "array",
    freeText: freeText || options.length === 0,
  };
}
