// Outcomes, sent to the address that the ask named. URL and headers are read at the time of the attempt and appear in
// nothing else.

import type { AskEvent } from "../../core/model/event.js";
import { OUTCOME_KINDS } from "../../core/model/kinds.js";
import { deleteCallback, getCallback } from "../records/callbacks.js";
import type { CallbackPolicy } from "../seam/port.js";
import type { ChannelContext } from "./context.js";
import { namesPrivate, type Resolve, resolveUntrusted } from "./http/addresses.js";
import { post } from "./http/post.js";
import { secretsOf, signedHeaders } from "./http/signing.js";
import { entryKey, type NewEntry, turnOf } from "./outbox/entry.js";
import type { Channel } from "./outbox/lane.js";
import { attemptOf, outcomeBody } from "./payload.js";

export interface CallbackOptions {
  /** Whether callbacks may go to private and loopback addresses, also without https; false by default. */
  readonly allowPrivate?: boolean;
  /** Resolves names; by the servers that the system names, by default. */
  readonly resolve?: Resolve;
}

export interface CallbackChannel extends Channel {
  plan(event: AskEvent): Promise<readonly NewEntry[]>;
}

/** What a hub refuses at once, because no name has to be resolved to know it. */
export function callbackPolicy({ allowPrivate = false }: CallbackOptions = {}): CallbackPolicy {
  return {
    refuses(url) {
      if (allowPrivate) return undefined;
      if (namesPrivate(url)) {
        return "is a private address; the operator can allow these with --allow-private-callbacks";
      }
      return url.protocol === "http:" ? "must be an https address" : undefined;
    },
  };
}

const ENDINGS: ReadonlySet<string> = new Set(OUTCOME_KINDS.map((kind) => `ask.${kind}`));

export function callbackChannel(
  { hub, store, clock, timeoutMs }: ChannelContext,
  { allowPrivate = false, resolve = resolveUntrusted }: CallbackOptions,
): CallbackChannel {
  return {
    lane: "callbacks",
    kind: "callback",
    title: "callback",
    ordered: false,
    concurrency: 64,
    async receiver(entry) {
      const callback = await getCallback(store, entry.askId);
      return callback && `${turnOf(entry)} ${new URL(callback.url).host}`;
    },
    async plan({ type, askId, position, at, ask = { id: askId } }) {
      if (!ENDINGS.has(type) || (await getCallback(store, askId)) === undefined) return [];
      return [{ key: entryKey(ask, position), askId, type, position, at }];
    },
    async deliver({ askId }) {
      const [ask, callback] = await Promise.all([store.asks.get(askId), getCallback(store, askId)]);
      // Pruned meanwhile, or delivered by an attempt whose end was not recorded.
      if (ask?.outcome === undefined || callback === undefined) return { kind: "delivered" };
      const body = outcomeBody(ask);
      const secrets = await secretsOf(store.records, { asker: ask.asker ?? "" }, hub.now());
      const own = Object.fromEntries(
        Object.entries(callback.headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]),
      );
      const headers = {
        "user-agent": "askline",
        ...own,
        "content-type": "application/json",
        ...signedHeaders(`${askId}.outcome`, clock.now(), body, secrets),
      };
      const url = new URL(callback.url);
      const posted = await post({ url, headers, body, allowPrivate, timeoutMs, resolve });
      const attempt = attemptOf(posted);
      if (attempt.kind === "delivered") await deleteCallback(store, askId);
      return attempt;
    },
  };
}
