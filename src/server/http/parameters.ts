// Every parameter that a route takes besides its path. Routes read these, and the API's document lists them.

import { LIMITS, OUTCOME_KINDS } from "../../core/index.js";
import { anyText, choice, matching, type Parameter, shortText, wholeNumber } from "./parameter.js";

const POSITION = "^\\d{1,15}$";
const SESSION_POSITION = "^\\d{1,15}(\\.\\d{1,4})?$";
const SURFACE = {
  pattern: "^[A-Za-z0-9_.-]{1,64}$",
  must: "a short name of letters, digits, dots, dashes and underscores",
};

export const WAIT: Parameter<number> = wholeNumber({
  name: "wait",
  description: "For how many seconds to hold the response while the ask is pending.",
  ...{ min: 0, max: 60, usual: 0 },
});

export const LIMIT: Parameter<number | undefined> = wholeNumber({
  name: "limit",
  description: "How many to give at most. A page may have fewer and still not be the last.",
  ...{ min: 1, max: 500 },
});

export const PAGE_AFTER: Parameter<string | undefined> = matching({
  name: "after",
  description: "The cursor that the page before gave as its next.",
  pattern: POSITION,
  must: "the next of the page before",
});

export const ORDER: Parameter<"oldest" | "newest"> = choice({
  name: "order",
  description: "By the time of asking, which comes first.",
  choices: ["oldest", "newest"],
  usual: "oldest",
});

export const STATUS_IS: Parameter<"pending" | "settled" | (typeof OUTCOME_KINDS)[number] | undefined> =
  choice({
    name: "status",
    description: "Only asks that stand so; settled is every way to end.",
    choices: ["pending", "settled", ...OUTCOME_KINDS],
  });

export const SESSION_IS: Parameter<string | undefined> = shortText({
  name: "session",
  description: "Only asks of this session.",
  max: LIMITS.sessionLength,
});

export const AGENT_IS: Parameter<string | undefined> = shortText({
  name: "agent",
  description: "Only asks with this agentId.",
  max: LIMITS.idLength,
});

export const EVENTS_AFTER: Parameter<string | undefined> = matching({
  name: "after",
  description: "The position to read events on from; without it, those from now on.",
  pattern: POSITION,
  must: "the position of an event",
});

export const LAST_EVENT: Parameter<string | undefined> = matching({
  name: "Last-Event-ID",
  in: "header",
  description: "The same as after, as a browser that reconnects sends it; it goes before after.",
  pattern: POSITION,
  must: "the position of an event",
  emptyIsNone: true,
});

export const SESSION_AFTER: Parameter<string | undefined> = matching({
  name: "after",
  description:
    "The id of the last event that was read; 0 for all of them, from now on where it is not given.",
  pattern: SESSION_POSITION,
  must: "a position: use the id of an event",
  emptyIsNone: true,
});

export const SESSION_LAST_EVENT: Parameter<string | undefined> = matching({
  name: "Last-Event-ID",
  in: "header",
  description: "The same as after, as a browser that reconnects sends it; it goes before after.",
  pattern: SESSION_POSITION,
  must: "a position: use the id of an event",
  emptyIsNone: true,
});

export const SURFACE_HEADER: Parameter<string> = matching({
  name: "Askline-Surface",
  in: "header",
  description: "What the person uses, shown to others beside their name. Always link for a signed link.",
  usual: "api",
  ...SURFACE,
});

export const IDEMPOTENCY_KEY: Parameter<string | undefined> = anyText({
  name: "Idempotency-Key",
  in: "header",
  description: "Names the attempt: the same attempt of the same sender is acknowledged, not made again.",
});

export const GATEWAY_ROLE: Parameter<"host" | "device" | undefined> = choice({
  name: "role",
  description: "What connects: a host asks, a device answers. By the token where it is not given.",
  choices: ["host", "device"],
});

export const GATEWAY_TIMEOUT: Parameter<number> = wholeNumber({
  name: "timeoutMs",
  description: "After how long the asks of a host expire; 0 for never.",
  // The default of the gateway protocol's plugin.
  ...{ min: 0, max: LIMITS.durationMs, usual: 120_000 },
});

export const GATEWAY_SURFACE: Parameter<string> = matching({
  name: "surface",
  description: "What the person uses, for devices.",
  usual: "gateway",
  ...SURFACE,
});

export const SESSION_SURFACE: Parameter<string> = matching({
  name: "surface",
  description: "What the person uses, where this is a WebSocket.",
  usual: "chat",
  ...SURFACE,
});

export const CODE: Parameter<string | undefined> = anyText({
  name: "code",
  description: "A one-time code from the printed link.",
});

export const LOOK: Parameter<"again" | undefined> = choice({
  name: "look",
  description: "With again, a page on which nothing is waiting loads itself anew every half minute.",
  choices: ["again"],
});

export const DONE: Parameter<string | undefined> = anyText({
  name: "done",
  description: "The id of an ask that has just been ended, to show how.",
});
