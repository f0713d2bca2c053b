import { TRACE_NAMESPACE } from "../seam/store.js";
import { DELIVERED_NAMESPACE } from "./deliveries.js";
import { DRAFT_NAMESPACE } from "./drafts.js";
import { SHOWN_NAMESPACE } from "./showings.js";

/** First looks, by ask, person and surface. */
export const OPENED_NAMESPACE = "opened";

/** The records that belong to an ask and go with it: their keys begin with its id and a slash. */
export const ASK_NAMESPACES: readonly string[] = [
  DELIVERED_NAMESPACE,
  DRAFT_NAMESPACE,
  OPENED_NAMESPACE,
  SHOWN_NAMESPACE,
  TRACE_NAMESPACE,
];

/** The key of a first look. */
export function openedKey(askId: string, person: string, surface: string): string {
  return `${askId}/${person}/${surface}`;
}
