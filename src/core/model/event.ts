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
  | "ask.escalated"
  | `ask.${OutcomeKind}`;

export const ASK_EVENT_TYPES: readonly AskEventType[] = [
  "ask.created",
  "ask.opened",
  "ask.extended",
  "ask.overdue",
  "ask.escalated",
  ...OUTCOME_KINDS.map((kind) => `ask.${kind}` as const),
];

/** Something that happened to an ask. Positions in a log increase and are never reused. */
export interface AskEvent<Changed extends Ask = Ask> {
  readonly position: number;
  readonly at: number;
  readonly type: AskEventType;
  readonly askId: string;
  readonly by?: Answerer;
  readonly to?: readonly string[];
  readonly ask?: Changed;
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
      about: "The position to continue reading from. Positions increase by at least one.",
    },
    at: { kind: "time", required: true, stored: true },
    type: {
      kind: "choice",
      choices: ASK_EVENT_TYPES,
      open: true,
      required: true,
      stored: true,
      about: "Ignore types that you do not know: later versions may add some.",
    },
    askId: { kind: "id", max: LIMITS.idLength, required: true, stored: true },
    by: { kind: "object", of: ANSWERER, stored: true, about: "The person or policy that did it." },
    to: { kind: "ids", max: LIMITS.recipients, stored: true, about: "For ask.escalated: the people added." },
    ask: {
      kind: "object",
      of: ASK,
      stored: true,
      about: "The ask at the time of the event, or at the time of reading. Absent after the ask is pruned.",
    },
  },
};
