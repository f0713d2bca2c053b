// What people send and get about their notifications.

import type { JsonObject } from "../../../core/index.js";
import { PRIVACY_CHOICES } from "../../../hub/records/push-subscriptions.js";
import { NOTHING, object, oneOf, TEXT, TIME, textUpTo } from "../json-schema.js";

const PRIVACY = oneOf(PRIVACY_CHOICES, {
  description: "What a notification may show: everything, its title only, or only that a question waits.",
});
const LANGUAGE = { ...TEXT, description: "The language of notifications, such as en or vi." };

export function pushInput(): JsonObject {
  const keys = object({ p256dh: textUpTo(200), auth: textUpTo(200) });
  return object(
    {
      subscription: object(
        { endpoint: textUpTo(2_048), keys },
        {},
        { description: "The result of the browser's subscription.toJSON()." },
      ),
    },
    { privacy: PRIVACY, language: LANGUAGE },
  );
}

export function pushDevice(): JsonObject {
  return object(
    { device: TEXT, privacy: PRIVACY, language: LANGUAGE, createdAt: TIME },
    { failing: { ...TEXT, description: "Why its push service refuses messages." } },
  );
}

const QUIET = object(
  {
    from: { ...TEXT, description: "Such as 22:00." },
    to: { ...TEXT, description: "Such as 07:00." },
  },
  { timeZone: { ...TEXT, description: "Such as Europe/Berlin; UTC by default." } },
);

export function preferences(): JsonObject {
  return object({ privacy: PRIVACY, language: LANGUAGE }, { quietHours: QUIET });
}

export function preferencesInput(): JsonObject {
  return object({}, { privacy: PRIVACY, language: LANGUAGE, quietHours: { anyOf: [QUIET, NOTHING] } });
}
