// What a person can do about an agent that asks much: mute it, and decline all that it asks.

import type { Ask } from "../../../core/model/ask.js";
import type { MutedAgent } from "../../../core/model/notifications.js";
import type { Answerer } from "../../../core/model/outcome.js";
import { displayLine } from "../../../core/text/display.js";
import type { WebWords } from "../../../core/words/web.js";
import { agentName, declineAll, isMutedIn, ofSameAgent } from "../../inbox/crowd.js";
import type { LiveAsks } from "../../inbox/live-asks.js";
import type { InboxClient } from "../types.js";

export interface CrowdScene {
  readonly client: () => InboxClient | undefined;
  readonly live: () => LiveAsks | undefined;
  readonly by: () => Answerer;
  readonly words: () => WebWords;
  say(text: string): void;
  /** Shows a question that the person must confirm. */
  confirm(question: string): boolean;
}

export interface Crowd {
  readonly muted: readonly MutedAgent[];
  /** Reads which agents the person muted. A server without notifications has no such setting. */
  read(): Promise<void>;
  /** What a key does about the agent of an ask; undefined if it does nothing. */
  actionOf(key: string): ((ask: Ask) => Promise<void>) | undefined;
}

export function createCrowd({ client, live, by, words, say, confirm }: CrowdScene): Crowd {
  let muted: readonly MutedAgent[] = [];

  const toggleMute = async (ask: Ask): Promise<void> => {
    const { asker = "", owner } = ask;
    const agent = { asker, ...(owner !== undefined && { owner }) };
    const wasMuted = isMutedIn(muted, ask);
    const change = wasMuted ? { unmute: agent } : { mute: agent };
    muted = (await client()?.changeNotifications?.(change))?.muted ?? [];
    say((wasMuted ? words().unmuted : words().muted)(displayLine(agentName(ask))));
  };
  const decline = async (ask: Ask): Promise<void> => {
    const asks = ofSameAgent(ask, live()?.entries ?? []);
    const name = displayLine(agentName(ask));
    if (!confirm(words().declineAll(asks.length, name))) return;
    const { declined, failure } = await declineAll(asks, async (id, ending) => {
      const ended = await client()?.settle(id, ending, { by: by() });
      if (ended?.outcome !== undefined) live()?.end(id, ended.outcome);
    });
    say(words().declinedAll(declined, asks.length, name));
    if (failure !== undefined) throw failure;
  };
  const actions = new Map([
    ["m", toggleMute],
    ["D", decline],
  ]);

  return {
    get muted() {
      return muted;
    },
    async read() {
      ({ muted = [] } =
        (await client()
          ?.notifications?.()
          .catch(() => undefined)) ?? {});
    },
    actionOf: (key) => {
      const action = actions.get(key);
      return (
        action &&
        (async (ask) => {
          if (agentName(ask) === "") return;
          await action(ask).catch((error: unknown) => say(words().failed(displayLine(String(error)))));
        })
      );
    },
  };
}
