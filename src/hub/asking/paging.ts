import type { Ask, DeliveredAsk } from "../../core/model/ask.js";
import { deliverAsk } from "../../core/model/delivery.js";
import { AsklineError } from "../../core/model/error.js";
import type { AskFilter, AskPage, Page } from "../../core/model/ports.js";
import { matchesFilter } from "../../core/model/visibility.js";
import type { FoundIds, PageSize, Store } from "../seam/store.js";

export interface PageSizes {
  /** Asks on a page if the caller gives no limit. */
  readonly usual: number;
  readonly largest: number;
  /** Approximate characters of the asks on a page. A single ask may be larger. */
  readonly largestSize: number;
}

/** Lists pages of asks. Rejects an invalid cursor, and clamps the limit and the size. */
export function createListPage(
  store: Store,
  { usual, largest, largestSize }: PageSizes,
): (filter: AskFilter, page: Page & PageSize) => Promise<AskPage<DeliveredAsk>> {
  return async ({ id, ...filter }, { after, limit = usual, order, maxSize = largestSize }) => {
    if (id !== undefined) return { asks: (await findByPart(store, id, filter)).map(deliverAsk) };
    const { asks, next } = await store.asks.list({
      ...filter,
      after: after === undefined ? undefined : parseCursor(after),
      limit: Math.max(1, Math.min(whole("limit", limit), largest)),
      maxSize: Math.min(maxSize, largestSize),
      order,
    });
    return { asks: asks.map(deliverAsk), ...(next !== undefined && { next: String(next) }) };
  };
}

const FEWEST_CHARACTERS = 4;
/** Enough to see that a part is not unique, and which asks it could mean. */
const MOST_FOUND = 5;
/** A part that more ids contain than this, such as the time at their beginning, is not looked for any further. */
const MOST_READ = 1_000;

async function findByPart(store: Store, part: string, filter: AskFilter): Promise<readonly Ask[]> {
  if (part.length < FEWEST_CHARACTERS) {
    throw new AsklineError("invalid_request", `give at least ${FEWEST_CHARACTERS} characters of an id`);
  }
  const found: Ask[] = [];
  let read = 0;
  for (let after: string | undefined = ""; after !== undefined; ) {
    const page: FoundIds = await store.asks.findIds(part, after);
    for (let start = 0; start < page.ids.length; start += MOST_FOUND) {
      const asks = await store.asks.getMany(page.ids.slice(start, start + MOST_FOUND));
      found.push(...asks.filter((ask) => matchesFilter(ask, filter)));
      if (found.length >= MOST_FOUND) return found.slice(0, MOST_FOUND);
      read += asks.length;
      if (read >= MOST_READ) {
        throw new AsklineError("invalid_request", `too many ids contain "${part}"; give more of the id`);
      }
    }
    after = page.next;
  }
  return found;
}

function parseCursor(cursor: string): number {
  const position = /^\d{1,15}$/.test(cursor) ? Number(cursor) : Number.NaN;
  if (Number.isSafeInteger(position)) return position;
  throw new AsklineError("invalid_request", `"${cursor}" is not a cursor; use the next of the previous page`);
}

/** Clamps a number to a safe integer, which every store accepts: a caller may pass Infinity for "all". */
export function whole(name: string, value: number): number {
  if (Number.isNaN(value)) throw new AsklineError("invalid_request", `${name} is not a number`);
  return Math.max(0, Math.min(Math.ceil(value), Number.MAX_SAFE_INTEGER));
}
