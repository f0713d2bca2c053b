import { ANY_TEXT } from "../read/common-fields.js";
import type { Model } from "../read/field.js";

/** Where a ticket may be used. */
export interface TicketInput {
  readonly path: string;
  readonly origin?: string;
}

export const TICKET_INPUT: Model<TicketInput> = {
  must: "a path",
  fields: {
    path: {
      kind: "text",
      max: 1_024,
      required: true,
      must: "be the path of a stream or WebSocket without a query: /v1/events, /v1/sessions/{id}/stream or /v1/gateway",
      about: "The path to open: /v1/events, /v1/sessions/{id}/stream, or a path of the gateway.",
    },
    origin: {
      ...ANY_TEXT,
      must: "be scheme, host and port, like https://app.example.com",
      about:
        "The origin of the page that will use it, if another program creates it. A page's own by default.",
    },
  },
};
