import { LIMITS } from "../limits.js";
import { ASK, type Ask } from "./ask.js";
import type { Model } from "./field.js";
import { ASK_EVENT_TYPES, type AskEventType } from "./kinds.js";
import { ANSWERER, type Answerer } from "./outcome.js";

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

export const ASK_EVENT: Model<AskEvent> = {
  name: "AskEvent",
  must: "an event",
  fields: {
    position: {
      kind: "integer",
      min: 0,
      max: Number.MAX_SAFE_INTEGER,
      stored: true,
      about: "Where to read on from; it rises by at least one.",
    },
    at: { kind: "time", stored: true },
    type: {
      kind: "choice",
      choices: ASK_EVENT_TYPES,
      open: true,
      stored: true,
      about: "There may be more one day: leave those alone that you do not know.",
    },
    askId: { kind: "id", max: LIMITS.idLength, stored: true },
    by: { kind: "object", of: ANSWERER, stored: true },
    ask: { kind: "object", of: ASK, stored: true },
  },
};
