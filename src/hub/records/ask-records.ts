import { TRACE_NAMESPACE } from "../seam/store.js";
import { CALLBACK_NAMESPACE } from "./callbacks.js";
import { DELIVERED_NAMESPACE } from "./deliveries.js";
import { DRAFT_NAMESPACE } from "./drafts.js";
import { RESUME_NAMESPACE } from "./resumes.js";
import { SHOWN_NAMESPACE } from "./showings.js";
import { TOUCHED_NAMESPACE } from "./touches.js";

/** The devices that were notified of an ask, and how. */
export const NOTIFIED_NAMESPACE = "notified";

/** The first look at an ask, by person and surface. */
export const OPENED_NAMESPACE = "opened";

/** The records that are pruned with their ask. Their keys begin with the ask's id and a slash. */
export const ASK_NAMESPACES: readonly string[] = [
  CALLBACK_NAMESPACE,
  DELIVERED_NAMESPACE,
  NOTIFIED_NAMESPACE,
  DRAFT_NAMESPACE,
  OPENED_NAMESPACE,
  RESUME_NAMESPACE,
  SHOWN_NAMESPACE,
  TOUCHED_NAMESPACE,
  TRACE_NAMESPACE,
];

export function openedKey(askId: string, person: string, surface: string): string {
  return `${askId}/${person}/${surface}`;
}
