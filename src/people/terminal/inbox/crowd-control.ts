// What a person can do about an agent that asks much: mute it, and decline all that it asks. Each returns what to say.

import { messageOf } from "../../../core/kit/tools.js";
import type { Ask } from "../../../core/model/ask.js";
import type { MutedAgent } from "../../../core/model/notifications.js";
import type { Inbox } from "../../../core/model/ports.js";
import { displayLine } from "../../../core/text/display.js";
import type { InboxWords } from "../../../core/words/terminal-inbox.js";
import type { LiveFormOptions } from "../../form/live-form.js";
import { agentName, declineAll, isMutedIn } from "../../inbox/crowd.js";
import type { LiveAsks } from "../../inbox/live-asks.js";

/** A client keeps the muted agents of its person; a hub has no such setting. */
export interface MutingInbox {
  notifications?(): Promise<{ readonly muted?: readonly MutedAgent[] }>;
  changeNotifications?(changes: { readonly mute?: MutedAgent; readonly unmute?: MutedAgent }): Promise<{
    readonly muted?: readonly MutedAgent[];
  }>;
}

export interface CrowdControl {
  readonly muted: readonly MutedAgent[];
  /** Mutes the agent of an ask, or ends that. */
  toggleMute(ask: Ask): Promise<string>;
  declineAll(asks: readonly Ask[]): Promise<string>;
}

export async function crowdControl(
  inbox: Pick<Inbox, "settle"> & MutingInbox,
  live: LiveAsks,
  by: LiveFormOptions["by"],
  words: InboxWords,
): Promise<CrowdControl> {
  // A server without notifications has no such setting.
  let { muted = [] } = (await inbox.notifications?.().catch(() => undefined)) ?? {};
  return {
    get muted() {
      return muted;
    },
    async toggleMute(ask) {
      const { asker = "", owner } = ask;
      const agent = { asker, ...(owner !== undefined && { owner }) };
      const wasMuted = isMutedIn(muted, ask);
      const change = wasMuted ? { unmute: agent } : { mute: agent };
      try {
        muted = (await inbox.changeNotifications?.(change))?.muted ?? [];
      } catch (error) {
        return words.failed(displayLine(messageOf(error)));
      }
      const name = displayLine(agentName(ask));
      return wasMuted ? words.unmuted(name) : words.muted(name);
    },
    async declineAll(asks) {
      const pending = asks.filter(({ id }) => live.isPending(id));
      const { declined, failure } = await declineAll(pending, async (id, ending) => {
        const { outcome } = await inbox.settle(id, ending, { by });
        if (outcome !== undefined) live.end(id, outcome);
      });
      const result = words.declinedAll(declined, asks.length, displayLine(agentName(asks[0] ?? {})));
      return failure === undefined ? result : `${result} ${words.failed(displayLine(messageOf(failure)))}`;
    },
  };
}
