// Messages over ntfy (https://ntfy.sh). The topic is a secret: whoever knows it can read what it gets.

import { AsklineError } from "../../core/index.js";
import { attemptOf } from "../channels/payload.js";
import { post } from "../http/post.js";
import type { Channel } from "../outbox/lane.js";
import { markNotified, noticeOf, notifiedSteps, type PeopleContext } from "./context.js";
import { messageOf } from "./message.js";
import { NTFY_LANE } from "./notify.js";
import { whetherNow } from "./timing.js";

/** The most actions that ntfy shows. */
const MOST_ACTIONS = 3;

export function ntfyChannel(context: PeopleContext, topics: ReadonlyMap<string, string>): Channel {
  const { store, links, timeoutMs } = context;
  const targets = new Map([...topics].map(([person, url]) => [person, targetOf(url)]));
  return {
    lane: NTFY_LANE,
    kind: "ntfy",
    title: "ntfy",
    ordered: false,
    concurrency: 8,
    receiver: async ({ data }) => targets.get(noticeOf(data).person)?.url.host,
    async deliver({ askId, data }) {
      const notice = noticeOf(data);
      const { person, step } = notice;
      const [ask, target] = [await store.asks.get(askId), targets.get(person)];
      if (ask === undefined || ask.outcome !== undefined || target === undefined)
        return { kind: "delivered" };
      if ((await notifiedSteps(context, askId, NTFY_LANE, notice)).includes(step))
        return { kind: "delivered" };
      const timing = await whetherNow(context, person);
      if (timing.now === undefined) return timing.attempt;
      const { privacy, language } = timing.now;
      const { title, body, choices } = messageOf(ask, privacy, language, MOST_ACTIONS);
      const actions = await Promise.all(
        choices.map(async ({ label, ending, submission }) => ({
          ...{ action: "http", label, method: "POST", clear: true },
          url: await links.actionUrl({ askId, person, surface: "ntfy", ending, submission }),
        })),
      );
      const message = {
        ...{ topic: target.topic, title, message: body === "" ? title : body },
        click: await links.askUrl(askId, person),
        ...(actions.length > 0 && { actions }),
      };
      const { url, authorization } = target;
      const headers = {
        ...{ "content-type": "application/json", "user-agent": "askline" },
        ...(authorization !== undefined && { authorization }),
      };
      // The operator chose the address, so it may be anywhere.
      const posted = await post({
        url,
        headers,
        body: JSON.stringify(message),
        allowPrivate: true,
        timeoutMs,
      });
      const attempt = attemptOf(posted);
      if (attempt.kind === "delivered") await markNotified(context, ask, NTFY_LANE, notice);
      return attempt;
    },
  };
}

interface Target {
  readonly url: URL;
  readonly topic: string;
  readonly authorization?: string;
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
  return { url: publish, topic, ...(authorization !== undefined && { authorization }) };
}
