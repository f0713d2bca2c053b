// The script of the server's pages. It puts a live element in the place of the page without script, and does what
// belongs to the page and not to the element: the address, the title, the icon, the service worker, and the way home.

import type { connect } from "../../../client/connect.js";
import { AsklineCard } from "../card.js";
import { AsklineChat, AsklineInbox } from "../elements.js";
import type { InboxEvents, InboxView } from "../types.js";
import { showCount } from "./badge.js";
import { findHome, forgetHome, rememberedHome, rememberHome } from "./home.js";
import { connectPage, forgetDrafts, LEAVING } from "./kept-drafts.js";
import { closeNotification, notificationsAt, onNotificationTap, reportFocus } from "./notify.js";
import { afterProof, rootOf } from "./server-proof.js";

customElements.define("askline-card", AsklineCard);
customElements.define("askline-inbox", AsklineInbox);
customElements.define("askline-chat", AsklineChat);

const SURFACE = "page";
const WORKER_AFTER_MS = 2_000;
const QUIET = { warn: () => undefined, error: () => undefined };

const app = document.getElementById("app");
if (app !== null) void start(app);

// A card that is removed saves its draft. Before a page is unloaded, requests still work; it may also stay, as with a
// download. A page that the browser brings back starts again.
function saveDrafts({ type }: Event): void {
  const cards = app?.firstElementChild?.shadowRoot ?? app;
  for (const card of cards?.querySelectorAll("askline-card") ?? []) {
    const gap = new Comment();
    card.replaceWith(gap);
    if (type === "beforeunload") setTimeout(() => gap.replaceWith(card));
  }
}
for (const type of LEAVING) window.addEventListener(type, saveDrafts);
window.addEventListener("pageshow", ({ persisted }) => {
  if (persisted) location.reload();
});

async function start(place: HTMLElement): Promise<void> {
  const { page, base = "", person, ask, session, proof } = place.dataset;
  const send = afterProof(`${location.origin}${base}`, proof);
  switch (page) {
    case "home": {
      const home = await findHome(base);
      if (home === undefined) return show(place);
      const { pathname, search } = location;
      const [wanted] = /\/(?:chat|asks)\/[^/]+$|\/(?:history|devices)$/.exec(pathname) ?? [];
      if (wanted !== undefined || search !== "") return location.replace(`${home.path}${wanted ?? "/"}`);
      const sendHome = afterProof(serverOf(home.path), proof);
      registerWorker(home.path);
      return showInbox(place, home.path, sendHome, "inbox", undefined, home.person);
    }
    case "code":
      show(place);
      if (location.hash === "#open") place.querySelector("form")?.requestSubmit();
      return;
    case "link":
      return showLink(place, base, send, ask ?? "", person);
    case "chat":
      rememberHome(base, person);
      registerWorker(base);
      return showChat(place, base, send, session ?? "", person);
    case "inbox":
    case "history":
    case "devices":
      rememberHome(base, person);
      registerWorker(base);
      return showInbox(place, base, send, page, ask, person);
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
function connectTo(
  base: string,
  send: typeof fetch,
  changed: (away: boolean) => void,
): ReturnType<typeof connect> {
  return connectPage(base, {
    url: serverOf(base),
    surface: SURFACE,
    logger: QUIET,
    async fetch(input, init) {
      try {
        const response = await send(input, init);
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
  send: typeof fetch,
  view: InboxView,
  ask: string | undefined,
  person: string | undefined,
): void {
  const inbox = new AsklineInbox();
  const notifications = notificationsAt(base, send);
  const at = readAddress(base);
  Object.assign(inbox, {
    client: connectTo(base, send, (away) => {
      inbox.away = away;
    }),
    person: person ?? rememberedHome()?.person,
    surface: SURFACE,
    view: at.view ?? view,
    selected: at.ask ?? ask,
    notifications,
    previewFrame: `${rootOf(base)}/preview-frame`,
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
  reportFocus(base, send);
  inbox.addEventListener("signedout", async () => {
    forgetHome();
    forgetDrafts(base);
    // The server has ended the subscription; this browser forgets it too.
    await notifications.turnOff().catch(() => undefined);
    // Also removes the cookie.
    await send(`${base}/logout`, { method: "POST", redirect: "manual" }).catch(() => undefined);
    location.assign(`${rootOf(base)}/`);
  });
  window.addEventListener("popstate", () => {
    const { view: to = "inbox", ask: id } = readAddress(base);
    Object.assign(inbox, { view: to, selected: id });
  });
  document.title = nameOf();
  show(place, inbox);
}

function addressOf(base: string, view: InboxView, ask: string | undefined): string {
  const id = ask === undefined ? "" : encodeURIComponent(ask);
  if (view === "inbox") return id === "" ? `${base}/` : `${base}/asks/${id}`;
  return `${base}/${view}${id === "" ? "" : `#${id}`}`;
}

function readAddress(base: string): { readonly view?: InboxView; readonly ask?: string | undefined } {
  const path = location.pathname.slice(base.length);
  const [, id] = /^\/asks\/([^/]+)$/.exec(path) ?? [];
  if (id !== undefined) return { view: "inbox", ask: decodeURIComponent(id) };
  const view = path === "/history" ? "history" : path === "/devices" ? "devices" : "inbox";
  const ask = location.hash.length > 1 ? decodeURIComponent(location.hash.slice(1)) : undefined;
  return { view, ask };
}

/** The link is the credential, and the page may read nothing but its ask. */
function showLink(
  place: HTMLElement,
  base: string,
  send: typeof fetch,
  ask: string,
  person: string | undefined,
): void {
  const [, token = ""] = /\/a\/([^/]+)\/?$/.exec(location.pathname) ?? [];
  const { get, settle, saveDraft, draft, watch, wait, opened } = connectPage(`${base}/a/${person ?? ""}`, {
    url: serverOf(base),
    token,
    fetch: send,
    logger: QUIET,
  });
  const card = new AsklineCard();
  Object.assign(card, {
    client: { get, settle, saveDraft, draft, watch, wait, opened },
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

function showChat(
  place: HTMLElement,
  base: string,
  send: typeof fetch,
  session: string,
  person: string | undefined,
): void {
  const chat = new AsklineChat();
  Object.assign(chat, {
    client: connectTo(base, send, (away) => {
      chat.away = away;
    }),
    ...{ session, person, surface: SURFACE },
    inboxUrl: `${base}/`,
    previewFrame: `${rootOf(base)}/preview-frame`,
  });
  show(place, chat);
}

/**
 * Only on https and on this machine: elsewhere a browser has none. It loads every file of the pages, so on a slow line the
 * first card goes first.
 */
function registerWorker(base: string): void {
  const register = (): void => {
    void navigator.serviceWorker?.register(`${base}/worker.js`, { scope: `${base}/` }).catch(() => undefined);
  };
  if (document.readyState === "complete") setTimeout(register, WORKER_AFTER_MS);
  else window.addEventListener("load", () => setTimeout(register, WORKER_AFTER_MS), { once: true });
}
