import type { Route } from "../call.js";

const patterns = new WeakMap<Route, string>();

/** The pattern of a route as people write it: `/v1/asks/{id}`. */
export function patternOf(route: Route): string {
  const known = patterns.get(route);
  if (known !== undefined) return known;
  const pattern = route.path.replaceAll(/:(\w+)/g, "{$1}");
  patterns.set(route, pattern);
  return pattern;
}
