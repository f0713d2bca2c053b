// What an <askline-chat> does.
//
//   loading --newest page of the history--> live, from the stream --> away and back
//           --no such session--> failed
//
// Older pages are read when the person asks for them. A pending request is the card of its ask.

import { render } from "lit/html.js";
import { isBlank } from "../../../core/kit/fold.js";
import { displayText } from "../../../core/text/display.js";
import type { AsklineChat, ElementControl } from "../elements.js";
import { html, type Part } from "../html.js";
import { styles as frame } from "../inbox/inbox.css";
import { lazy } from "../lazy.js";
import { createLiveElement } from "../live-element.js";
import { adopt } from "../properties.js";
import type { CardEvents, ChatClient } from "../types.js";
import { styles } from "./chat.css";
import { type ChatModel, createModel } from "./model.js";
import { chatFrame } from "./view.js";

const rich = lazy(() => import("../rich.js"));

const PAGE = 200;
/** Within this many pixels of its end, the conversation stays at its end. */
const NEAR_END = 120;

export function control(host: AsklineChat): ElementControl {
  const element = createLiveElement(host, {
    styles: [frame, styles],
    properties: ["session", "inboxUrl"],
    surface: "chat",
    changed(name) {
      if (name === "session") element.restart();
    },
    started,
    paint,
  });
  const { shadow, update, words } = element;
  let messages: readonly unknown[] = [];
  let events: unknown[] = [];
  let model: ChatModel | undefined;
  let previous: string | undefined;
  let hasStyles = false;
  let isSending = false;
  let refused = "";

  function started(signal: AbortSignal): void {
    messages = [];
    events = [];
    model = undefined;
    previous = undefined;
    const { client } = element;
    const { session } = host;
    if (client === undefined || session === undefined || session === "") return;
    void element.persist(signal, () => followSession(client, session, signal));
    void element.follow(signal, { filter: { session } });
  }

  async function followSession(from: ChatClient, session: string, signal: AbortSignal): Promise<void> {
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
  }

  async function readEarlier(): Promise<void> {
    const { session } = host;
    if (element.client === undefined || session === undefined || previous === undefined) return;
    try {
      const page = await element.client.sessionHistory(session, { before: previous, limit: PAGE });
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
    if (field === null || element.client === undefined || session === undefined || isSending) return;
    const text = field.value;
    if (isBlank(text)) return;
    isSending = true;
    refused = "";
    update();
    try {
      await element.client.sendMessage(session, text);
      if (field.value === text) field.value = "";
    } catch (error) {
      refused = words().notSent(error instanceof Error ? error.message : String(error));
    }
    isSending = false;
    update();
  }

  function paint(): void {
    const scene = { host, element, model, hasEarlier: previous !== undefined, isSending, refused };
    render(chatFrame({ ...scene, markdown, readEarlier, send, onScroll, onSettled }), shadow);
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

  function markdown(source: string): Part {
    const module = rich.get(update);
    if (module === undefined) return html`<p class="plain-text">${displayText(source)}</p>`;
    if (!hasStyles) {
      hasStyles = true;
      adopt(shadow, module.styles);
    }
    return module.markdownPart(source, update);
  }

  function onSettled({ detail }: CustomEvent<CardEvents["settled"]>): void {
    element.live?.end(detail.id, detail.outcome);
    update();
  }

  return element.control;
}
