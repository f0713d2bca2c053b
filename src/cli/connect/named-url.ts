import type { World } from "../world/world.js";

/** The URL from the flags or the environment, if given. */
export function namedUrl({ url }: { readonly url?: string }, { environment }: World): string | undefined {
  return url ?? (environment.ASKLINE_URL || undefined);
}
