// What the routes of sessions say of themselves.

import type { Operation } from "../operation.js";
import {
  IDEMPOTENCY_KEY,
  LIMIT,
  PAGE_AFTER,
  SESSION_AFTER,
  SESSION_LAST_EVENT,
  SESSION_SURFACE,
  SURFACE_HEADER,
} from "../parameters.js";

export const FOLLOW: Operation = {
  id: "followSession",
  summary: "The events of a session, server-sent or over a WebSocket",
  description:
    "An upgrade makes it a WebSocket: each frame is an event with its id beside the event's own fields, and a person sends frames of the shape that messages takes. A frame that cannot be taken is answered with { type: error, error }. Without an upgrade, the events are server-sent, without names.",
  parameters: [SESSION_AFTER, SESSION_LAST_EVENT, SESSION_SURFACE, SURFACE_HEADER],
  responses: {
    101: { description: "A WebSocket." },
    200: { description: "A stream.", type: "text/event-stream", items: "SessionEvent" },
  },
  errors: ["not_found", "position_trimmed"],
};

export const HISTORY: Operation = {
  id: "readHistory",
  summary: "The messages of a session",
  parameters: [PAGE_AFTER, LIMIT],
  responses: {
    200: {
      description: "A page, oldest first.",
      schema: "History",
      headers: {
        "Askline-Position": "What the stream goes on from, for whoever has read all of the history.",
        "Askline-Next": "The after of the next page; absent on the last.",
      },
    },
  },
  errors: ["not_found"],
};

export const MESSAGE: Operation = {
  id: "sendMessage",
  summary: "Answer a request of the session, or say something",
  description: "What is said while a question waits is a reply to it.",
  parameters: [SURFACE_HEADER, IDEMPOTENCY_KEY],
  body: { schema: "SessionMessageInput" },
  responses: {
    200: { description: "It ended this ask.", schema: "AskResponse" },
    204: { description: "It was written." },
  },
  errors: ["not_found", "already_settled", "invalid_answer", "wrong_kind", "unsupported"],
};

export const WRITE: Operation = {
  id: "writeSession",
  summary: "Write the session",
  parameters: [IDEMPOTENCY_KEY],
  body: { schema: "SessionEventInput" },
  responses: {
    201: { description: "A request that is new.", schema: "SessionRequestResponse" },
    200: { description: "A request whose key was known.", schema: "SessionRequestResponse" },
    204: { description: "It was written." },
  },
  errors: ["not_found", "invalid_ask", "key_conflict", "unsupported"],
};
