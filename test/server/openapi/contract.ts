// The part of the API's document that /v1 promises, as contract/v1.json freezes it.

import { isRecord } from "../../../src/core/kit/json.js";

type Node = Readonly<Record<string, unknown>>;

/** The text of contract/v1.json for a document: the routes under `/v1` and what they use, with sorted keys. */
export function contractText(document: Node): string {
  const paths = Object.fromEntries(
    Object.entries(nodeOf(document.paths)).filter(([path]) => path.startsWith("/v1/")),
  );
  const components = nodeOf(document.components);
  const used = new Set<string>();
  const collect = (value: unknown): void => {
    for (const [, kind = "", name = ""] of JSON.stringify(value).matchAll(
      /"#\/components\/(\w+)\/([\w-]+)"/g,
    )) {
      if (used.has(`${kind}/${name}`)) continue;
      used.add(`${kind}/${name}`);
      collect(nodeOf(components[kind])[name] ?? {});
    }
  };
  collect(paths);
  const usedOf = (kind: string): Node =>
    Object.fromEntries(
      Object.entries(nodeOf(components[kind])).filter(([name]) => used.has(`${kind}/${name}`)),
    );
  const contract = { paths, components: { schemas: usedOf("schemas"), responses: usedOf("responses") } };
  return `${JSON.stringify(promised(contract), null, 1)}\n`;
}

/** Descriptions may change at any time: no program relies on them. */
const WORDS = new Set(["summary", "title", "example", "tags"]);
/** Their keys are names, so a field called `title` stays. */
const MAPS = new Set(["properties", "schemas", "paths", "headers"]);

function promised(value: unknown, isMap = false): unknown {
  if (Array.isArray(value)) return value.map((item) => promised(item));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value)
    .filter(
      ([key, item]) => isMap || !(WORDS.has(key) || (key === "description" && typeof item === "string")),
    )
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => [key, promised(item, MAPS.has(key))]);
  return Object.fromEntries(entries);
}

function nodeOf(value: unknown): Node {
  return isRecord(value) ? value : {};
}

/** The paths of a contract with every reference replaced by what it names: two contracts of one meaning are equal. */
export function resolvedPaths({ paths, components }: Node): unknown {
  const known = new Map<string, unknown>();
  const named = (reference: string): unknown => {
    if (!known.has(reference)) {
      known.set(reference, reference);
      const [kind = "", name = ""] = reference.split("/").slice(2);
      known.set(reference, resolved(nodeOf(nodeOf(components)[kind])[name]));
    }
    return known.get(reference);
  };
  const resolved = (value: unknown, isMap = false): unknown => {
    if (Array.isArray(value)) return value.map((item) => resolved(item));
    if (!isRecord(value)) return value;
    const { $ref: reference, ...rest } = value;
    const entries = Object.entries(typeof reference === "string" && !isMap ? rest : value).map(
      ([key, item]) => [
        key,
        !isMap && SETS.has(key) && Array.isArray(item) ? item.toSorted() : resolved(item, MAPS.has(key)),
      ],
    );
    if (typeof reference !== "string" || isMap) return Object.fromEntries(entries);
    return entries.length === 0
      ? named(reference)
      : { ...Object.fromEntries(entries), also: named(reference) };
  };
  return resolved(paths, true);
}

/** Lists whose order means nothing. */
const SETS = new Set(["required", "enum"]);
