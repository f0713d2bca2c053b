// What an <askline-chat> shows and does.
//
//   loading --newest page of the history--> live, from the stream --> away and back
//           --no such session--> failed
//
// Older pages are read when the person asks for them. A pending request is the card of its ask.

import { keyed } from "lit/directives/keyed.js";
import { render } from "lit/html.js";
import { type Ask, displayLine, displayText, type Outcome, systemClock } from "../../core/index.js";
import { codeOf, followAsks, isPassing, type LiveAsks } from "../../inbox/index.js";
import { WEB as ENGLISH } from "../../words/en/web.js";
import { fullLanguageOf } from "../../words/languages.js";
import type { WebWords } from "../../words/web.js";
import type { AsklineChat, ElementControl } from "../elements.js";
import { html } from "../html.js";
import { logoPart } from "../inbox/icons.js";
import { styles as frame } from "../inbox/inbox.css";
import { lazy } from "../lazy.js";
import { adopt, localeOf, watchProperties } from "../properties.js";
import type { Part } from "../scene.js";
import type { CardClient, CardEvents, ChatClient } from "../types.js";
import { styles } from "./chat.css";
import {
  type ChatGroup,
  type ChatItem,
  type ChatModel,
  type ChatRequest,
  type ChatStep,
  createModel,
} from "./model.js";

const vietnamese = lazy(() => import("../../words/vi/web.js"));
const rich = lazy(() => import("../rich.js"));

const PAGE = 200;
const RETRY_MS = 1_000;
/** Within this many pixels of its end, the conversation stays at its end. */
const NEAR_END = 120;

