// Messages over ntfy (https://ntfy.sh). The topic is a secret: anyone who knows it can read its messages.

import type { Ask } from "../../../core/model/ask.js";
import { AsklineError } from "../../../core/model/error.js";
import type { NotificationPreferences } from "../../../core/model/notifications.js";
import { post } from "../../../hub/delivery/http/post.js";
import { turnOf } from "../../../hub/delivery/outbox/entry.js";
import type { Channel } from "../../../hub/delivery/outbox/lane.js";
import { attemptOf } from "../../../hub/delivery/payload.js";
import { markNotified, noticeOf, notifiedSteps, type PeopleContext } from "../notify/context.js";
import { messageOf, moreMessage, settledMessage } from "../notify/message.js";
import { type Admitted, admitMessage, type Rest, summaryId } from "../notify/message-limit.js";
import { enqueueEndIfSettled, NTFY_LANE } from "../notify/notify.js";
import { readPreferences } from "../notify/preferences.js";
import { whetherNow } from "../notify/timing.js";

/** The most actions that ntfy shows. */
const MOST_ACTIONS = 3;
/** A priority of ntfy. */
const WITHOUT_SOUND = 2;

export function ntfyChannel(context: PeopleContext, topics: ReadonlyMap<string, string>): Channel {
  const { store, links, timeoutMs } = context;
  const targets = new Map([...topics].map(([person, url]) => [person, targetOf(url)]));

  const contentOf = async (
    ask: Ask,
    person: string,
    { privacy, language }: NotificationPreferences,
    rest: Rest | undefined,
  ): Promise<object> => {
    // Since ntfy 2.16, a message takes the place of the one with the same sequence id; before, it follows it.
    const sequence_id = rest === undefined ? ask.id : summaryId(ask);
    const { title, body, choices } =
      rest === undefined
        ? messageOf(ask, privacy, language, MOST_ACTIONS)
        : moreMessage(rest, privacy, language);
    const click = await links.askUrl(ask.id, person);
    if (ask.outcome !== undefined) {
      const { title: message } = settledMessage(ask.outcome, language);
      const about = privacy === "minimal" ? {} : { title };
      return { sequence_id, ...about, message, click, priority: WITHOUT_SOUND };
    }
    const actions = await Promise.all(
      choices.map(async ({ label, ending }) => ({
        ...{ action: "http", label, method: "POST", clear: true },
        url: await links.actionUrl({ askId: ask.id, person, surface: "ntfy", ending }),
      })),
    );
    return {
      ...{ sequence_id, title, message: body === "" ? title : body, click },
      ...(actions.length > 0 && { actions }),
    };
  };

  return {
    lane: NTFY_LANE,
    kind: "ntfy",
    title: "ntfy",
    ordered: false,
    concurrency: 16,
    async receiver(entry) {
      const target = targets.get(noticeOf(entry.data).person);
      return target && `${turnOf(entry)} ${target.url.host}`;
    },
    async deliver({ askId, position, type, data }) {
      const notice = noticeOf(data);
      const { person, step } = notice;
      const [ask, target] = [await store.asks.get(askId), targets.get(person)];
      if (ask === undefined || target === undefined) return { kind: "delivered" };
      if (await context.isRevoked?.(person)) return { kind: "delivered" };
      const ends = type === "ask.settled";
      if (ends && ask.outcome === undefined) return { kind: "delivered" };
      if ((await notifiedSteps(context, askId, NTFY_LANE, notice)).includes(step))
        return { kind: "delivered" };
      let preferences: NotificationPreferences;
      let admitted: Admitted = {};
      if (ends) preferences = await readPreferences(store, person);
      else {
        const timing = await whetherNow(context, person, ask);
        if (timing.now === undefined)
          return ask.outcome === undefined ? timing.attempt : { kind: "delivered" };
        preferences = timing.now;
        admitted = await admitMessage(context, ask, NTFY_LANE, notice);
        if (admitted.attempt !== undefined) return admitted.attempt;
      }
      const { url, topic, authorization } = target;
      const headers = {
        ...{ "content-type": "application/json", "user-agent": "askline" },
        ...(authorization !== undefined && { authorization }),
      };
      const body = JSON.stringify({
        topic,
        ...(await contentOf(admitted.rest?.ask ?? ask, person, preferences, admitted.rest)),
      });
      // The operator chose the address, so it may be anywhere.
      const attempt = attemptOf(await post({ url, headers, body, allowPrivate: true, timeoutMs }));
      if (attempt.kind !== "delivered" || admitted.rest !== undefined) return attempt;
      await markNotified(context, ask, NTFY_LANE, notice);
      await enqueueEndIfSettled(context, NTFY_LANE, position, { ...notice, askId, ends });
      return attempt;
    },
  };
}

interface Target {
  readonly url: URL;
  readonly topic: string;
  readonly authorization: string | undefined;
}

/** The last part of the path is the topic; `https://:TOKEN@host/topic` and `https://user:password@…` sign in. */
function targetOf(text: string): Target {
  const url = new URL(text);
  const [, base = "/", topic = ""] = /^(.*\/)([^/]+)\/?$/.exec(url.pathname) ?? [];
  if (topic === "") throw new AsklineError("invalid_request", "an ntfy address must end with a topic");
  const { username, password } = url;
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  const authorization =
    password === ""
      ? undefined
      : username === ""
        ? `Bearer ${decodeURIComponent(password)}`
        : `Basic ${credentials.toString("base64")}`;
  const publish = new URL(base, url.origin);
  return { url: publish, topic, authorization };
}
