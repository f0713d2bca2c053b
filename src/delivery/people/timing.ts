import type { Attempt } from "../outbox/lane.js";
import type { PeopleContext } from "./context.js";
import { isFocused, type Preferences, quietFor, readPreferences } from "./preferences.js";

/** Whether a person is notified now: not while they look at their inbox, and not during their quiet hours. */
export async function whetherNow(
  { store, hub, clock }: PeopleContext,
  person: string,
): Promise<{ readonly now: Preferences } | { readonly now?: undefined; readonly attempt: Attempt }> {
  const preferences = await readPreferences(store, person);
  const quiet = quietFor(preferences, clock.now());
  if (quiet > 0) {
    const { to, timeZone } = preferences.quietHours ?? {};
    const reason = `until ${to}, quiet hours (${timeZone})`;
    return { attempt: { kind: "later", until: hub.now() + quiet, reason } };
  }
  if (await isFocused(store, person)) return { attempt: { kind: "delivered" } };
  return { now: preferences };
}
