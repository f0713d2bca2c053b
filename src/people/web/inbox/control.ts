// What an <askline-inbox> does: its keys and its focus, and what a click, an answer or a new ask leads to.
//
//   loading --first list--> live --the server is gone--> away --it is back--> live
//   any --signed out--> failed
//
// The chosen ask stays chosen while others come and go. When the person ends it, the next one takes its place; when
// somebody else ends it, its card says so and stays until the person goes on.

import { render } from "lit/html.js";
import type { Ask } from "../../../core/model/ask.js";
import { titleOf } from "../../../core/text/title.js";
import { agentName, ofSameAgent } from "../../inbox/crowd.js";
import { crowdControl } from "../../inbox/crowd-control.js";
import type { AsklineInbox, ElementControl } from "../elements.js";
import { createLiveElement } from "../live-element.js";
import type { CardEvents, InboxEvents, InboxView } from "../types.js";
import { slim } from "./about.js";
import { styles } from "./inbox.css";
import { makeRoom, ROW_HEIGHT } from "./list.js";
import { createNotify } from "./notify.js";
import { createRecords } from "./records.js";
import { chooseNext, listed, newSelection, nextIn, takeList } from "./selection.js";
import { createSound } from "./sound.js";
import { inboxFrame, VIEWS } from "./view.js";

const NOTICE_MS = 8_000;
const TICK_MS = 20_000;

