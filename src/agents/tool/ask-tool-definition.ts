import { isRecord } from "../../core/kit/json.js";
import type { Profile, Range } from "../../core/kit/profiles.js";
import { messageOf } from "../../core/kit/tools.js";
import { ASK_REQUEST, type AskInput } from "../../core/model/ask.js";
import {
  type AnyModel,
  entriesOf,
  type Field,
  type ListField,
  type ToolField,
} from "../../core/read/field.js";
import { typeName } from "../../core/read/input-reader.js";
import { type ParsedAsk, parseAsk } from "../../core/rules/parse-ask.js";

/** The default name of the tool. */
export const TOOL_NAME = "ask_user_question";

/** The tool's name in the Claude Agent SDK. */
export const SDK_TOOL_NAME = "AskUserQuestion";

/** The description of the tool for the model. */
export const ASK_TOOL_DESCRIPTION = `Ask the person you work for, and wait for the answer.

Use this tool when the work depends on something only the person can decide: a preference, a choice between approaches with real trade-offs, an ambiguous requirement. Do not use it for things you can find out yourself, or to confirm something the person already asked for.

- Put related questions into one call. Each question must make sense on its own.
- Offer distinct choices, each with a description of its consequences. Do not add an "Other" choice: the person can always type an answer of their own.
- If you recommend a choice, put it first and end its label with "(Recommended)".
- Set multiSelect to true if several choices can be combined, and phrase the question accordingly.
- The person may decline, reply with something else, or not respond in time. The result says which of these happened; never treat it as an answer.`;

export const SUBAGENT_REFUSAL =
  "A subagent cannot ask the person. Continue with what you know, and report the open question to the agent that called you.";

// Type aliases with mutable lists, because frameworks declare their JSON Schema types so.
type TypeName = "object" | "array" | "string" | "boolean";

/** The part of JSON Schema that the ask tool uses. */
export type ToolSchema = {
  type: TypeName | [TypeName, "null"];
  description?: string;
  properties?: Record<string, ToolSchema>;
  required?: string[];
  additionalProperties?: boolean;
  items?: ToolSchema;
  minItems?: number;
  maxItems?: number;
  default?: boolean;
};

/** The schema of the ask tool's input. */
export type AskToolSchema<Strict extends boolean = boolean> = {
  type: "object";
  description?: string;
  properties: Record<string, ToolSchema>;
  required: string[];
  additionalProperties: Strict extends true ? false : true;
};

interface Form {
  readonly profile: Profile;
  readonly strict: boolean;
}

/**
 * The tool's input as JSON Schema, with the fields that a model may write and the limits of a profile. In the strict
 * form, which OpenAI calls structured outputs, every field is required, and an optional one may be null.
 */
export function askToolSchema<Strict extends boolean = false>(
  profile: Profile,
  options: { readonly strict?: Strict } = {},
): AskToolSchema<Strict> {
  return objectSchema(ASK_REQUEST, { profile, strict: options.strict ?? false }) as AskToolSchema<Strict>;
}

function objectSchema({ fields = {}, tool }: AnyModel, form: Form): AskToolSchema {
  const properties: Record<string, ToolSchema> = {};
  const required: string[] = [];
  for (const [name, field] of entriesOf(fields)) {
    if (field.tool === undefined) continue;
    const schema = fieldSchema(field, field.tool, form);
    const needed = field.tool.required || isNeeded(field, form.profile);
    properties[name] = form.strict && !needed ? orNull(schema) : schema;
    if (needed || form.strict) required.push(name);
  }
  return {
    type: "object",
    ...(tool !== undefined && { description: tool }),
    properties,
    required,
    additionalProperties: !form.strict,
  };
}

function orNull({ default: _, ...schema }: ToolSchema): ToolSchema {
  return typeof schema.type === "string" ? { ...schema, type: [schema.type, "null"] } : schema;
}

/** Whether the profile requires the field. */
function isNeeded(field: Field, profile: Profile): boolean {
  if (field.kind === "list") return rangeOf(field, profile).min > 0;
  return field.kind === "text" && field.blankIf !== undefined && profile[field.blankIf];
}

function fieldSchema(field: Field, { about }: ToolField, form: Form): ToolSchema {
  if (field.kind === "list") {
    const { min, max } = rangeOf(field, form.profile);
    return {
      type: "array",
      description: typeof about === "string" ? about : about({ min, max }),
      minItems: min,
      maxItems: max,
      items: objectSchema(field.of, form),
    };
  }
  const description = String(about);
  if (field.kind === "flag") return { type: "boolean", description, default: field.default === true };
  return { type: "string", description };
}

function rangeOf({ of }: ListField, profile: Profile): Range {
  return of.list?.range(profile) ?? { min: 0, max: 0 };
}

/** Takes only the questions and their context from the model; the host sets everything else. */
export function parseToolInput(
  input: unknown,
  profile: Profile,
  host: Omit<AskInput, "questions" | "approval">,
): ParsedAsk {
  let fields = input;
  if (typeof input === "string") {
    try {
      fields = JSON.parse(input);
    } catch (error) {
      const message = messageOf(error);
      return { ok: false, issues: [{ code: "invalid_json", path: [], message }] };
    }
  }
  if (!isRecord(fields)) {
    const message = `must be an object with questions, not ${typeName(fields)}`;
    return { ok: false, issues: [{ code: "wrong_type", path: [], message }] };
  }
  return parseAsk(
    { ...host, questions: fields.questions, context: fields.context ?? host.context },
    { profile },
  );
}
