import {
  type AskFilter,
  AsklineError,
  type AskPage,
  type DeliveredAsk,
  deliverAsk,
  type Page,
} from "../../core/index.js";
import type { PageSize, Store } from "../seam/store.js";

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
  return async (filter, { after, limit = usual, order, maxSize = largestSize }) => {
    const { asks, next } = await store.asks.list({
      ...filter,
      ...(after !== undefined && { after: parseCursor(after) }),
      limit: Math.max(1, Math.min(whole("limit", limit), largest)),
      maxSize: Math.min(maxSize, largestSize),
      ...(order !== undefined && { order }),
    });
    return { asks: asks.map(deliverAsk), ...(next !== undefined && { next: String(next) }) };
  };
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
