// The part of the API's document that /v1 promises, as contract/v1.json freezes it.

import { isRecord } from "../../../src/core/index.js";

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
