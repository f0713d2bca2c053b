// Web push to a person's devices. One notification per ask and device: each has a tag, and a later one, such as a
// reminder or the end of the ask, takes its place.

import { isRecord, type Json } from "../../../core/kit/json.js";
import type { Ask } from "../../../core/model/ask.js";
import { AsklineError } from "../../../core/model/error.js";
import { ENGLISH } from "../../../core/words/languages.js";
import { post } from "../../../hub/delivery/http/post.js";
import { turnOf } from "../../../hub/delivery/outbox/entry.js";
import type { Attempt, Channel } from "../../../hub/delivery/outbox/lane.js";
import {
  endSubscriptions,
  getSubscription,
  listSubscriptions,
  type PushSubscription,
  putSubscription,
  type SubscriptionCredential,
} from "../../../hub/records/push-subscriptions.js";
import { sha256 } from "../../../hub/seam/sha256.js";
import type { RecordStore, Store } from "../../../hub/seam/store.js";
import { markNotified, noticeOf, notifiedSteps, type PeopleContext } from "../notify/context.js";
import { messageOf, moreMessage, settledMessage } from "../notify/message.js";
import { type Admitted, admitMessage, type Rest, summaryId } from "../notify/message-limit.js";
import { enqueueEndIfSettled, PUSH_LANE } from "../notify/notify.js";
import { requireLanguage, requirePrivacy } from "../notify/preferences.js";
import { whetherNow } from "../notify/timing.js";
import { makePushKeys, type PushKeys, pushRequest } from "./web-push.js";

export interface PushOptions {
  /** The operator's `mailto:` or `https:` contact, which push services require. */
  readonly contact: string;
  /** Push services beside the known ones: host names, or origins such as `http://127.0.0.1:9000`. */
  readonly hosts?: readonly string[];
}

/** Chromium shows two. */
const MOST_ACTIONS = 2;
const TTL_SECONDS = 86_400;
const MOST_DEVICES = 20;
const DECLARATIVE = 8030;

export function pushChannel(context: PeopleContext, { contact, hosts = [] }: PushOptions): Channel {
  const { store, logger, links, isValid, timeoutMs } = context;
  const { records } = store;

  const payloadOf = async (ask: Ask, subscription: PushSubscription, rest?: Rest): Promise<object> => {
    const { person, privacy, language, base } = subscription;
    const settled = ask.outcome !== undefined;
    const { title, body, choices } =
      rest !== undefined
        ? moreMessage(rest, privacy, language)
        : ask.outcome === undefined
          ? messageOf(ask, privacy, language, MOST_ACTIONS)
          : settledMessage(ask.outcome, language);
    const navigate = links.inboxUrl(ask.id, base);
    const actions = await Promise.all(
      choices.map(async ({ label, ending }, index) => ({
        ...{ action: `choice-${index + 1}`, title: label, navigate },
        url: await links.actionUrl({ askId: ask.id, person, surface: "push", ending }),
      })),
    );
    return {
      web_push: DECLARATIVE,
      notification: {
        ...{
          title,
          body,
          navigate,
          tag: `askline-${rest === undefined ? ask.id : summaryId(ask)}`,
          silent: settled,
        },
        ...(actions.length > 0 && { actions }),
        data: { askId: ask.id, settled },
      },
    };
  };

  const send = async (ask: Ask, subscription: PushSubscription, rest?: Rest): Promise<Attempt> => {
    const { person, device, endpoint } = subscription;
    const payload = JSON.stringify(await payloadOf(ask, subscription, rest));
    const url = new URL(endpoint);
    const { headers, body } = pushRequest(subscription, payload, {
      ...{
        keys: await pushKeys(records),
        contact,
        ttlSeconds: TTL_SECONDS,
        topic: topicOf(rest === undefined ? ask.id : summaryId(ask)),
      },
    });
    const posted = await post({ url, headers, body, allowPrivate: hosts.includes(url.origin), timeoutMs });
    if (posted.kind !== "response") return posted;
    const { status, retryAfterMs } = posted;
    if (status >= 200 && status < 300) {
      if (subscription.failing !== undefined) await putSubscription(records, withoutFailing(subscription));
      return { kind: "delivered" };
    }
    if (status === 404 || status === 410) {
      await endSubscriptions(records, person, (one) => one.device === device);
      return { kind: "delivered" };
    }
    if (status === 401 || status === 403) {
      const failing = `its push service answers HTTP ${status}`;
      logger.error(`push to a device of ${person} is refused (HTTP ${status}): check --push-contact`);
      await putSubscription(records, { ...subscription, failing });
      return { kind: "refused", reason: `HTTP ${status}: the push service refuses this server` };
    }
    if (status === 400 || status === 413) return { kind: "refused", reason: `HTTP ${status}` };
    return {
      kind: "failed",
      reason: `HTTP ${status}`,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    };
  };

  return {
    lane: PUSH_LANE,
    kind: "push",
    title: "push",
    ordered: false,
    concurrency: 16,
    async receiver(entry) {
      const { person, device = "" } = noticeOf(entry.data);
      const subscription = await getSubscription(records, person, device);
      return subscription && `${turnOf(entry)} ${new URL(subscription.endpoint).host}`;
    },
    async deliver({ askId, position, type, data }) {
      const notice = noticeOf(data);
      const { person, device = "", step } = notice;
      const [ask, subscription] = await Promise.all([
        store.asks.get(askId),
        getSubscription(records, person, device),
      ]);
      if (ask === undefined || subscription === undefined) return { kind: "delivered" };
      if (!(await isValid(subscription.credential))) {
        await endSubscriptions(records, person, (one) => one.device === device);
        return { kind: "delivered" };
      }
      const ends = type === "ask.settled";
      if (ends && ask.outcome === undefined) return { kind: "delivered" };
      if ((await notifiedSteps(context, askId, PUSH_LANE, notice)).includes(step))
        return { kind: "delivered" };
      let admitted: Admitted = {};
      if (!ends) {
        const timing = await whetherNow(context, person, ask);
        if (timing.now === undefined)
          return ask.outcome === undefined ? timing.attempt : { kind: "delivered" };
        admitted = await admitMessage(context, ask, PUSH_LANE, notice);
        if (admitted.attempt !== undefined) return admitted.attempt;
      }
      const attempt = await send(admitted.rest?.ask ?? ask, subscription, admitted.rest);
      if (attempt.kind !== "delivered" || admitted.rest !== undefined) return attempt;
      await markNotified(context, ask, PUSH_LANE, notice);
      await enqueueEndIfSettled(context, PUSH_LANE, position, { ...notice, askId, ends });
      return attempt;
    },
  };
}

