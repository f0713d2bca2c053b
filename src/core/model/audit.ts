import type { JsonObject } from "../kit/json.js";
import { LIMITS } from "../kit/limits.js";
import { AT, COUNT, NAME } from "../read/common-fields.js";
import type { Model } from "../read/field.js";
import { ASK_EVENT_TYPES, type AskEventType } from "./event.js";
import { ANSWERER, type Answerer } from "./outcome.js";

/** What the history of an ask has beside its events. */
export type AuditType = AskEventType | "ask.shown" | "delivery.failing" | "delivery.dead";

/** Something that happened to an ask: an event, or a showing or a failed delivery, which have no position. */
export interface AuditEntry {
  readonly at: number;
  /** A newer server may send other types. */
  readonly type: AuditType;
  readonly by?: Answerer;
  readonly position?: number;
  /** More about it, such as why a delivery fails. */
  readonly detail?: string;
}

export const AUDIT_ENTRY: Model<AuditEntry> = {
  must: "an entry of an audit",
  fields: {
    at: AT,
    type: {
      kind: "choice",
      choices: [...ASK_EVENT_TYPES, "ask.shown", "delivery.failing", "delivery.dead"],
      open: true,
      required: true,
    },
    by: { kind: "object", of: ANSWERER },
    position: { kind: "integer", min: 0, max: Number.MAX_SAFE_INTEGER },
    detail: { kind: "text", max: LIMITS.contextLength, about: "More about it, for people." },
  },
};

/** Something that happened to the system: a sign-in, a token, a rule, a start. */
export interface SystemEvent {
  readonly position: number;
  readonly at: number;
  readonly type: string;
  readonly subject?: string;
  readonly data?: JsonObject;
}

export const SYSTEM_EVENT: Model<SystemEvent> = {
  must: "an event of the system",
  fields: {
    position: COUNT,
    at: AT,
    type: NAME,
    subject: { kind: "text", max: LIMITS.idLength, about: "The id of the token or rule, or the person." },
    data: { kind: "json", max: LIMITS.metadataLength },
  },
};
