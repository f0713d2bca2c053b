import type { Ask } from "./ask.js";
import type { Answerer } from "./outcome.js";

export const ASK_EVENT_TYPES = [
  "ask.created",
  "ask.opened",
  "ask.extended",
  "ask.overdue",
  "ask.answered",
  "ask.decided",
  "ask.declined",
  "ask.replied",
  "ask.expired",
  "ask.withdrawn",
  "ask.unavailable",
] as const;
export type AskEventType = (typeof ASK_EVENT_TYPES)[number];

/** Something that happened to an ask. Positions rise by one in each log and are never used again. */
export interface AskEvent {
  readonly position: number;
  readonly at: number;
  readonly type: AskEventType;
  readonly askId: string;
  /** Who did it, where a person or a policy did. */
  readonly by?: Answerer;
  /** The ask as it stood then, or as it stands when the event is read. Absent once it has been pruned. */
  readonly ask?: Ask;
}