/** At most 32 characters of base64url. */
function topicOf(askId: string): string {
  return sha256(askId, "base64url").slice(0, 32);
}

function withoutFailing({ failing: _, ...subscription }: PushSubscription): PushSubscription {
  return subscription;
}

/** The keys of this store's servers; the first one makes them. */
export async function pushKeys(records: RecordStore): Promise<PushKeys> {
  const known = keysIn((await records.get("secret", "vapid"))?.value);
  if (known !== undefined) return known;
  const made = makePushKeys();
  const put = await records.put("secret", "vapid", made as unknown as Json, { expect: null });
  return put.ok ? made : (keysIn(put.current?.value) ?? made);
}

function keysIn(value: unknown): PushKeys | undefined {
  return isRecord(value) && typeof value.publicKey === "string" ? (value as unknown as PushKeys) : undefined;
}

const KNOWN_HOSTS = [
  /^fcm\.googleapis\.com$/,
  /^android\.googleapis\.com$/,
  /(^|\.)push\.services\.mozilla\.com$/,
  /(^|\.)push\.apple\.com$/,
  /(^|\.)notify\.windows\.com$/,
];

export interface SubscriptionInput {
  readonly subscription?: unknown;
  readonly privacy?: unknown;
  readonly language?: unknown;
}

export interface Subscriber {
  readonly person: string;
  readonly sessions?: readonly string[];
  readonly credential: SubscriptionCredential;
  readonly base: string;
}

/** Stores what a browser's `subscription.toJSON()` returned. Throws if it leads to no push service. */
export async function subscribe(
  context: { readonly store: Pick<Store, "records" | "now"> },
  { hosts = [] }: Pick<PushOptions, "hosts">,
  subscriber: Subscriber,
  input: SubscriptionInput,
): Promise<PushSubscription> {
  const { records, now } = context.store;
  const { endpoint, keys } = isRecord(input.subscription) ? input.subscription : {};
  const { p256dh, auth } = isRecord(keys) ? keys : {};
  if (typeof endpoint !== "string" || endpoint.length > 2_048 || !URL.canParse(endpoint)) {
    throw invalid("subscription.endpoint must be the address that the browser gave");
  }
  const { protocol, hostname, origin, username } = new URL(endpoint);
  const isKnown =
    protocol === "https:" && (KNOWN_HOSTS.some((host) => host.test(hostname)) || hosts.includes(hostname));
  if (!(isKnown || hosts.includes(origin)) || username !== "") {
    throw invalid(
      "subscription.endpoint is not a known push service; the operator can allow its host with --push-host",
    );
  }
  if (!isBytes(p256dh, 65) || !isBytes(auth, 16)) {
    throw invalid("subscription.keys must have p256dh and auth, as the browser gave them");
  }
  const { person } = subscriber;
  const device = sha256(endpoint).slice(0, 16);
  const known = await getSubscription(records, person, device);
  if (known === undefined && (await listSubscriptions(records, person)).length >= MOST_DEVICES) {
    throw invalid(
      `at most ${MOST_DEVICES} devices of a person can be notified; end one with DELETE /v1/push`,
    );
  }
  // A browser belongs to the person who signed in last.
  await endSubscriptions(records, undefined, (one) => one.device === device && one.person !== person);
  const subscription: PushSubscription = {
    ...{ ...subscriber, device, endpoint, p256dh, auth, createdAt: known?.createdAt ?? now() },
    privacy: input.privacy === undefined ? (known?.privacy ?? "everything") : requirePrivacy(input.privacy),
    language: input.language === undefined ? (known?.language ?? ENGLISH) : requireLanguage(input.language),
  };
  await putSubscription(records, subscription);
  return subscription;
}

function isBytes(value: unknown, length: number): value is string {
  return (
    typeof value === "string" &&
    /^[\w-]{1,200}={0,2}$/.test(value) &&
    Buffer.from(value, "base64url").length === length
  );
}

function invalid(message: string): AsklineError {
  return new AsklineError("invalid_request", message);
}
