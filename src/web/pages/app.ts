// The script of the server's pages. It puts a live element in the place of the page without script, and does what
// belongs to the page and not to the element: the address, the title, the icon, the service worker, and the way home.

import { connect } from "../../client/connect.js";
import { isRecord } from "../../core/index.js";
import { AsklineCard } from "../card.js";
import { AsklineChat, AsklineInbox } from "../elements.js";
import type { InboxEvents, InboxView } from "../types.js";
import { showCount } from "./badge.js";
import { forgetHome, openHome, rememberHome } from "./home.js";
import { closeNotification, notificationsAt, onNotificationTap, reportFocus } from "./notify.js";

customElements.define("askline-card", AsklineCard);
customElements.define("askline-inbox", AsklineInbox);
customElements.define("askline-chat", AsklineChat);

const SURFACE = "page";
const QUIET = { warn: () => undefined, error: () => undefined };

const app = document.getElementById("app");
if (app !== null) void start(app);

async function start(place: HTMLElement): Promise<void> {
  const { page, base = "", person, ask, session } = place.dataset;
  switch (page) {
    case "home":
      if (!(await openHome(base))) show(place);
      return;
    case "code":
      show(place);
      if (location.hash === "#open") place.querySelector("form")?.requestSubmit();
      return;
    case "link":
      return showLink(place, base, ask ?? "", person);
    case "chat":
      rememberHome(base, person);
      return showChat(place, base, session ?? "", person);
    case "inbox":
    case "history":
    case "devices":
      rememberHome(base, person);
      registerWorker(base);
      return showInbox(place, base, page, ask, person);
  }
}

/** Puts an element in the place of everything else; without one, shows what is there. */
function show(place: HTMLElement, element?: HTMLElement): void {
  delete place.dataset.page;
  if (element === undefined) return;
  place.replaceChildren(element);
  document.body.classList.add("live");
}

function serverOf(base: string): string {
  return `${location.origin}${base}`;
}

/** A client that reports whether the server can be reached. */
function connectTo(base: string, changed: (away: boolean) => void): ReturnType<typeof connect> {
  return connect({
    url: serverOf(base),
    surface: SURFACE,
    logger: QUIET,
    async fetch(input, init) {
      try {
        const response = await fetch(input, init);
        changed(false);
        return response;
      } catch (error) {
        if (init?.signal?.aborted !== true) changed(true);
        throw error;
      }
    },
  });
}

function showInbox(
  place: HTMLElement,
  base: string,
  view: InboxView,
  ask: string | undefined,
  person: string | undefined,
): void {
  const inbox = new AsklineInbox();
  const notifications = notificationsAt(base);
  const at = readAddress(base);
  Object.assign(inbox, {
    client: connectTo(base, (away) => {
      inbox.away = away;
    }),
    person: person ?? rememberedPerson(),
    surface: SURFACE,
    view: at.view ?? view,
    selected: at.ask ?? ask,
    notifications,
    previewFrame: `${base}/preview-frame`,
    chatUrl: (session: string) => `${base}/chat/${encodeURIComponent(session)}`,
  });
  const nameOf = (): string => document.title.replace(/^\(\d+\) /, "");
  inbox.addEventListener("waiting", (event) => {
    const { count } = (event as CustomEvent<InboxEvents["waiting"]>).detail;
    document.title = count === 0 ? "Askline" : `(${count}) Askline`;
    void showCount(count);
  });
  inbox.addEventListener("navigate", (event) => {
    const { view: to, ask: id } = (event as CustomEvent<InboxEvents["navigate"]>).detail;
    history.pushState(null, "", addressOf(base, to, id));
  });
  inbox.addEventListener("ended", (event) => {
    const { id } = (event as CustomEvent<InboxEvents["ended"]>).detail;
    void closeNotification(base, id);
  });
  onNotificationTap((id) => {
    history.pushState(null, "", addressOf(base, "inbox", id));
    Object.assign(inbox, { view: "inbox", selected: id });
  });
  reportFocus(base);
  inbox.addEventListener("signedout", async () => {
    forgetHome();
    // The server has ended the subscription; this browser forgets it too.
    await notifications.turnOff().catch(() => undefined);
    // Also removes the cookie.
    const form = document.createElement("form");
    Object.assign(form, { method: "post", action: `${base}/logout` });
    document.body.append(form);
    form.submit();
  });
  window.addEventListener("popstate", () => {
    const { view: to = "inbox", ask: id } = readAddress(base);
    Object.assign(inbox, { view: to, selected: id });
  });
  document.title = nameOf();
  show(place, inbox);
}

function rememberedPerson(): string | undefined {
  const home: unknown = JSON.parse(localStorage.getItem("askline.home") ?? "null");
  return isRecord(home) && typeof home.person === "string" ? home.person : undefined;
}

function addressOf(base: string, view: InboxView, ask: string | undefined): string {
  const id = ask === undefined ? "" : encodeURIComponent(ask);
  if (view === "inbox") return id === "" ? `${base}/` : `${base}/asks/${id}`;
  return `${base}/${view}${id === "" ? "" : `#${id}`}`;
}

function readAddress(base: string): { readonly view?: InboxView; readonly ask?: string } {
  const path = location.pathname.slice(base.length);
  const [, id] = /^\/asks\/([^/]+)$/.exec(path) ?? [];
  if (id !== undefined) return { view: "inbox", ask: decodeURIComponent(id) };
  const view = path === "/history" ? "history" : path === "/devices" ? "devices" : "inbox";
  return { view, ...(location.hash.length > 1 && { ask: decodeURIComponent(location.hash.slice(1)) }) };
}

/** The link is the credential, and the page may read nothing but its ask. */
function showLink(place: HTMLElement, base: string, ask: string, person: string | undefined): void {
  const [, token = ""] = /\/a\/([^/]+)\/?$/.exec(location.pathname) ?? [];
  const { get, answer, decide, decline, reply, saveDraft, draft, watch, wait, opened } = connect({
    url: serverOf(base),
    token,
    logger: QUIET,
  });
  const card = new AsklineCard();
  Object.assign(card, {
    client: { get, answer, decide, decline, reply, saveDraft, draft, watch, wait, opened },
    askId: ask,
    person,
    surface: "link",
    previewFrame: `${base}/preview-frame`,
  });
  const main = document.createElement("main");
  main.className = "linked";
  const heading = document.createElement("h1");
  heading.className = "unseen";
  heading.textContent = document.title;
  main.append(heading, card);
  show(place, main);
}

function showChat(place: HTMLElement, base: string, session: string, person: string | undefined): void {
  const chat = new AsklineChat();
  Object.assign(chat, {
    client: connectTo(base, (away) => {
      chat.away = away;
    }),
    ...{ session, person, surface: SURFACE },
    inboxUrl: `${base}/`,
    previewFrame: `${base}/preview-frame`,
  });
  show(place, chat);
}

/** Only on https and on this machine: elsewhere a browser has none. */
function registerWorker(base: string): void {
  const register = (): void => {
    void navigator.serviceWorker?.register(`${base}/worker.js`, { scope: `${base}/` }).catch(() => undefined);
  };
  if (document.readyState === "complete") register();
  else window.addEventListener("load", register, { once: true });
}
