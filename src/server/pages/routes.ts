// The routes of the pages, which work without script: the inbox, signing in, and one ask. A GET changes nothing, so
// that a program that previews links does no harm.

import { AsklineError } from "../../core/index.js";
import { defined } from "../../core/kit/tools.js";
import { cookieName, readCookie, sessionCookie } from "../access/browsers.js";
import { inboxPath } from "../access/hosts.js";
import { CODE, DONE, LOOK, PAGE_AFTER } from "../http/parameters.js";
import { readForm } from "../http/read-body.js";
import type { Reply } from "../http/reply.js";
import type { Operation } from "../openapi/operation.js";
import type { Call, Route } from "../routing/call.js";
import { visiblePage } from "../routing/visible-asks.js";
import { askRoutes } from "./ask-routes.js";
import { assetRoutes } from "./assets.js";
import { inboxPage } from "./inbox-page.js";
import { type LivePage, pageReply, seeOther } from "./layout.js";
import { ELSEWHERE, PERSON, posted, SHOWN, shown, signedIn, visibleAsk } from "./page-route.js";
import { codePage, scriptPage, signInPage, usedCodePage } from "./plain-pages.js";
import { wordsFor } from "./words.js";

const ASKS_A_PAGE = 20;
const LOOK_SECONDS = 30;
/** Bytes of a sign-in form, which anyone may send. */
const LARGEST_SIGN_IN = 4_096;

const INBOX: Operation = {
  id: "inboxPage",
  summary: "The inbox page",
  description:
    "Without a credential, it explains how to sign in. With a code, it shows a button that uses the code.",
  access: PERSON,
  parameters: [PAGE_AFTER, CODE, DONE, LOOK],
  responses: SHOWN,
};

const HISTORY_PAGE: Operation = {
  id: "historyPage",
  summary: "The page of asks that have ended; needs script",
  access: PERSON,
  responses: SHOWN,
};

const DEVICES_PAGE: Operation = {
  id: "devicesPage",
  summary: "The page of the browsers in which the person is signed in; needs script",
  access: PERSON,
  responses: SHOWN,
};

const CHAT_PAGE: Operation = {
  id: "chatPage",
  summary: "The page of a session; needs script",
  access: PERSON,
  responses: SHOWN,
};

const SHELL_PAGE: Operation = {
  id: "shellPage",
  summary: "The inbox page without anything in it, for a browser that keeps it for when the server is away",
  responses: SHOWN,
};

const SIGN_IN: Operation = {
  id: "signIn",
  summary: "Exchange a one-time code for a cookie",
  body: { form: { type: "object", properties: { code: { type: "string" } } } },
  responses: ELSEWHERE,
  errors: ["invalid_code"],
};

const SIGN_OUT: Operation = {
  id: "signOut",
  summary: "Sign out",
  responses: ELSEWHERE,
};

export const pageRoutes: readonly Route[] = [
  shown("/", INBOX, inbox),
  shown("/history", HISTORY_PAGE, (call) => scripted(call, "history")),
  shown("/devices", DEVICES_PAGE, (call) => scripted(call, "devices")),
  shown("/chat/{session}", CHAT_PAGE, (call) => scripted(call, "chat")),
  shown("/shell", SHELL_PAGE, shell),
  ...assetRoutes,
  posted("/login", SIGN_IN, signIn),
  posted("/logout", SIGN_OUT, signOut),
  ...askRoutes,
];

async function inbox(call: Call): Promise<Reply> {
  const { url, services } = call;
  const words = wordsFor(call.request.headers);
  const code = CODE.read(url.searchParams);
  if (code !== undefined) {
    if (await services.auth.hasInboxCode(code)) {
      return pageReply(200, codePage(code, call.base, words), call);
    }
    services.rateLimits.failed(call.address);
    return pageReply(401, usedCodePage(words), call);
  }
  const principal = await signedIn(call);
  if (principal === undefined) return pageReply(401, signInPage(words), call);
  const after = PAGE_AFTER.read(url.searchParams);
  const { asks, next } = await visiblePage(
    services,
    principal,
    { status: "pending" },
    { limit: ASKS_A_PAGE, ...(after !== undefined && { after }) },
  );
  for (const ask of asks) services.shownLog.sent(ask, principal, "page");
  const done = await visibleAsk(call, principal, DONE.read(url.searchParams));
  const looking = LOOK.read(url.searchParams) === "again";
  // Only an empty inbox refreshes itself: otherwise typed text would be lost, or a button would move.
  const again = looking && asks.length === 0 && next === undefined && after === undefined;
  return pageReply(
    200,
    {
      ...inboxPage({
        words,
        base: call.base,
        person: principal.name,
        asks,
        isAwaited: services.hub.isAwaited,
        now: services.clock.now(),
        ...defined({ next, done }),
        further: after !== undefined,
        looking,
      }),
      live: { page: "inbox", person: principal.name },
    },
    call,
    again ? { refresh: String(LOOK_SECONDS) } : {},
  );
}

async function signIn(call: Call): Promise<Reply> {
  const { origin, address, services } = call;
  const code = (await readForm(call, LARGEST_SIGN_IN)).get("code") ?? "";
  const session = await services.auth.redeemInboxCode(
    code,
    call.request.headers.get("user-agent") ?? undefined,
  );
  if (session === undefined) {
    services.rateLimits.failed(address);
    throw new AsklineError("invalid_code", "this code is unknown, expired or already used; get a new link");
  }
  const seconds = Math.max(0, Math.floor((session.expiresAt - services.clock.now()) / 1_000));
  const site = { origin, base: services.hosts.base + inboxPath(session.key) };
  return seeOther("/", site, { "set-cookie": sessionCookie(site, { secret: session.secret, seconds }) });
}

/** A page that its script fills. */
async function scripted(call: Call, page: LivePage): Promise<Reply> {
  const words = wordsFor(call.request.headers);
  const principal = await signedIn(call);
  if (principal === undefined) return pageReply(401, signInPage(words), call);
  const session = page === "chat" ? call.param("session") : undefined;
  return pageReply(
    200,
    scriptPage({ page, person: principal.name, ...defined({ session }) }, call.base, words),
    call,
  );
}

async function shell(call: Call): Promise<Reply> {
  return pageReply(200, scriptPage({ page: "inbox" }, call.base, wordsFor(call.request.headers)), call);
}

async function signOut(call: Call): Promise<Reply> {
  const { request, origin, services } = call;
  const secret = readCookie(request.headers, cookieName(origin));
  if (secret !== undefined) await services.auth.endCookie(secret);
  const site = { origin, base: services.hosts.base };
  return seeOther("/", site, { "set-cookie": sessionCookie(call) });
}
