// Events of asks, sent to an address of the operator's choice.

import { deliverAsk } from "../../core/model/delivery.js";
import { AsklineError } from "../../core/model/error.js";
import { ASK_EVENT_TYPES, type AskEvent, type AskEventType } from "../../core/model/event.js";
import { OUTCOME_KINDS } from "../../core/model/kinds.js";
import { sha256 } from "../seam/sha256.js";
import type { ChannelContext } from "./context.js";
import { post } from "./http/post.js";
import { isSigningSecret, secretsOf, signedHeaders } from "./http/signing.js";
import { entryKey, type NewEntry } from "./outbox/entry.js";
import type { Channel } from "./outbox/lane.js";
import { attemptOf, eventBody } from "./payload.js";

export interface Webhook {
  readonly url: string;
  /** Only these events; `ask.settled` means all endings. All events by default. */
  readonly events?: readonly string[];
  /** Signs the messages, as `whsec_…`; by default, the secret of this server for all webhooks. */
  readonly secret?: string;
}

export interface EventChannel extends Channel {
  plan(event: AskEvent): readonly NewEntry[];
}

export function webhookChannel(
  { url: text, events, secret }: Webhook,
  { hub, store, clock, timeoutMs }: ChannelContext,
): EventChannel {
  const url = requireUrl(text);
  const types = events === undefined ? undefined : new Set(events.flatMap(requireTypes));
  if (secret !== undefined && !isSigningSecret(secret)) {
    throw new AsklineError(
      "invalid_request",
      "the secret of a webhook must be whsec_ and at least 24 bytes in base64",
    );
  }
  // A restart with the same address finds its entries again. The address may contain a secret, so it is hashed.
  const lane = `webhook-${sha256(url.href).slice(0, 12)}`;
  return {
    lane,
    kind: "webhook",
    title: `webhook ${url.host}`,
    ordered: true,
    concurrency: 16,
    receiver: async () => url.host,
    plan({ type, askId, position, at, ask = { id: askId } }) {
      if (askId === "" || (types !== undefined && !types.has(type))) return [];
      return [{ key: entryKey(ask, position), askId, type, position, at }];
    },
    async deliver({ askId, type, position, at }) {
      const ask = await store.asks.get(askId);
      const event = { type: type as AskEventType, position, at };
      const stored = (await store.logs.read("events", { after: position - 1, limit: 1 }))[0];
      const details = stored?.position === position && stored.subject === askId ? stored.data : undefined;
      const body = eventBody(event, {
        askId,
        ...(details !== undefined && { details }),
        ...(ask && { ask: deliverAsk(ask) }),
      });
      const secrets = secret === undefined ? await secretsOf(store.records, "webhooks", hub.now()) : [secret];
      const headers = {
        "content-type": "application/json",
        "user-agent": "askline",
        ...signedHeaders(`${askId}.${position}`, clock.now(), body, secrets),
      };
      // The operator chose the address, so it may be anywhere.
      return attemptOf(await post({ url, headers, body, allowPrivate: true, timeoutMs }));
    },
  };
}

function requireUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && (url.protocol === "https:" || url.protocol === "http:")) return url;
  throw new AsklineError("invalid_request", "a webhook must be an http or https address");
}

function requireTypes(text: string): readonly string[] {
  if (text === "ask.settled") return OUTCOME_KINDS.map((kind) => `ask.${kind}`);
  if (ASK_EVENT_TYPES.some((type) => type === text)) return [text];
  throw new AsklineError(
    "invalid_request",
    `"${text}" is not an event; use ${ASK_EVENT_TYPES.join(", ")} or ask.settled`,
  );
}
