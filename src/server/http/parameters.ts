// Every query and header parameter. Handlers read them, and the OpenAPI document lists them.

import { LIMITS } from "../../core/kit/limits.js";
import { OUTCOME_KINDS } from "../../core/model/kinds.js";
import { anyText, choice, matching, type Parameter, shortText, wholeNumber } from "./parameter.js";

const POSITION = "^\\d{1,15}$";
const SESSION_POSITION = "^\\d{1,15}(\\.\\d{1,4})?$";
export const WAIT: Parameter<number> = wholeNumber({
  name: "wait",
  description: "How many seconds to hold the response while the ask is pending.",
  ...{ min: 0, max: 60, defaultValue: 0 },
});

export const DEFER: Parameter<number | undefined> = wholeNumber({
  name: "defer",
  description:
    "For PreToolUse: how many seconds to wait for a decision before the run is parked; without end by default.",
  ...{ min: 0, max: 86_400 },
});

export const LIMIT: Parameter<number | undefined> = wholeNumber({
  name: "limit",
  description: "The maximum number of items. A page may have fewer and still not be the last.",
  ...{ min: 1, max: 500 },
});

export const HISTORY_BEFORE: Parameter<string | undefined> = matching({
  name: "before",
  description:
    "Reads backwards: `end` for the newest page, then the `Askline-Previous` of each page. Not with `after`.",
  pattern: "^(?:end|\\d{1,15})$",
  must: "`end`, or the `Askline-Previous` of a page",
});

export const DEVICE: Parameter<string | undefined> = matching({
  name: "device",
  description: "The device, as GET /v1/push names it.",
  pattern: "^[0-9a-f]{16}$",
  must: "a device that GET /v1/push names",
});

export const TO_PERSON: Parameter<string | undefined> = shortText({
  name: "to",
  description: "The id of the person who is added to the asks that wait for the removed one.",
  max: LIMITS.idLength,
});

export const ORDER: Parameter<"oldest" | "newest"> = choice({
  name: "order",
  description: "Sort by creation time: oldest or newest first.",
  choices: ["oldest", "newest"],
  defaultValue: "oldest",
});

export const STATUS_IS: Parameter<"pending" | "settled" | (typeof OUTCOME_KINDS)[number] | undefined> =
  choice({
    name: "status",
    description: "Only asks with this status; settled matches every outcome.",
    choices: ["pending", "settled", ...OUTCOME_KINDS],
  });

export const DELIVERED_IS: Parameter<"no" | undefined> = choice({
  name: "delivered",
  description:
    "With no, only ended asks whose outcome the agent has not fetched yet. Not recorded for asks in a session.",
  choices: ["no"],
});

export const ID_HAS: Parameter<string | undefined> = matching({
  name: "id",
  description:
    "Only asks whose id contains this: 4 to 40 of the characters of an id. The list then has at most five asks, and no next.",
  pattern: "^[-_0-9a-z]{4,40}$",
  must: "4 to 40 characters of an id",
});

export const EVENTS_AFTER: Parameter<string | undefined> = matching({
  name: "after",
  description: "Return events after this position. By default, only new events.",
  pattern: POSITION,
  must: "the position of an event",
});

export const SESSION_AFTER: Parameter<string | undefined> = matching({
  name: "after",
  description: "The id of the last event that was read; 0 for all events. By default, only new events.",
  pattern: SESSION_POSITION,
  must: "a position: use the id of an event",
  emptyIsNone: true,
});

export const IDEMPOTENCY_KEY: Parameter<string | undefined> = anyText({
  name: "Idempotency-Key",
  in: "header",
  description:
    "Identifies the attempt: a repeated attempt by the same sender is acknowledged, not executed again.",
});

export const GATEWAY_ROLE: Parameter<"host" | "device" | undefined> = choice({
  name: "role",
  description:
    "The role of the connection: a host asks, a device answers. Derived from the token by default.",
  choices: ["host", "device"],
});

export const GATEWAY_TIMEOUT: Parameter<number> = wholeNumber({
  name: "timeoutMs",
  description: "Milliseconds after which the asks of a host expire; 0 for never.",
  // How long the gateway's plugin waits.
  ...{ min: 0, max: LIMITS.durationMs, defaultValue: 120_000 },
});

export const GATEWAY_TOKEN: Parameter<string | undefined> = anyText({
  name: "token",
  description: "The token of an agent, for hosts that can send no header. Any other token is refused here.",
});

export const TICKET: Parameter<string | undefined> = anyText({
  name: "ticket",
  description:
    "A ticket from POST /v1/tickets instead of any other credential, for a page that can send no header. It works once.",
});

export const CODE: Parameter<string | undefined> = anyText({
  name: "code",
  description: "A one-time code from the printed link.",
});

export const PAGE_AFTER: Parameter<string | undefined> = nextPage(POSITION);
export const TOKENS_AFTER: Parameter<string | undefined> = nextPage("^\\d{1,15}\\.[0-9a-f]{12}$");

function nextPage(pattern: string): Parameter<string | undefined> {
  const description = "The `next` cursor of the previous page.";
  return matching({ name: "after", description, pattern, must: "the `next` of the previous page" });
}

export const LAST_EVENT: Parameter<string | undefined> = lastEvent(POSITION, "the position of an event");
export const SESSION_LAST_EVENT: Parameter<string | undefined> = lastEvent(
  SESSION_POSITION,
  "a position: use the id of an event",
);

function lastEvent(pattern: string, must: string): Parameter<string | undefined> {
  const description = "The same as after, sent by a browser that reconnects. Takes precedence over after.";
  return matching({ name: "Last-Event-ID", in: "header", description, pattern, must, emptyIsNone: true });
}

const USES = "The surface that the person uses,";
export const SURFACE_HEADER: Parameter<string> = surface(
  "api",
  `${USES} shown to others next to their name. Always link for a signed link.`,
  { name: "Askline-Surface", in: "header" },
);
export const GATEWAY_SURFACE: Parameter<string> = surface("gateway", `${USES} for devices.`);
export const SESSION_SURFACE: Parameter<string> = surface("chat", `${USES} for a WebSocket.`);
/** Read from the body of a report. */
export const REPORT_SURFACE: Parameter<string> = surface(
  "report",
  "Where the person gave the answer, such as mcp-form.",
);

function surface(
  defaultValue: string,
  description: string,
  place: { readonly name: string; readonly in?: "header" } = { name: "surface" },
): Parameter<string> {
  return matching({
    ...{ ...place, description, defaultValue },
    pattern: "^[A-Za-z0-9_.-]{1,64}$",
    must: "a short name of letters, digits, dots, dashes and underscores",
  });
}

export const PROOF_ID: Parameter<string | undefined> = random(
  "id",
  "The id that this server made for the client.",
);
export const PROOF_NONCE: Parameter<string | undefined> = random(
  "nonce",
  "A random text that the client uses once.",
);

function random(name: string, description: string): Parameter<string | undefined> {
  const must = "22 to 64 letters, digits, dashes and underscores";
  return matching({ name, description, pattern: "^[\\w-]{22,64}$", must });
}

export const SESSION_IS: Parameter<string | undefined> = shortText({
  name: "session",
  description: "Only asks in this session.",
  max: LIMITS.sessionLength,
});

export const AGENT_IS: Parameter<string | undefined> = shortText({
  name: "agent",
  description: "Only asks with this agentId.",
  max: LIMITS.idLength,
});
