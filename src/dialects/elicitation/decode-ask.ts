// Reads a form: ours, which carries the whole request, or one of another server.

import { isRecord, type ParsedAsk, profiles } from "../../core/index.js";
import { ownValue } from "../../core/text/answers-by-text.js";
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
    const properties = isRecord(schema) ? schema.properties : undefined;
    if (!isRecord(input) || !isRecord(schema) || !isRecord(properties)) {
      return refused("wrong_type", ["requestedSchema"], "must be a form with properties");
    }
    const names = Object.keys(properties);
    const unknown = names.find((name) => !isQuestion(properties[name]));
    if (unknown !== undefined) {
      const message = "must be text or a choice; numbers and yes or no cannot be asked";
      return refused("invalid_value", ["requestedSchema", "properties", unknown], message);
    }
    const isOther = (name: string): boolean =>
      name.endsWith("_other") && choicesOf(ownValue(properties, name.slice(0, -"_other".length))).length > 0;
    return parsePicked(input, profiles.open, ({ message }) => ({
      context: typeof message === "string" && message.trim() !== "" ? message : undefined,
      allowPartial: names.some((name) => !isOther(name) && !isRequired(schema, name)),
      questions: names
        .filter((name) => !isOther(name))
        .map((name) => foreignQuestion(name, properties[name] as Fields, names.includes(`${name}_other`))),
    }));
  });
}

function isQuestion(property: unknown): boolean {
  return isRecord(property) && (property.type === "string" || choicesOf(property).length > 0);
}

function isRequired({ required }: Fields, name: string): boolean {
  return Array.isArray(required) && required.includes(name);
}

function foreignQuestion(id: string, property: Fields, freeText: boolean): Fields {
  const options = choicesOf(property);
  const { title, description } = property;
  return {
    id,
    question: description ?? title ?? id,
    ...(description !== undefined && { header: title }),
    options,
    multiSelect: property.type === "array",
    freeText: freeText || options.length === 0,
  };
}

function choicesOf(property: unknown): readonly Fields[] {
  if (!isRecord(property)) return [];
  const { type, items } = property;
  const holder = type === "array" && isRecord(items) ? items : type === "string" ? property : {};
  const titled = holder.oneOf ?? holder.anyOf;
  if (Array.isArray(titled)) {
    return titled.filter(isRecord).map((each) => ({ id: each.const, label: each.title ?? each.const }));
  }
  const titles = Array.isArray(holder.enumNames) ? holder.enumNames : [];
  return Array.isArray(holder.enum)
    ? holder.enum.map((value: unknown, index): Fields => ({ id: value, label: titles[index] ?? value }))
    : [];
}
