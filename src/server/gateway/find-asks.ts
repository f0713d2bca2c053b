import type { Ask } from "../../core/index.js";
import { maySee, visibleFilter } from "../../core/model/visibility.js";
import type { Hub } from "../../hub/index.js";
import type { Principal } from "../access/principal.js";

// A host that reconnects resumes recent asks. For older ones, sending the question again finds it.
const PAGE = 500;
const MOST_PAGES = 4;

/** Asks with one of these keys, among the newest asks that this principal may see. */
export async function findByKeys(
  hub: Hub,
  principal: Principal,
  keys: ReadonlySet<string>,
  session?: string,
): Promise<readonly Ask[]> {
  const found: Ask[] = [];
  if (keys.size === 0) return found;
  const filter = { ...visibleFilter(principal), ...(session !== undefined && { session }) };
  for (let read = 0, after: string | undefined; read < MOST_PAGES; read += 1) {
    const page = await hub.list(filter, {
      limit: PAGE,
      order: "newest",
      ...(after !== undefined && { after }),
    });
    found.push(...page.asks.filter((ask) => keys.has(ask.key ?? "") && maySee(principal, ask)));
    after = page.next;
    if (after === undefined) break;
  }
  return found;
}
