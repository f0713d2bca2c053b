// Whether a new form of the API breaks those who use the old one.
//
// A request may become more: a field that was needed no longer is, a bound is wider, a choice is added. A response may
// become more exact: a field that was optional is always there. Whatever else changes about what was there breaks
// somebody. What is added beside it does not, but has to be recorded, so that nobody adds to the contract unseen.

import { isRecord } from "../../../src/core/index.js";
import { comparePaths, each } from "./contract-operations.ts";

export type Node = Readonly<Record<string, unknown>>;

export interface Comparison {
  /** What breaks those who rely on the old form: where, and what. */
  readonly breaks: readonly string[];
  /** What is new, and harms nobody. */
  readonly additions: readonly string[];
}

/** The part of the document that is promised: what is under `/v1`, and what that uses. Keys are in order. */
export function contractOf(document: Node): Node {
  const paths = Object.fromEntries(
    Object.entries(nodeOf(document.paths)).filter(([path]) => path.startsWith("/v1/")),
  );
  const all = nodeOf(document.components);
  const used = new Set<string>();
  const collect = (value: unknown): void => {
    for (const [, kind = "", name = ""] of JSON.stringify(value).matchAll(
      /"#\/components\/(\w+)\/([\w-]+)"/g,
    )) {
      if (used.has(`${kind}/${name}`)) continue;
      used.add(`${kind}/${name}`);
      collect(nodeOf(all[kind])[name] ?? {});
    }
  };
  collect(paths);
  const kept = (kind: string): Node =>
    Object.fromEntries(Object.entries(nodeOf(all[kind])).filter(([name]) => used.has(`${kind}/${name}`)));
  return ordered({ paths, components: { schemas: kept("schemas"), responses: kept("responses") } }) as Node;
}

/** Words are not promised: only what a program can rely on is compared and kept. */
const WORDS = new Set(["summary", "title", "example", "tags"]);

function ordered(value: unknown, isMap = false): unknown {
  if (Array.isArray(value)) return value.map((item) => ordered(item));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value)
    .filter(
      ([key, item]) => isMap || !(WORDS.has(key) || (key === "description" && typeof item === "string")),
    )
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => [key, ordered(item, ["properties", "schemas", "paths", "headers"].includes(key))]);
  return Object.fromEntries(entries);
}

export function compareContracts(before: Node, after: Node): Comparison {
  const breaks: string[] = [];
  const additions: string[] = [];
  const part = (contract: Node, name: string): Node => nodeOf(nodeOf(contract.components)[name]);
  const comparer: Comparer = {
    broken: (place, what) => void breaks.push(`${place}: ${what}`),
    added: (place, what) => void additions.push(`${place}: ${what}`),
    schemas: { before: part(before, "schemas"), after: part(after, "schemas") },
    responses: { before: part(before, "responses"), after: part(after, "responses") },
    seen: new Set(),
  };
  each(comparer, nodeOf(before.paths), nodeOf(after.paths), "", "the route", (path, was, is) =>
    comparePaths(comparer, was, is, path),
  );
  return { breaks, additions };
}

export interface Comparer {
  broken(place: string, what: string): void;
  added(place: string, what: string): void;
  readonly schemas: { readonly before: Node; readonly after: Node };
  readonly responses: { readonly before: Node; readonly after: Node };
  /** Pairs of named schemas that were compared, or are being. */
  readonly seen: Set<string>;
}

export function nodeOf(value: unknown): Node {
  return isRecord(value) ? value : {};
}
