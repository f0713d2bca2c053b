import type { Route } from "./call.js";

export interface FoundRoute {
  readonly route: Route;
  /** A part of the path, by its name in the route. One that is badly encoded stays as it is. */
  param(name: string): string;
}

/** Finds the route of a path; `{name}` in a route's path stands for one part. */
export function createRouter(routes: readonly Route[]): (path: string) => FoundRoute | undefined {
  const exact = new Map<string, FoundRoute>();
  const patterns: (readonly [RegExp, Route])[] = [];
  for (const route of routes) {
    if (!route.path.includes("{")) exact.set(route.path, { route, param: () => "" });
    else patterns.push([new RegExp(`^${route.path.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`), route]);
  }
  return (path) => {
    const known = exact.get(path);
    if (known !== undefined) return known;
    for (const [pattern, route] of patterns) {
      const match = pattern.exec(path);
      if (match !== null) return { route, param: (name) => decode(match.groups?.[name] ?? "") };
    }
    return undefined;
  };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
