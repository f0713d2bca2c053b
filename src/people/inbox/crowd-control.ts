// What a person can do about an agent that asks much: mute it, and decline all that it asks. Each returns what to say.

import { messageOf } from "../../core/kit/tools.js";
import type { Ask } from "../../core/model/ask.js";
import type { MutedAgent } from "../../core/model/notifications.js";
import type { Answerer } from "../../core/model/outcome.js";
import type { Inbox } from "../../core/model/ports.js";
import { displayLine } from "../../core/text/display.js";
import type { InboxWords } from "../../core/words/terminal-inbox.js";
import { agentName, declineAll, isMutedIn } from "./crowd.js";
import type { LiveAsks } from "./live-asks.js";

/** A client keeps the muted agents of its person; a hub has no such setting. */
export interface MutingInbox extends Pick<Inbox, "settle"> {
  notifications?(): Promise<{ readonly muted?: readonly MutedAgent[] }>;
  changeNotifications?(changes: { readonly mute?: MutedAgent; readonly unmute?: MutedAgent }): Promise<{
    readonly muted?: readonly MutedAgent[];
  }>;
}

export interface CrowdControl {
  readonly muted: readonly MutedAgent[];
  /** Reads which agents the person muted. */
  read(): Promise<void>;
  /** Mutes the agent of an ask, or ends that. */
  toggleMute(ask: Ask): Promise<string>;
  declineAll(asks: readonly Ask[]): Promise<string>;
}

export interface CrowdOptions {
  readonly inbox: () => MutingInbox | undefined;
  readonly live: () => LiveAsks | undefined;
  readonly by: () => Answerer;
  readonly words: () => Pick<InboxWords, "failed" | "muted" | "unmuted" | "declinedAll">;
}

export function crowdControl({ inbox, live, by, words: wordsNow }: CrowdOptions): CrowdControl {
  let muted: readonly MutedAgent[] = [];
  const failed = (error: unknown): string => {
    const words = wordsNow();
    return words.failed(displayLine(messageOf(error)));
  };
  return {
    get muted() {
      return muted;
    },
    async read() {
      // A server without notifications has no such setting.
      const settings = await inbox()
        ?.notifications?.()
        .catch(() => undefined);
      muted = settings?.muted ?? [];
    },
    async toggleMute(ask) {
      const { asker = "", owner } = ask;
      const agent = { asker, ...(owner !== undefined && { owner }) };
      const wasMuted = isMutedIn(muted, ask);
      const change = wasMuted ? { unmute: agent } : { mute: agent };
      try {
        muted = (await inbox()?.changeNotifications?.(change))?.muted ?? [];
      } catch (error) {
        return failed(error);
      }
      const words = wordsNow();
      return (wasMuted ? words.unmuted : words.muted)(agentName(ask));
    },
    async declineAll(asks) {
      const pending = asks.filter(({ id }) => live()?.isPending(id));
      const { declined, failure } = await declineAll(pending, async (id, ending) => {
        const ended = await inbox()?.settle(id, ending, { by: by() });
        if (ended?.outcome !== undefined) live()?.end(id, ended.outcome);
      });
      const words = wordsNow();
      const result = words.declinedAll(declined, asks.length, agentName(asks[0] ?? {}));
      return failure === undefined ? result : `${result} ${failed(failure)}`;
    },
  };
}
