import { isRecord } from "../../core/kit/json.js";
import { STATUS } from "../../hub/delivery/outbox/entry.js";
import { relativeTime } from "../output/units.js";
import type { Settings } from "../settings/settings.js";
import type { World } from "../world/world.js";
import { type Finding, findings, type StoreContents } from "./finding.js";

const DELIVERIES = findings("deliveries");
const NOTIFY = findings("notify");

/** Checks whether a message to a webhook, a callback or a person was given up. */
export async function checkDeliveries(
  contents: StoreContents | undefined,
  { clock }: World,
): Promise<Finding> {
  const last = await contents?.record(STATUS.namespace, STATUS.lastDead);
  if (!isRecord(last)) return DELIVERIES.ok("nothing was given up");
  const when = relativeTime(Number(last.at), clock.now());
  return DELIVERIES.warning(
    `a message was given up ${when}, to ${String(last.title)}: ${String(last.reason)}`,
    "askline deliveries list --dead; when the receiver is back: askline deliveries retry --dead",
  );
}

/** Says how people are notified, and what is missing for it. */
export function checkNotifications({ pushContact, ntfy, publicUrl }: Settings): Finding {
  const push =
    pushContact === undefined
      ? "no push: push services require a contact; give one with --push-contact mailto:you@example.com"
      : `push with the contact ${pushContact}`;
  const people = ntfy.size === 0 ? "nobody by ntfy" : `ntfy for ${[...ntfy.keys()].join(", ")}`;
  if ((pushContact !== undefined || ntfy.size > 0) && publicUrl === undefined) {
    return NOTIFY.warning(
      `${push}; ${people}; but notifications lead to this machine only`,
      "set the address at which phones reach this server: --public-url https://ask.example.com",
    );
  }
  return NOTIFY.ok(`${push}; ${people}`);
}
