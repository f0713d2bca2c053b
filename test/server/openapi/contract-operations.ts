// The rules for one path: its methods, their parameters and bodies, who may call, and what comes back.

import { type Comparer, type Node, nodeOf } from "./contract.ts";
import { compareSchemas } from "./contract-schemas.ts";

/** Compares what is in both, by name, and says what is gone and what is new. */
export function each(
  comparer: Comparer,
  before: Node,
  after: Node,
  place: string,
  what: string,
  compare: (place: string, before: Node, after: Node, name: string) => void,
): void {
  for (const [name, item] of Object.entries(before)) {
    const inside = `${place} ${name}`.trim();
    if (Object.hasOwn(after, name)) compare(inside, nodeOf(item), nodeOf(after[name]), name);
    else comparer.broken(inside, `${what} is gone`);
  }
  for (const name of Object.keys(after)) {
    if (!Object.hasOwn(before, name)) comparer.added(`${place} ${name}`.trim(), `${what} is new`);
  }
}

export function comparePaths(comparer: Comparer, before: Node, after: Node, path: string): void {
  const { parameters: ownBefore, ...methodsBefore } = before;
  const { parameters: ownAfter, ...methodsAfter } = after;
  each(comparer, methodsBefore, methodsAfter, path, "the method", (_place, was, is, method) => {
    const route = `${method.toUpperCase()} ${path}`;
    compareParameters(
      comparer,
      byName([...listOf(ownBefore), ...listOf(was.parameters)]),
      byName([...listOf(ownAfter), ...listOf(is.parameters)]),
      route,
    );
    compareBodies(comparer, was.requestBody, is.requestBody, `${route} body`);
    compareSecurity(comparer, listOf(was.security), listOf(is.security), route);
    compareResponses(comparer, nodeOf(was.responses), nodeOf(is.responses), route);
  });
}

function compareParameters(comparer: Comparer, before: Node, after: Node, route: string): void {
  each(comparer, before, after, route, "the parameter", (place, was, is) => {
    if (was.required !== true && is.required === true) comparer.broken(place, "is required now");
    compareSchemas(comparer, nodeOf(was.schema), nodeOf(is.schema), place, "request");
  });
  for (const [name, parameter] of Object.entries(after)) {
    const isNew = !Object.hasOwn(before, name);
    if (isNew && nodeOf(parameter).required === true)
      comparer.broken(`${route} ${name}`, "is new and required");
  }
}

function byName(parameters: readonly unknown[]): Node {
  return Object.fromEntries(
    parameters.map(nodeOf).map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]),
  );
}

function compareBodies(comparer: Comparer, before: unknown, after: unknown, place: string): void {
  const [was, is] = [nodeOf(before), nodeOf(after)];
  if (was.required !== true && is.required === true) comparer.broken(place, "is required now");
  if (before !== undefined && after === undefined) comparer.broken(place, "is gone");
  each(comparer, nodeOf(was.content), nodeOf(is.content), place, "the content type", (inside, then, now) =>
    compareSchemas(comparer, nodeOf(then.schema), nodeOf(now.schema), inside, "request"),
  );
}

/** Each entry is a way to be let in; where there is none, anyone is. */
function compareSecurity(
  comparer: Comparer,
  before: readonly unknown[],
  after: readonly unknown[],
  route: string,
): void {
  const was = before.map((way) => JSON.stringify(way));
  const is = after.map((way) => JSON.stringify(way));
  if (was.length === 0 && is.length > 0) comparer.broken(route, "needs a credential now");
  else if (was.length > 0 && is.length === 0) comparer.added(route, "needs no credential now");
  else {
    for (const way of was) if (!is.includes(way)) comparer.broken(route, `no longer lets in ${way}`);
    for (const way of is) if (!was.includes(way)) comparer.added(route, `lets in ${way}`);
  }
}

function compareResponses(comparer: Comparer, before: Node, after: Node, route: string): void {
  const { responses } = comparer;
  each(comparer, before, after, route, "the response", (place, one, other) => {
    const [was, is] = [shared(one, responses.before), shared(other, responses.after)];
    each(comparer, nodeOf(was.headers), nodeOf(is.headers), place, "the header", () => undefined);
    each(
      comparer,
      nodeOf(was.content),
      nodeOf(is.content),
      place,
      "the content type",
      (inside, then, now) => {
        compareSchemas(comparer, nodeOf(then.schema), nodeOf(now.schema), inside, "response");
        const [event, eventNow] = [nodeOf(then["x-event"]), nodeOf(now["x-event"])];
        compareSchemas(comparer, event, eventNow, `${inside} event`, "response");
      },
    );
  });
}

/** A response, or the one that it names. What it is called does not matter. */
function shared(response: Node, responses: Node): Node {
  const { $ref } = response;
  return typeof $ref === "string" ? nodeOf(responses[$ref.slice($ref.lastIndexOf("/") + 1)]) : response;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
