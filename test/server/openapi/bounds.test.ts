import { describe, expect, it } from "vitest";
import { isRecord } from "../../../src/core/kit/json.js";
import { parseAsk } from "../../../src/index.js";
import { apiDocument, openChecks } from "../../support/api-schemas.ts";
import { BODIES } from "./bodies.ts";

type Schema = Readonly<Record<string, unknown>>;
type Path = readonly (string | number)[];

interface Bound {
  readonly path: Path;
  readonly within: unknown;
  readonly beyond: unknown;
}

/** The bounds of a schema at each place of a value that keeps to it. */
function boundsOf(schema: Schema, value: unknown, path: Path = []): readonly Bound[] {
  const { $ref, anyOf, properties, items } = schema;
  if (typeof $ref === "string") return boundsOf(resolve($ref), value, path);
  const branches = Array.isArray(anyOf) ? (anyOf as readonly Schema[]).filter((one) => fits(one, value)) : [];
  const inside = [
    ...(isRecord(properties) && isRecord(value)
      ? Object.entries(properties).flatMap(([name, field]) =>
          Object.hasOwn(value, name) ? boundsOf(field as Schema, value[name], [...path, name]) : [],
        )
      : []),
    ...(isRecord(items) && Array.isArray(value)
      ? value.flatMap((item, index) => boundsOf(items, item, [...path, index]))
      : []),
  ];
  return [...branches.flatMap((one) => boundsOf(one, value, path)), ...inside, ...own(schema, value, path)];
}

function own(
  { maxLength, minimum, maximum, maxItems, items }: Schema,
  value: unknown,
  path: Path,
): readonly Bound[] {
  if (typeof value === "string" && typeof maxLength === "number") {
    return [{ path, within: "x".repeat(maxLength), beyond: "x".repeat(maxLength + 1) }];
  }
  if (typeof value === "number" && typeof minimum === "number" && typeof maximum === "number") {
    return [
      { path, within: minimum, beyond: minimum - 1 },
      { path, within: maximum, beyond: maximum + 1 },
    ];
  }
  if (Array.isArray(value) && typeof maxItems === "number" && maxItems * value.length > 0) {
    const many = (length: number): unknown =>
      Array.from({ length }, (_, index) =>
        isRecord(items) && "enum" in items ? value.at(-1) : numbered(value.at(-1), index),
      );
    return [{ path, within: many(maxItems), beyond: many(maxItems + 1) }];
  }
  return [];
}

/** Another one of the same, with another name. */
function numbered(item: unknown, index: number): unknown {
  if (typeof item === "string") return `${item} ${index}`;
  return isRecord(item) ? { ...item, id: `id ${index}` } : item;
}

function fits(schema: Schema, value: unknown): boolean {
  const type = Array.isArray(value) ? "array" : typeof value;
  const known = typeof schema.$ref === "string" ? resolve(schema.$ref) : schema;
  const types = [known.type].flat();
  return known.type === undefined || types.includes(type) || (type === "number" && types.includes("integer"));
}

function resolve(ref: string): Schema {
  const { schemas } = apiDocument.components as never as {
    readonly schemas: Readonly<Record<string, Schema>>;
  };
  return schemas[ref.slice(ref.lastIndexOf("/") + 1)] ?? {};
}

function replaced(value: unknown, [part, ...rest]: Path, by: unknown): unknown {
  if (part === undefined) return by;
  if (Array.isArray(value)) return value.map((item, at) => (at === part ? replaced(item, rest, by) : item));
  const fields = value as Readonly<Record<string, unknown>>;
  return { ...fields, [part]: replaced(fields[part], rest, by) };
}

/** Of what stands there; a name is spoken of as the label that it is. Two fields together are not about a bound. */
const issuesAt = (body: unknown, path: Path): readonly string[] => {
  const parsed = parseAsk(body);
  if (parsed.ok) return [];
  return parsed.issues
    .filter(({ code }) => !["conflict", "duplicate_id", "duplicate_label"].includes(code))
    .filter((issue) =>
      path.every((part, at) => part === issue.path[at] || (part === "name" && issue.path[at] === "label")),
    )
    .map(({ code }) => code);
};

describe.each([1, 2])("every bound of an ask's schema, in body %i", (index) => {
  const body = BODIES.AskInput?.[index];
  const bounds = boundsOf(resolve("AskInput"), body);

  it("is there", () => {
    expect(bounds.length).toBeGreaterThan(5);
  });

  it.each(bounds.map((bound) => [bound.path.join("."), bound] as const))(
    "%s is the parser's",
    (_name, { path, within, beyond }) => {
      const good = replaced(body, path, within);
      expect(issuesAt(good, path)).toEqual([]);
      const bad = replaced(body, path, beyond);
      expect(issuesAt(bad, path)).not.toEqual([]);
      expect(openChecks.schema("AskInput", bad)).toBeDefined();
    },
  );
});
