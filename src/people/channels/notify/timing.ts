import type { NotificationPreferences } from "../../../core/model/notifications.js";
import type { Asker } from "../../../core/model/visibility.js";
import type { Attempt } from "../../../hub/delivery/outbox/lane.js";
import type { PeopleContext } from "./context.js";
import { isFocused, isMuted, quietFor, readPreferences } from "./preferences.js";

/** Whether a person is notified now: not of an agent that they muted, while they look at their inbox, or in quiet hours. */
export async function whetherNow(
  { store, hub, clock }: PeopleContext,
  person: string,
  ask: Asker,
): Promise<
  { readonly now: NotificationPreferences } | { readonly now?: undefined; readonly attempt: Attempt }
> {
  const preferences = await readPreferences(store, person);
  if (isMuted(preferences, ask)) return { attempt: { kind: "delivered" } };
  const quiet = quietFor(preferences, clock.now());
  if (quiet > 0) {
    const { to, timeZone } = preferences.quietHours ?? {};
    const reason = `until ${to}, quiet hours (${timeZone})`;
    return { attempt: { kind: "later", until: hub.now() + quiet, reason } };
  }
  if (await isFocused(store, person)) return { attempt: { kind: "delivered" } };
  return { now: preferences };
}
