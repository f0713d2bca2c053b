// The rules for one schema. In a request, whatever was allowed must stay so; in a response, nothing may come that
// could not come before.

import { isRecord } from "../../../src/core/index.js";
import type { Comparer, Node } from "./contract.ts";

type Side = "request" | "response";

export function compareSchemas(
  comparer: Comparer,
  before: Node,
  after: Node,
  place: string,
  side: Side,
): void {
  if (typeof before.$ref === "string" || typeof after.$ref === "string") {
    compareNamed(comparer, before, after, place, side);
    return;
  }
  compareTypes(comparer, before, after, place, side);
  compareValues(comparer, before, after, place, side);
  compareBounds(comparer, before, after, place, side);
  compareFields(comparer, before, after, place, side);
  compareChoices(comparer, before, after, place, side);
  const [wasItems, isItems] = [before.items, after.items];
  if (isRecord(wasItems) && isRecord(isItems))
    compareSchemas(comparer, wasItems, isItems, `${place}[]`, side);
  for (const key of ["additionalProperties", "not", "items", "contentMediaType"]) {
    if (key === "items" && isRecord(wasItems) && isRecord(isItems)) continue;
    if (!same(before[key], after[key])) comparer.broken(place, `${key} has changed`);
  }
}

function compareNamed(comparer: Comparer, before: Node, after: Node, place: string, side: Side): void {
  const [was, is] = [resolve(before, comparer.schemas.before), resolve(after, comparer.schemas.after)];
  const pair = `${side} ${String(before.$ref)} ${String(after.$ref)}`;
  const isPlain = Object.keys(before).length === 1 && Object.keys(after).length === 1;
  if (isPlain && comparer.seen.has(pair)) return;
  if (isPlain) comparer.seen.add(pair);
  const name = String(after.$ref ?? before.$ref).replace(/^.*\//, "");
  compareSchemas(comparer, was, is, isPlain ? `${place} ${name}` : place, side);
}

/** The schema behind a reference, with what stands beside the reference laid over it. */
function resolve(schema: Node, schemas: Node): Node {
  const { $ref, ...beside } = schema;
  const target = typeof $ref === "string" ? schemas[$ref.slice($ref.lastIndexOf("/") + 1)] : {};
  return laidOver(isRecord(target) ? target : {}, beside);
}

function laidOver(under: Node, over: Node): Node {
  const keys = Object.keys(over).map((key) => {
    const [below, above] = [under[key], over[key]];
    return [key, isRecord(below) && isRecord(above) ? laidOver(below, above) : above];
  });
  return { ...under, ...Object.fromEntries(keys) };
}

function compareTypes(comparer: Comparer, before: Node, after: Node, place: string, side: Side): void {
  const [was, is] = [typesOf(before), typesOf(after)];
  if (was === undefined && is === undefined) return;
  const lost =
    was === undefined ? ["anything"] : is === undefined ? [] : was.filter((type) => !is.includes(type));
  const won =
    is === undefined ? ["anything"] : was === undefined ? [] : is.filter((type) => !was.includes(type));
  if (side === "request" && lost.length > 0) comparer.broken(place, `no longer takes ${lost.join(", ")}`);
  if (side === "response" && won.length > 0) comparer.broken(place, `may now be ${won.join(", ")}`);
  if (side === "request" && won.length > 0) comparer.added(place, `takes ${won.join(", ")}`);
  if (side === "response" && lost.length > 0) comparer.added(place, `is never ${lost.join(", ")}`);
}

function typesOf({ type }: Node): readonly unknown[] | undefined {
  const types = type === undefined ? undefined : [type].flat();
  // Every integer is a number.
  return types?.includes("number") ? [...types, "integer"] : types;
}

function compareValues(comparer: Comparer, before: Node, after: Node, place: string, side: Side): void {
  const [was, is] = [valuesOf(before), valuesOf(after)];
  if (was === undefined && is === undefined) return;
  if (was === undefined) {
    if (side === "request") comparer.broken(place, "takes only certain values now");
    else comparer.added(place, "has only certain values now");
    return;
  }
  if (is === undefined) {
    if (side === "request") comparer.added(place, "takes any value now");
    else comparer.broken(place, "may have any value now");
    return;
  }
  // A value that is gone was relied on by whoever sends it, and by whoever waits for it.
  for (const value of was) if (!is.includes(value)) comparer.broken(place, `${value} is gone`);
  for (const value of is) {
    if (was.includes(value)) continue;
    // Whoever reads a list that says it may grow was told to expect others.
    const harmless = side === "request" || before["x-extensible"] === true;
    if (harmless) comparer.added(place, `${value} is new`);
    else comparer.broken(place, `may now be ${value}, which its readers do not know`);
  }
}

function valuesOf(schema: Node): readonly string[] | undefined {
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  return Array.isArray(schema.enum) ? schema.enum.map((value) => JSON.stringify(value)) : undefined;
}

const LEAST = ["minimum", "minLength", "minItems"];
const MOST = ["maximum", "maxLength", "maxItems"];

function compareBounds(comparer: Comparer, before: Node, after: Node, place: string, side: Side): void {
  for (const key of [...LEAST, ...MOST]) {
    const none = LEAST.includes(key) ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    const [was, is] = [before[key] ?? none, after[key] ?? none] as [number, number];
    if (was === is) continue;
    const narrower = LEAST.includes(key) ? is > was : is < was;
    const change = `${key} was ${was}, is ${is}`;
    if (narrower === (side === "request")) comparer.broken(place, change);
    else comparer.added(place, change);
  }
  for (const key of ["pattern", "default"]) {
    if (same(before[key], after[key])) continue;
    const change = `${key} was ${String(before[key])}, is ${String(after[key])}`;
    const freed = after[key] === undefined && side === "request" && key === "pattern";
    if (freed) comparer.added(place, change);
    else comparer.broken(place, change);
  }
}

function compareFields(comparer: Comparer, before: Node, after: Node, place: string, side: Side): void {
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  const [needed, needs] = [requiredOf(before), requiredOf(after)];
  for (const [name, field] of Object.entries(was)) {
    const now = is[name];
    if (isRecord(now) && isRecord(field)) compareSchemas(comparer, field, now, `${place}.${name}`, side);
    else comparer.broken(`${place}.${name}`, "is gone");
  }
  for (const name of Object.keys(is)) {
    if (Object.hasOwn(was, name)) continue;
    if (side === "request" && needs.includes(name))
      comparer.broken(`${place}.${name}`, "is new and required");
    else comparer.added(`${place}.${name}`, "is new");
  }
  for (const name of needs.filter((one) => !needed.includes(one) && Object.hasOwn(was, one))) {
    if (side === "request") comparer.broken(`${place}.${name}`, "is required now");
    else comparer.added(`${place}.${name}`, "is always there now");
  }
  for (const name of needed.filter((one) => !needs.includes(one) && Object.hasOwn(is, one))) {
    if (side === "request") comparer.added(`${place}.${name}`, "may be left away now");
    else comparer.broken(`${place}.${name}`, "may be missing now");
  }
}

/** Alternatives are matched by what tells them apart: a fixed value, a name, or else their type and what they need. */
function compareChoices(comparer: Comparer, before: Node, after: Node, place: string, side: Side): void {
  const [was, is] = [choicesOf(before), choicesOf(after)];
  if (was === undefined && is === undefined) return;
  if (was === undefined || is === undefined) {
    comparer.broken(place, "its alternatives have changed");
    return;
  }
  for (const [name, choice] of was) {
    const now = is.get(name);
    if (now !== undefined) compareSchemas(comparer, choice, now, `${place}(${name})`, side);
    else if (side === "request") comparer.broken(`${place}(${name})`, "is no longer taken");
    else comparer.added(`${place}(${name})`, "no longer comes");
  }
  for (const name of is.keys()) {
    if (was.has(name)) continue;
    if (side === "request") comparer.added(`${place}(${name})`, "is taken now");
    else comparer.broken(`${place}(${name})`, "may come now, which its readers do not know");
  }
}

function choicesOf({ anyOf }: Node): ReadonlyMap<string, Node> | undefined {
  if (!Array.isArray(anyOf)) return undefined;
  const choices = anyOf.filter(isRecord);
  const names = choices.map(nameOf);
  // Two alternatives may have the same fixed value, and differ in what they need.
  const unique = names.map((name, index) =>
    names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} with ${neededBy(choices[index] ?? {})}`,
  );
  return new Map(choices.map((choice, index) => [unique[index] ?? "", choice]));
}

function nameOf(choice: Node, index: number): string {
  const fixed = Object.entries(fieldsOf(choice)).flatMap(([name, field]) =>
    isRecord(field) && field.const !== undefined ? [`${name} ${String(field.const)}`] : [],
  );
  if (fixed.length > 0) return fixed.join(", ");
  if (typeof choice.$ref === "string") return choice.$ref.replace(/^.*\//, "");
  return typeof choice.type === "string" ? choice.type : `number ${index + 1}`;
}

function neededBy(choice: Node): string {
  return requiredOf(choice).join(", ");
}

function fieldsOf({ properties }: Node): Node {
  return isRecord(properties) ? properties : {};
}

function requiredOf({ required }: Node): readonly string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
