// The schemas of the API's document, to check values with.

import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { isRecord } from "../../src/core/kit/json.js";
import type { SchemaName } from "../../src/server/openapi/schemas.js";
import { document } from "../../src/server/routes.js";

export const apiDocument = document();

export interface Checks {
  /** What is wrong with the value; undefined where nothing is. `pointer` is of the document. */
  at(pointer: string, value: unknown): string | undefined;
  schema(name: SchemaName, value: unknown): string | undefined;
}

/** As the document says: fields that it does not name are let through. */
export const openChecks: Checks = checksOf(apiDocument);

/** For what we send ourselves: a field that the document does not name is a mistake in one of the two. */
export const closedChecks: Checks = checksOf(closed(apiDocument));

function checksOf(whole: unknown): Checks {
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: false });
  ajv.addSchema(whole as object, "api");
  const compiled = new Map<string, ValidateFunction>();
  const at: Checks["at"] = (pointer, value) => {
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `api#${pointer}` });
    compiled.set(pointer, validate);
    return validate(value) ? undefined : ajv.errorsText(validate.errors, { dataVar: "body" });
  };
  return { at, schema: (name, value) => at(`/components/schemas/${name}`, value) };
}

/** The same with every object that names its fields taking no others. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (!isRecord(value)) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, closed(item)]));
  const isWhole = value.type === "object" && isRecord(value.properties) && value.anyOf === undefined;
  return isWhole ? { additionalProperties: false, ...inner } : inner;
}
