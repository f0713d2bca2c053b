// What a chat shows: the conversation, with a card for what is asked now, and the box to talk.

import type { Ask } from "../../../core/model/ask.js";
import { displayLine, displayText } from "../../../core/text/display.js";
import { codeOf } from "../../inbox/live-asks.js";
import type { AsklineChat } from "../elements.js";
import { html, type Part } from "../html.js";
import { logoPart } from "../inbox/icons.js";
import type { LiveElement } from "../live-element.js";
import type { CardEvents, ChatClient } from "../types.js";
import type { ChatGroup, ChatItem, ChatModel, ChatRequest, ChatStep, ChatUser } from "./model.js";

export interface ChatScene {
  readonly host: AsklineChat;
  readonly element: LiveElement<ChatClient>;
  /** Undefined until the history was read. */
  readonly model: ChatModel | undefined;
  readonly hasEarlier: boolean;
  readonly isSending: boolean;
  /** Why the last thing that the person did failed; empty if it did not. */
  readonly refused: string;
  markdown(source: string): Part;
  readEarlier(): Promise<void>;
  send(): Promise<void>;
  onScroll(event: Event): void;
  onSettled(event: CustomEvent<CardEvents["settled"]>): void;
}

export function chatFrame(scene: ChatScene): Part {
  const { host, element, model, hasEarlier, readEarlier, onScroll } = scene;
  const { failure } = element;
  const text = element.words();
  return html`<div class="frame chat" lang=${element.language}>
      <header class="top"><span class="brand">${logoPart()}</span>
        <h1 class="name" title=${displayLine(host.session ?? "")}><span class="unseen">${text.chat}: </span><bdi>${displayLine(host.session ?? "")}</bdi></h1>
        ${host.inboxUrl !== undefined && html`<a class="home" href=${host.inboxUrl}>${text.toInbox}</a>`}</header>
      ${element.isAway && html`<div class="banner" role="status">${element.isOffline ? text.offline : text.away}</div>`}
      <main class="flow" tabindex="0" aria-label=${text.chat} @scroll=${onScroll}><div class="said">
        ${hasEarlier && html`<p class="earlier"><button type="button" class="plain" @click=${() => void readEarlier()}>${text.earlier}</button></p>`}
        ${failure !== undefined ? html`<p class="problem" role="alert">${codeOf(failure) === "not_found" ? text.noSession : codeOf(failure) === "unauthorized" ? text.signedOut : text.failed(String(failure))}</p>` : model === undefined && html`<p class="soft">${text.loading}</p>`}
        ${model !== undefined && model.items.length === 0 && html`<p class="soft">${text.emptyChat}</p>`}
        ${model?.items.map((item) => itemPart(item, scene))}
      </div></main>
      ${failure === undefined && talkPart(scene)}
    </div>`;
}

function talkPart({ element, model, isSending, refused, send }: ChatScene): Part {
  const text = element.words();
  const hasQuestion = model?.pending.some(({ questions }) => questions.length > 0) ?? false;
  const label = hasQuestion ? text.talkInstead : text.talk;
  return html`<form class="talk" aria-label=${text.talk} @submit=${(event: Event) => {
    event.preventDefault();
    void send();
  }}>
        ${refused !== "" && html`<p class="problem" role="alert">${refused}</p>`}
        ${hasQuestion && html`<p class="soft hint" id="talk-hint">${text.talkInsteadHint}</p>`}
        <div class="line"><label class="unseen" for="talk">${label}</label>
        <textarea id="talk" rows="1" maxlength="20000" placeholder=${label} aria-describedby=${hasQuestion ? "talk-hint" : ""} @keydown=${(
          event: KeyboardEvent,
        ) => {
          if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
          if (matchMedia("(pointer: coarse)").matches) return;
          event.preventDefault();
          void send();
        }}></textarea>
        <button type="submit" class="send" ?disabled=${isSending}>${text.sendText}</button></div>
      </form>`;
}