export function control(host: AsklineChat): ElementControl {
  const shadow = host.attachShadow({ mode: "open" });
  adopt(shadow, frame, styles);
  const endings = new Map<string, Set<(outcome: Outcome) => void>>();
  let life: AbortController | undefined;
  let client: ChatClient | undefined;
  let live: LiveAsks | undefined;
  let messages: readonly unknown[] = [];
  let events: unknown[] = [];
  let model: ChatModel | undefined;
  let previous: string | undefined;
  let failure: unknown;
  let scheduled = false;
  let hasStyles = false;
  let isSending = false;
  let refused = "";

  const words = (): WebWords =>
    fullLanguageOf(localeOf(host)) === "vi" ? (vietnamese.get(update)?.WEB ?? ENGLISH) : ENGLISH;

  function update(): void {
    if (scheduled) return;
    scheduled = true;
    setTimeout(() => {
      scheduled = false;
      if (host.isConnected) paint();
    });
  }
  watchProperties(
    host,
    ["client", "session", "person", "locale", "surface", "away", "previewFrame", "inboxUrl"],
    (name) => {
      if ((name === "client" || name === "session") && life !== undefined) start();
      update();
    },
  );

  function start(): void {
    life?.abort();
    const own = new AbortController();
    life = own;
    client = host.client;
    messages = [];
    events = [];
    model = undefined;
    previous = undefined;
    failure = undefined;
    own.signal.addEventListener("abort", () => {
      void live?.close();
      live = undefined;
    });
    window.addEventListener("online", update, { signal: own.signal });
    window.addEventListener("offline", update, { signal: own.signal });
    const { session } = host;
    if (client !== undefined && session !== undefined && session !== "") {
      void follow(client, session, own.signal);
      void followPending(client, session, own.signal);
    }
    update();
  }

  /** Tries again what may work later. */
  async function persist(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      try {
        return await work();
      } catch (error) {
        if (signal.aborted) return;
        if (!isPassing(error)) {
          failure = error;
          return update();
        }
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  const follow = (from: ChatClient, session: string, signal: AbortSignal): Promise<void> =>
    persist(signal, async () => {
      const page = await from.sessionHistory(session, { limit: PAGE });
      if (signal.aborted) return;
      messages = page.messages;
      previous = page.previous;
      events = [];
      model = createModel(messages);
      update();
      for await (const { event } of from.followSession(session, { after: page.position, signal })) {
        events.push(event);
        model.apply(event);
        update();
      }
    });

  const followPending = (from: ChatClient, session: string, signal: AbortSignal): Promise<void> =>
    persist(signal, async () => {
      const following = await followAsks(from, { filter: { session }, clock: systemClock });
      if (signal.aborted) return void following.close();
      live = following;
      following.subscribe({
        changed: update,
        ended({ ask, outcome }) {
          for (const resolve of endings.get(ask.id) ?? []) resolve(outcome);
          endings.delete(ask.id);
        },
      });
      update();
    });

  async function readEarlier(): Promise<void> {
    const { session } = host;
    if (client === undefined || session === undefined || previous === undefined) return;
    try {
      const page = await client.sessionHistory(session, { before: previous, limit: PAGE });
      messages = [...page.messages, ...messages];
      previous = page.previous;
      model = createModel(messages);
      for (const event of events) model.apply(event);
      refused = "";
    } catch (error) {
      refused = words().failed(error instanceof Error ? error.message : String(error));
    }
    const box = shadow.querySelector(".flow");
    const fromEnd = box === null ? 0 : box.scrollHeight - box.scrollTop;
    paint();
    if (box !== null) box.scrollTop = box.scrollHeight - fromEnd;
  }

  async function send(): Promise<void> {
    const field = shadow.querySelector("textarea");
    const { session } = host;
    if (field === null || client === undefined || session === undefined || isSending) return;
    const text = field.value;
    if (text.trim() === "") return;
    isSending = true;
    refused = "";
    update();
    try {
      await client.sendMessage(session, text);
      if (field.value === text) field.value = "";
    } catch (error) {
      refused = words().notSent(error instanceof Error ? error.message : String(error));
    }
    isSending = false;
    update();
  }

  /** As in the inbox: one stream for all cards. */
  const cardClient = (from: ChatClient): CardClient => ({
    get: from.get,
    answer: from.answer,
    decide: from.decide,
    decline: from.decline,
    reply: from.reply,
    saveDraft: from.saveDraft,
    rules: from.rules,
    draft: from.draft,
    watch: from.watch,
    ...(from.opened !== undefined && { opened: from.opened }),
    onDraft: (listener) =>
      live?.subscribe({ changed: () => undefined, draft: listener }) ?? (() => undefined),
    wait: (id, { signal } = {}) =>
      new Promise((resolve) => {
        const known = endings.get(id) ?? new Set();
        endings.set(id, known.add(resolve));
        signal?.addEventListener("abort", () => known.delete(resolve));
      }),
  });
  let ownClient: { readonly from: ChatClient; readonly card: CardClient } | undefined;
  function clientOfCards(): CardClient | undefined {
    if (client === undefined) return undefined;
    if (ownClient?.from !== client) ownClient = { from: client, card: cardClient(client) };
    return ownClient.card;
  }

  /** The ask of a pending request: the first of the session that asks the same. */
  function askOf(request: ChatRequest): Ask | undefined {
    const wanted = [
      ...request.questions.map(({ question }) => question),
      ...request.actions.map(({ name }) => name),
    ];
    return live?.entries.find(({ ask }) => {
      const asked = [
        ...ask.questions.map(({ question }) => question),
        ...(ask.approval?.actions ?? []).map(({ name }) => name),
      ];
      return ask.transcript !== undefined && JSON.stringify(asked) === JSON.stringify(wanted);
    })?.ask;
  }

  function paint(): void {
    render(framePart(), shadow);
    // A card grows when its ask has come, long after this.
    const said = shadow.querySelector(".said");
    if (said !== null && said !== observed) {
      observed = said;
      sizes.disconnect();
      sizes.observe(said);
    }
    stayAtEnd();
  }
  let observed: Element | undefined;
  let isAtEnd = true;
  const sizes = new ResizeObserver(stayAtEnd);
  function stayAtEnd(): void {
    const box = shadow.querySelector(".flow");
    if (box !== null && isAtEnd) box.scrollTop = box.scrollHeight;
  }
  function onScroll({ currentTarget: box }: Event): void {
    if (box instanceof Element) isAtEnd = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_END;
  }

  function framePart(): Part {
    const text = words();
    const isOffline = !navigator.onLine;
    const isAway = isOffline || host.away === true || live?.awaySince !== undefined;
    const hasQuestion = model?.pending.some(({ questions }) => questions.length > 0) ?? false;
    return html`<div class="frame chat" lang=${fullLanguageOf(localeOf(host))}>
      <header class="top"><span class="brand">${logoPart()}</span>
        <h1 class="name" title=${displayLine(host.session ?? "")}><span class="unseen">${text.chat}: </span><bdi>${displayLine(host.session ?? "")}</bdi></h1>
        ${host.inboxUrl !== undefined && html`<a class="home" href=${host.inboxUrl}>${text.toInbox}</a>`}</header>
      ${isAway && html`<div class="banner" role="status">${isOffline ? text.offline : text.away}</div>`}
      <main class="flow" tabindex="0" aria-label=${text.chat} @scroll=${onScroll}><div class="said">
        ${previous !== undefined && html`<p class="earlier"><button type="button" class="plain" @click=${() => void readEarlier()}>${text.earlier}</button></p>`}
        ${failure !== undefined ? html`<p class="problem" role="alert">${codeOf(failure) === "not_found" ? text.noSession : codeOf(failure) === "unauthorized" ? text.signedOut : text.failed(String(failure))}</p>` : model === undefined && html`<p class="soft">${text.loading}</p>`}
        ${model !== undefined && model.items.length === 0 && html`<p class="soft">${text.emptyChat}</p>`}
        ${model?.items.map((item) => itemPart(item))}
      </div></main>
      ${
        failure === undefined &&
        html`<form class="talk" aria-label=${text.talk} @submit=${(event: Event) => {
          event.preventDefault();
          void send();
        }}>
        ${refused !== "" && html`<p class="problem" role="alert">${refused}</p>`}
        ${hasQuestion && html`<p class="soft hint" id="talk-hint">${text.talkInsteadHint}</p>`}
        <div class="line"><label class="unseen" for="talk">${hasQuestion ? text.talkInstead : text.talk}</label>
        <textarea id="talk" rows="1" maxlength="20000" placeholder=${hasQuestion ? text.talkInstead : text.talk} aria-describedby=${hasQuestion ? "talk-hint" : ""} @keydown=${(
          event: KeyboardEvent,
        ) => {
          if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
          if (matchMedia("(pointer: coarse)").matches) return;
          event.preventDefault();
          void send();
        }}></textarea>
        <button type="submit" class="send" ?disabled=${isSending}>${text.sendText}</button></div>
      </form>`
      }
    </div>`;
  }

  function itemPart(item: ChatItem): Part {
    switch (item.kind) {
      case "user":
        return html`<div class="user"><p class="unseen">${words().saidByYou}:</p><p class="bubble" dir="auto">${displayText(item.text)}</p></div>`;
      case "text":
        return html`<div class="text" dir="auto">${markdown(item.text)}</div>`;
      case "group":
        return groupPart(item);
      case "request":
        return requestPart(item);
    }
  }

  function markdown(source: string): Part {
    const module = rich.get(update);
    if (module === undefined) return html`<p class="plain-text">${displayText(source)}</p>`;
    if (!hasStyles) {
      hasStyles = true;
      adopt(shadow, frame, styles, module.styles);
    }
    return module.markdownPart(source, update);
  }

  function groupPart(group: ChatGroup): Part {
    const text = words();
    const isPending = group.steps.some((step) => step.kind === "request" && step.status === "pending");
    const message = group.steps.findLast((step) => step.kind === "tool" && step.message !== "");
    const summary = group.summary ?? (message?.kind === "tool" ? message.message : text.thinking);
    return html`<details class="group" ?open=${isPending} data-running=${group.isOpen}>
      <summary><span class="gist" dir="auto">${displayLine(summary)}</span><span class="soft steps">${text.steps(group.steps.length)}</span></summary>
      <ol>${group.steps.map((step) => html`<li>${stepPart(step)}</li>`)}</ol></details>`;
  }

  function stepPart(step: ChatStep): Part {
    switch (step.kind) {
      case "thinking":
        return html`<p class="thinking" dir="auto">${displayText(step.text)}</p>`;
      case "tool":
        return html`<p class="tool"><code>${displayLine(step.name)}</code> <span dir="auto">${displayText(step.message)}</span>${step.status === "error" && html` <span class="late">${words().toolFailed}</span>`}</p>`;
      case "request":
        return requestPart(step);
    }
  }

  function requestPart(request: ChatRequest): Part {
    const text = words();
    if (request.status === "pending") {
      const ask = askOf(request);
      if (ask !== undefined) {
        return html`<div class="asked">${keyed(ask.id, html`<askline-card ask-id=${ask.id} .client=${clientOfCards()} locale=${localeOf(host)} person=${host.person ?? ""} preview-frame=${host.previewFrame ?? ""} surface=${host.surface ?? "chat"} @settled=${onSettled}></askline-card>`)}</div>`;
      }
    }
    const ended =
      request.status === "answered"
        ? ""
        : request.status === "pending"
          ? text.loading
          : (text.ends[request.status] ?? "");
    return html`<dl class="resolved" part="resolved">
      ${request.questions.map(({ question }) => html`<div><dt dir="auto">${displayText(question)}</dt><dd dir="auto">${ended === "" ? answerOf(request, question) : ended}</dd></div>`)}
      ${request.actions.map(({ name }, at) => html`<div><dt><code>${displayLine(name)}</code></dt><dd>${ended === "" ? (text.decisions[request.decisions[at] as "approve"] ?? "") : ended}</dd></div>`)}
      ${request.questions.length + request.actions.length === 0 && html`<div><dt class="soft">${ended}</dt></div>`}
    </dl>`;
  }

  function answerOf({ answers }: ChatRequest, question: string): string {
    const answer = Object.hasOwn(answers, question) ? answers[question] : undefined;
    return typeof answer === "string" && answer !== "" && answer !== "[No preference]"
      ? displayText(answer)
      : words().skipped;
  }

  function onSettled({ detail }: CustomEvent<CardEvents["settled"]>): void {
    live?.end(detail.id, detail.outcome);
    update();
  }

  return {
    connect() {
      if (life === undefined || life.signal.aborted) start();
    },
    disconnect() {
      life?.abort();
      life = undefined;
    },
  };
}
