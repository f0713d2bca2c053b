// The routes of the pages. Without script they are signing in, errors, and one sentence that says what to do instead. A
// GET changes nothing, so that a program that previews links does no harm.

import { defined } from "../../core/kit/tools.js";
import { AsklineError } from "../../core/model/error.js";
import { cookieName, readCookie, sessionCookie } from "../access/browsers.js";
import { inboxPath } from "../access/hosts.js";
import { CODE } from "../http/parameters.js";
import { readForm } from "../http/read-body.js";
import type { Reply } from "../http/reply.js";
import type { Operation } from "../openapi/operation.js";
import type { Call, Route } from "../routing/call.js";
import { askRoutes } from "./ask-routes.js";
import { assetRoutes } from "./assets.js";
import { type LivePage, pageReply, seeOther } from "./layout.js";
import { HTML_RESPONSE, PERSON, posted, proofFor, REDIRECT, shown, signedIn } from "./page-route.js";
import { codePage, scriptPage, signInPage, usedCodePage } from "./plain-pages.js";
import { wordsFor } from "./words.js";

/** Bytes of a sign-in form, which anyone may send. */
const LARGEST_SIGN_IN = 4_096;

const INBOX: Operation = {
  id: "inboxPage",
  summary: "The inbox page; needs script",
  description:
    "Without a credential, it explains how to sign in. With a code, it shows a button that uses the code.",
  access: PERSON,
  parameters: [CODE],
  responses: HTML_RESPONSE,
};

const HISTORY_PAGE: Operation = {
  id: "historyPage",
  summary: "The page of asks that have ended; needs script",
  access: PERSON,
  responses: HTML_RESPONSE,
};

const DEVICES_PAGE: Operation = {
  id: "devicesPage",
  summary: "The page of the browsers in which the person is signed in; needs script",
  access: PERSON,
  responses: HTML_RESPONSE,
};

const CHAT_PAGE: Operation = {
  id: "chatPage",
  summary: "The page of a session; needs script",
  access: PERSON,
  responses: HTML_RESPONSE,
};

const SHELL_PAGE: Operation = {
  id: "shellPage",
  summary: "The inbox page without anything in it, for a browser that keeps it for when the server is away",
  responses: HTML_RESPONSE,
};

const SIGN_IN: Operation = {
  id: "signIn",
  summary: "Exchange a one-time code for a cookie",
  body: { form: { type: "object", properties: { code: { type: "string" } } } },
  responses: REDIRECT,
  errors: ["invalid_code"],
};

const SIGN_OUT: Operation = {
  id: "signOut",
  summary: "Sign out",
  responses: REDIRECT,
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
  // Outside of an inbox path nobody can be known (docs/decisions/0014): the page's script shows who is signed in.
  const isRoot = call.base === services.hosts.base && call.request.headers.get("authorization") === null;
  const proof = isRoot ? await proofFor(call) : undefined;
  if (proof !== undefined && (await signedIn(call)) === undefined) {
    return pageReply(200, { ...signInPage(words), live: { page: "home", proof } }, call);
  }
  return scripted(call, "inbox");
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
  const live = { page, person: principal.name, proof: await proofFor(call), ...defined({ session }) };
  return pageReply(200, scriptPage(live, words), call);
}

async function shell(call: Call): Promise<Reply> {
  const live = { page: "inbox", proof: await proofFor(call) } as const;
  return pageReply(200, scriptPage(live, wordsFor(call.request.headers)), call);
}

async function signOut(call: Call): Promise<Reply> {
  const { request, origin, services } = call;
  const secret = readCookie(request.headers, cookieName(origin));
  if (secret !== undefined) await services.auth.endCookie(secret);
  const site = { origin, base: services.hosts.base };
  return seeOther("/", site, { "set-cookie": sessionCookie(call) });
}