/** Who wrote it. What an agent wrote must not look like what the person said. */
function writerPart({ person, agent }: ChatUser, { host, element }: ChatScene): Part {
  const words = element.words();
  if (agent !== undefined) return html`<p class="writer">${words.writtenByAgent(displayLine(agent))}</p>`;
  const isOwn = person === undefined || person === host.person;
  if (isOwn) return html`<p class="unseen">${words.saidByYou}:</p>`;
  return html`<p class="writer"><bdi>${displayLine(person)}</bdi></p>`;
}

function itemPart(item: ChatItem, scene: ChatScene): Part {
  switch (item.kind) {
    case "user":
      return html`<div class="user">${writerPart(item, scene)}<p class=${item.agent === undefined ? "bubble" : "bubble written"} dir="auto">${displayText(item.text)}</p></div>`;
    case "text":
      return html`<div class="text" dir="auto">${scene.markdown(item.text)}</div>`;
    case "group":
      return groupPart(item, scene);
    case "request":
      return requestPart(item, scene);
  }
}

function groupPart(group: ChatGroup, scene: ChatScene): Part {
  const text = scene.element.words();
  const isPending = group.steps.some((step) => step.kind === "request" && step.status === "pending");
  const message = group.steps.findLast((step) => step.kind === "tool" && step.message !== "");
  const summary = group.summary ?? (message?.kind === "tool" ? message.message : text.thinking);
  return html`<details class="group" ?open=${isPending} data-running=${group.isOpen}>
      <summary><span class="gist" dir="auto">${displayLine(summary)}</span><span class="soft steps">${text.steps(group.steps.length)}</span></summary>
      <ol>${group.steps.map((step) => html`<li>${stepPart(step, scene)}</li>`)}</ol></details>`;
}

function stepPart(step: ChatStep, scene: ChatScene): Part {
  switch (step.kind) {
    case "thinking":
      return html`<p class="thinking" dir="auto">${displayText(step.text)}</p>`;
    case "tool":
      return html`<p class="tool"><code>${displayLine(step.name)}</code> <span dir="auto">${displayText(step.message)}</span>${step.status === "error" && html` <span class="late">${scene.element.words().toolFailed}</span>`}</p>`;
    case "request":
      return requestPart(step, scene);
  }
}

function requestPart(request: ChatRequest, scene: ChatScene): Part {
  const { element, onSettled } = scene;
  const text = element.words();
  const ask = request.status === "pending" ? askOf(request, scene) : undefined;
  if (ask !== undefined) return html`<div class="asked">${element.cardPart(ask.id, onSettled)}</div>`;
  const ended =
    request.status === "answered"
      ? ""
      : request.status === "pending"
        ? text.loading
        : (text.ends[request.status] ?? "");
  return html`<dl class="resolved" part="resolved">
      ${request.questions.map(({ question }) => html`<div><dt dir="auto">${displayText(question)}</dt><dd dir="auto">${ended === "" ? answerOf(request, question, text.skipped) : ended}</dd></div>`)}
      ${request.actions.map(({ name }, at) => html`<div><dt><code>${displayLine(name)}</code></dt><dd>${ended === "" ? (text.decisions[request.decisions[at] as "approve"] ?? "") : ended}</dd></div>`)}
      ${request.questions.length + request.actions.length === 0 && html`<div><dt class="soft">${ended}</dt></div>`}
    </dl>`;
}

/** The ask of a pending request: the first of the session that asks the same. */
function askOf(request: ChatRequest, { element }: ChatScene): Ask | undefined {
  const wanted = [
    ...request.questions.map(({ question }) => question),
    ...request.actions.map(({ name }) => name),
  ];
  return element.live?.entries.find(({ ask }) => {
    const asked = [
      ...ask.questions.map(({ question }) => question),
      ...(ask.approval?.actions ?? []).map(({ name }) => name),
    ];
    return ask.transcript !== undefined && JSON.stringify(asked) === JSON.stringify(wanted);
  })?.ask;
}

function answerOf({ answers }: ChatRequest, question: string, skipped: string): string {
  const answer = Object.hasOwn(answers, question) ? answers[question] : undefined;
  return typeof answer === "string" && answer !== "" && answer !== "[No preference]"
    ? displayText(answer)
    : skipped;
}
