// Where notifications lead: pages and routes of the server that this program runs.

import type { PeopleOptions } from "../../people/channels/delivery.js";
import type { NotificationLinks } from "../../people/channels/notify/context.js";
import type { Auth } from "../../server/access/auth.js";

const LINK_MS = 7 * 86_400_000;

/** `address` is the server's address from outside, without a slash at the end. */
export function notificationLinks(auth: Auth, address: () => string): NotificationLinks {
  const at = (path: string): string => address().replace(/\/$/, "") + path;
  return {
    async askUrl(askId, person) {
      const { link } = await auth.createLink({ askId, person, expiresIn: LINK_MS });
      return at(`/a/${link}`);
    },
    inboxUrl: (askId, base) => at(`${base}/asks/${encodeURIComponent(askId)}`),
    actionUrl: async (action) => at(`/actions/${await auth.createAction(action)}`),
  };
}

/** Whether the credential that a device was subscribed with still works. */
export function checkWith(auth: Auth): PeopleOptions["isValid"] {
  return (credential) => credential.kind === "host" || auth.isValid(credential);
}
