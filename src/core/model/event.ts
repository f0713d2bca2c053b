import { LIMITS } from "../kit/limits.js";
import type { Model } from "../read/field.js";
import { ASK, type Ask } from "./ask.js";
import { OUTCOME_KINDS, type OutcomeKind } from "./kinds.js";
import { ANSWERER, type Answerer } from "./outcome.js";

export type AskEventType =
  | "ask.created"
  | "ask.opened"
  | "ask.extended"
  | "ask.overdue"
  | `ask.${OutcomeKind}`;

export const ASK_EVENT_TYPES: readonly AskEventType[] = [
  "ask.created",
  "ask.opened",
  "ask.extended",
  "ask.overdue",
  ...OUTCOME_KINDS.map((kind) => `ask.${kind}` as const),
];

/** Something that happened to an ask. Positions rise by one in each log and are never used again. */
export interface AskEvent {
  readonly position: number;
  readonly at: number;
  readonly type: AskEventType;
  readonly askId: string;
  readonly by?: Answerer;
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
      required: true,
      stored: true,
      about: "Where to read on from; it rises by at least one.",
    },
    at: { kind: "time", required: true, stored: true },
    type: {
      kind: "choice",
      choices: ASK_EVENT_TYPES,
      open: true,
      required: true,
      stored: true,
      about: "There may be more one day: leave those alone that you do not know.",
    },
    askId: { kind: "id", max: LIMITS.idLength, required: true, stored: true },
    by: { kind: "object", of: ANSWERER, stored: true, about: "Who did it, where a person or a policy did." },
    ask: {
      kind: "object",
      of: ASK,
      stored: true,
      about: "As it stood then, or as it stands when the event is read. Absent once it was pruned.",
    },
  },
};