export function control(host: AsklineInbox): ElementControl {
  const element = createLiveElement(host, {
    styles: [styles],
    properties: ["view", "selected", "chatUrl", "notifications"],
    surface: "inbox",
    changed(name) {
      if (name === "notifications") void readNotifications();
      if (name === "view") records.open(view());
      if (name === "selected" && view() === "history") void records.readAudit();
    },
    started,
    paint,
  });
  const { shadow, update, words } = element;
  const sound = createSound();
  const notify = createNotify(() => host.notifications, update);
  const selection = newSelection();
  const crowd = crowdControl({
    ...{ inbox: () => element.client, live: () => element.live, words },
    by: () => ({ kind: "person", id: host.person ?? "person", surface: host.surface ?? "inbox" }),
  });
  /** What a key does about the agent of an ask. */
  const crowdKeys: Readonly<Record<string, (ask: Ask) => Promise<string> | undefined>> = {
    m: crowd.toggleMute,
    D(ask) {
      const asks = ofSameAgent(ask, element.live?.entries ?? []);
      const isMeant = window.confirm(words().declineAll(asks.length, agentName(ask)));
      return isMeant ? crowd.declineAll(asks) : undefined;
    },
  };
  const records = createRecords({
    client: () => element.client,
    selected: () => host.selected,
    words,
    update,
    signedOut: () => fire("signedout", {}),
  });
  let notice = "";
  let noticeTimer: ReturnType<typeof setTimeout> | undefined;
  let wasAway = false;
  let counted = -1;
  let isListOpen = false;
  // While an answer is sent, its button is disabled and has lost the focus.
  let isInCard = false;
  shadow.addEventListener("focusin", ({ target }) => {
    isInCard = target instanceof Element && target.localName === "askline-card";
  });

  const view = (): InboxView => VIEWS.find((name) => name === host.view) ?? "inbox";
  const isNarrow = (): boolean => host.clientWidth < 832;
  const fire = <Name extends keyof InboxEvents>(name: Name, detail: InboxEvents[Name]): void => {
    host.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  };
  /** Without them, the inbox works all the same. */
  const readNotifications = (): Promise<void> => notify.refresh().catch(() => undefined);

  function started(signal: AbortSignal): void {
    records.clear();
    if (element.client !== undefined) {
      void element.follow(
        signal,
        { filter: {}, keep: slim },
        {
          arrived(ask) {
            sound.play();
            say(words().arrived(titleOf(ask, words())));
          },
          ended(entry) {
            fire("ended", { id: entry.ask.id });
            records.add(entry);
          },
        },
      );
    }
    void readNotifications();
    void crowd.read().then(update);
    records.open(view());
    const tick = setInterval(update, TICK_MS);
    signal.addEventListener("abort", () => {
      clearInterval(tick);
      clearTimeout(noticeTimer);
    });
    window.addEventListener("resize", update, { signal });
    host.ownerDocument.addEventListener("keydown", onKey, { signal });
  }

  function say(text: string): void {
    notice = text;
    clearTimeout(noticeTimer);
    noticeTimer = setTimeout(() => {
      notice = "";
      update();
    }, NOTICE_MS);
    update();
  }

  function go(to: InboxView, ask?: string): void {
    host.view = to;
    host.selected = ask;
    isListOpen = false;
    fire("navigate", { view: to, ask });
    update();
  }

  function choose(id: string, byKey: boolean): void {
    selection.index = selection.shown.findIndex(({ ask }) => ask.id === id);
    const { more } = (view() === "inbox" && selection.shown[selection.index]) || {};
    if (more !== undefined) {
      selection.opened = new Set([...selection.opened, more.key]);
      update();
      return;
    }
    go(view() === "history" ? "history" : "inbox", id);
    if (byKey) focusCard();
    else if (isNarrow()) scrollTo(0, 0);
  }

  /** The card's ask ended by what the person sent: the next one takes its place. */
  function onSettled({ detail }: CustomEvent<CardEvents["settled"]>): void {
    const { id, outcome, ours } = detail;
    // The stream may have said it before: then the list no longer has it.
    const ask = selection.chosen?.id === id ? selection.chosen : undefined;
    const hadFocus = isInCard;
    element.live?.end(id, outcome);
    update();
    if (!ours || view() !== "inbox") return;
    if (ask !== undefined) say(words().sent(outcome.kind, titleOf(ask, words())));
    go("inbox", nextIn(listed(selection, element.live?.entries ?? [], words(), crowd.muted), selection)?.id);
    if (hadFocus) focusCard();
    if (isNarrow()) scrollTo({ top: 0 });
  }

  function onKey(event: KeyboardEvent): void {
    const target = event.composedPath()[0];
    const isTyping = target instanceof HTMLElement && /^(input|textarea|select)$/.test(target.localName);
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    const field = shadow.querySelector<HTMLInputElement>("input[type=search]");
    if (field === null || event.defaultPrevented) return;
    event.preventDefault();
    isListOpen = true;
    paint();
    field.focus();
  }

  /** The arrows move within the list, also to rows that are not in the page yet. */
  function onListKey(event: KeyboardEvent): void {
    const row = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>(".row") : null;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    const isPlain = !(event.ctrlKey || event.metaKey || event.altKey || event.repeat);
    const act = isPlain && view() === "inbox" ? crowdKeys[event.key] : undefined;
    const ask = act && selection.shown[Number(row?.dataset.index)]?.ask;
    if (act !== undefined && ask !== undefined) {
      event.preventDefault();
      if (ask.asker !== undefined) void act(ask)?.then(say);
      return;
    }
    if (row === null || step === undefined) return;
    event.preventDefault();
    const count = view() === "history" ? (records.ended?.length ?? 0) : selection.shown.length;
    const to = Math.max(0, Math.min(count - 1, Number(row.dataset.index) + step));
    const box = shadow.querySelector<HTMLElement>(".scroll");
    if (box !== null) {
      const [top, bottom] = [to * ROW_HEIGHT, (to + 1) * ROW_HEIGHT];
      if (top < box.scrollTop) box.scrollTop = top;
      if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight;
    }
    paint();
    shadow.querySelector<HTMLElement>(`.row[data-index="${to}"]`)?.focus();
  }

  /** The card has a heading once its ask has been loaded. */
  function focusCard(tries = 100): void {
    requestAnimationFrame(() => {
      const card = shadow.querySelector("askline-card");
      const isReady = card?.askId === host.selected && card?.shadowRoot?.querySelector("#title");
      if (isReady) card?.focus();
      else if (host.selected === undefined) shadow.querySelector<HTMLElement>(".empty .big")?.focus();
      else if (tries > 0) focusCard(tries - 1);
    });
  }

  function paint(): void {
    const { live } = element;
    const entries = live?.entries ?? [];
    if (live?.isLoaded === true && entries.length !== counted) {
      counted = entries.length;
      fire("waiting", { count: counted });
    }
    takeList(selection, listed(selection, entries, words(), crowd.muted), host.selected);
    if (view() === "inbox" && host.selected === undefined && selection.shown.length > 0) {
      host.selected = chooseNext(selection)?.id;
    }
    if ((element.failure ?? live?.failure) === undefined) {
      if (wasAway && !element.isAway) say(words().back);
      wasAway = element.isAway;
    }
    const frame = inboxFrame({
      ...{ host, element, view: view(), selection, records, notify, sound, notice, isListOpen },
      ...{ go, choose, paint, onListKey, onSettled },
      toggleList() {
        isListOpen = !isListOpen;
        update();
      },
      goOn() {
        go("inbox", nextIn(selection.shown, selection)?.id);
        focusCard();
      },
      openSettings() {
        go("devices");
        paint();
        shadow.querySelector<HTMLElement>("#notify-title")?.focus();
      },
    });
    render(frame, shadow);
    makeRoom(shadow);
  }

  return element.control;
}
