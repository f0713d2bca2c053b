import { setImmediate as nextTurn } from "node:timers/promises";
import { defined } from "../../core/kit/tools.js";
import { ASK_ID, type Ask } from "../../core/model/ask.js";
import { noSuchAsk } from "../../core/model/error.js";
import type { AskPage } from "../../core/model/ports.js";
import { maySee, visibleFilter } from "../../core/model/visibility.js";
import { askSize } from "../../hub/seam/ask-size.js";
import { PAGE_SIZE, type PageSize } from "../../hub/seam/store.js";
import type { Principal } from "../access/principal.js";
import type { Call } from "./call.js";
import type { readListFilter, readPage } from "./read-query.js";

/** The most store pages that are read to fill one page of visible asks. */
const MOST_READS = 20;
const USUAL_PAGE = 50;

/** The ask of the path, if this principal may see it. */
export async function requireVisible(call: Call, principal: Principal): Promise<Ask> {
  const id = requireAskId(call);
  const ask = await call.services.hub.get(id);
  // The hub's error for an ask that does not exist, so that nobody learns that it exists.
  if (!maySee(principal, ask)) throw noSuchAsk(id);
  return ask;
}

/** The ask id in the path. An impossible id is not looked up. */
export function requireAskId(call: Call): string {
  const id = call.param("id");
  if (!ASK_ID.test(id)) throw noSuchAsk("of this id");
  return id;
}

/** A page of the asks that this principal may see. It may be shorter than its limit and still not be the last. */
export async function visiblePage(
  { hub, rateLimits }: Pick<Call["services"], "hub" | "rateLimits">,
  principal: Principal,
  filter: ReturnType<typeof readListFilter>,
  { after, limit = USUAL_PAGE, order, maxSize = PAGE_SIZE }: ReturnType<typeof readPage> & PageSize,
): Promise<AskPage> {
  const { sessions } = principal;
  if (filter.session !== undefined && sessions !== undefined && !sessions.includes(filter.session)) {
    return { asks: [] };
  }
  const visible = { ...visibleFilter(principal), ...filter };
  if (filter.id !== undefined) rateLimits.read(principal, COST_OF_SEARCH);
  const asks: Ask[] = [];
  let next = after;
  let room = maxSize;
  for (let read = 0; read < MOST_READS && asks.length < limit; read += 1) {
    if (read > 0) await nextTurn();
    const wanted = limit - asks.length;
    const page = await hub.list(visible, {
      limit: wanted,
      maxSize: room,
      ...defined({ after: next, order }),
    });
    chargeRead(rateLimits, principal, page.asks);
    const seen = page.asks.filter((ask) => maySee(principal, ask));
    asks.push(...seen);
    room -= sizeOf(seen);
    next = page.next;
    // The page before ended at its size: the next ask does not fit.
    if (next === undefined || room <= 0 || (asks.length > 0 && page.asks.length < wanted)) break;
  }
  return { asks, ...(next !== undefined && { next }) };
}

/** What looking at an ask costs, however small it is, in bytes of a token's rate. */
const COST_OF_ONE = 1_024;

/** What looking through the ids of all asks costs, as if so many bytes were read. */
const COST_OF_SEARCH = 1024 ** 2;

/** Charges a caller for asks that were read for it. Returns in how many milliseconds more may be read. */
export function chargeRead(
  rateLimits: Pick<Call["services"]["rateLimits"], "read">,
  principal: Principal,
  asks: readonly Ask[],
): number {
  return rateLimits.read(principal, sizeOf(asks) + asks.length * COST_OF_ONE);
}

function sizeOf(asks: readonly Ask[]): number {
  return asks.reduce((size, ask) => size + askSize(ask), 0);
}
