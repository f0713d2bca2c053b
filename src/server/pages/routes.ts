// The routes of the pages, which work without script: the inbox, one ask, and its forms. A GET changes nothing, so
// that a program that previews links does no harm.

import { type Ask, AsklineError } from "../../core/index.js";
import { defined } from "../../core/kit/tools.js";
import { maySee } from "../../core/model/visibility.js";
import { cookieName, readCookie, requireSameOrigin, sessionCookie } from "../access/browsers.js";
import { inboxPath } from "../access/hosts.js";
import type { Principal } from "../access/principal.js";
import { ENDINGS, type EndingName, requireMayRemember, settle } from "../api/endings.js";
import { CODE, DONE, LOOK, PAGE_AFTER } from "../http/parameters.js";
import { readForm } from "../http/read-body.js";
import type { Reply } from "../http/reply.js";
import type { Operation } from "../openapi/operation.js";
import type { Call, Endpoint, Route } from "../routing/call.js";
import { identify, identifyLink } from "../routing/identify.js";
import { noSuchAsk, requireVisible, visiblePage } from "../routing/visible-asks.js";
import { assetRoutes } from "./assets.js";
import { EMPTY_FORM, type FormState, textIn } from "./form-values.js";
import { askPage, askPath, inboxPage } from "./inbox-page.js";
import { rememberForm, rememberRefused } from "./kept-form.js";
import { type LivePage, pageReply, seeOther } from "./layout.js";
import { codePage, scriptPage, signInPage, usedCodePage } from "./plain-pages.js";
import { generalIssues, issuesByIndex, readAnswers, readDecisions } from "./read-submission.js";
import { previewReply } from "./rich-text.js";
import { wordsFor } from "./words.js";

const ASKS_A_PAGE = 20;
const LOOK_SECONDS = 30;
/** Bytes of a sign-in form, which anyone may send. */
const LARGEST_SIGN_IN = 4_096;

/** A person who looks at one ask, signed in or by its link. */
interface Visitor {
  readonly principal: Principal;
  readonly ask: Ask;
  /** The path of the ask's page; its forms post to paths below it. */
  readonly path: string;
  /** Where to go after the ask is settled. */
  readonly back: string;
}

const PERSON = { roles: ["person"], admin: false } as const;
const SHOWN = { 200: { description: "A page.", type: "text/html" } } as const;
const ELSEWHERE = {
  303: { description: "A redirect to the next page.", headers: { Location: "Its path." } },
} as const;

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

const ASK_PAGE: Operation = {
  id: "askPage",
  summary: "The page of one ask",
  access: PERSON,
  responses: SHOWN,
  errors: ["not_found"],
};

const LINK_PAGE: Operation = {
  id: "linkPage",
  summary: "The page of one ask, by its signed link",
  responses: SHOWN,
  errors: ["not_found", "invalid_link", "link_expired"],
};

/** By their places, from 0, since an id may be anything. */
function previewOperation(by: "person" | "link"): Operation {
  const whole = {
    id: by === "link" ? "previewByLink" : "previewByPage",
    summary: "An HTML preview of an option, for a frame",
    description: "`question` and `option` are places in the ask, from 0.",
    responses: SHOWN,
  };
  return by === "link"
    ? { ...whole, errors: ["not_found", "invalid_link", "link_expired"] }
    : { ...whole, access: PERSON, errors: ["not_found"] };
}

const FORM = {
  form: { type: "object", description: "The fields of the page's form." },
};

/** A form of a page. If refused, the page is shown again with what is wrong. */
function formOperation(ending: EndingName, by: "person" | "link"): Operation {
  const whole = {
    id: `${ending}By${by === "link" ? "Link" : "Page"}`,
    summary: `Submit the page's form: ${ending}`,
    body: FORM,
    responses: ELSEWHERE,
  };
  const errors = ["not_found", "already_settled", "invalid_answer", "wrong_kind", "unsupported"] as const;
  return by === "link"
    ? { ...whole, errors: [...errors, "invalid_link", "link_expired", "forbidden"] }
    : { ...whole, access: PERSON, errors };
}

export const pageRoutes: readonly Route[] = [
  shown("/", INBOX, inbox),
  shown("/history", HISTORY_PAGE, (call) => scripted(call, "history")),
  shown("/devices", DEVICES_PAGE, (call) => scripted(call, "devices")),
  shown("/chat/{session}", CHAT_PAGE, (call) => scripted(call, "chat")),
  shown("/shell", SHELL_PAGE, shell),
  ...assetRoutes,
  posted("/login", SIGN_IN, signIn),
  posted("/logout", SIGN_OUT, signOut),
  shown("/asks/{id}", ASK_PAGE, async (call) => show(call, await signedInVisitor(call))),
  shown("/a/{link}", LINK_PAGE, async (call) => show(call, await linkVisitor(call))),
  shown("/asks/{id}/previews/{question}/{option}", previewOperation("person"), (call) =>
    preview(call, signedInVisitor),
  ),
  shown("/a/{link}/previews/{question}/{option}", previewOperation("link"), (call) =>
    preview(call, linkVisitor),
  ),
  ...(["answer", "decide", "decline", "reply"] as const).flatMap((ending) => [
    posted(`/asks/{id}/${ending}`, formOperation(ending, "person"), (call) =>
      end(call, signedInVisitor, ending),
    ),
    posted(`/a/{link}/${ending}`, formOperation(ending, "link"), (call) => end(call, linkVisitor, ending)),
  ]),
];

function shown(path: string, about: Operation, handle: Endpoint): Route {
  return { path, page: true, methods: { GET: { about, handle } } };
}

/** Forms must come from our own pages. */
function posted(path: string, about: Operation, endpoint: Endpoint): Route {
  const handle = async (call: Call): Promise<Reply> => {
    requireSameOrigin(call.request.headers, call.origin, true);
    return endpoint(call);
  };
  return { path, page: true, methods: { POST: { about, handle } } };
}

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

/** The ask's page, with what is wrong if a form was refused. */
function show(call: Call, visitor: Visitor, form: FormState = EMPTY_FORM, status = 200): Reply {
  const { base, services } = call;
  const { principal, ask, path } = visitor;
  services.shownLog.sent(ask, principal, "page");
  const page = askPage({
    words: wordsFor(call.request.headers),
    base,
    ask,
    form,
    awaited: services.hub.isAwaited(ask.id),
    now: services.clock.now(),
    action: `${base}${path}`,
    person: principal.name,
    signedIn: principal.askId === undefined,
    remembers: principal.askId === undefined,
  });
  // A form that came back shows what is wrong with it; its script would not.
  if (form !== EMPTY_FORM) return pageReply(status, page, call);
  const { credential } = principal;
  const frame = credential.kind === "link" ? credential.frame : undefined;
  const live = {
    page: principal.askId === undefined ? ("inbox" as const) : ("link" as const),
    ask: ask.id,
    person: principal.name,
  };
  return pageReply(status, { ...page, live, ...defined({ frame }) }, call);
}

async function preview(call: Call, findVisitor: (call: Call) => Promise<Visitor>): Promise<Reply> {
  const { ask } = await findVisitor(call);
  const option = ask.questions[place(call, "question")]?.options[place(call, "option")];
  if (option?.preview?.format !== "html")
    throw new AsklineError("not_found", "there is no HTML preview here");
  return previewReply(option.preview.content);
}

function place(call: Call, name: string): number {
  return /^\d{1,4}$/.test(call.param(name)) ? Number(call.param(name)) : Number.NaN;
}

async function end(
  call: Call,
  findVisitor: (call: Call) => Promise<Visitor>,
  ending: EndingName,
): Promise<Reply> {
  const visitor = await findVisitor(call).catch(async (error: unknown) => {
    await rememberRefused(call, error);
    throw error;
  });
  // First of all: whatever goes wrong from here on, the typed text is not lost.
  const values = rememberForm(call, await readForm(call));
  const { principal, ask, back } = visitor;
  const words = wordsFor(call.request.headers);
  const decided = ending === "decide" ? readDecisions(ask, values, words) : undefined;
  // Invalid decisions matter only while the ask is pending.
  if (decided !== undefined && decided.issues.size > 0 && ask.outcome === undefined) {
    return show(call, visitor, { values, issues: decided.issues, general: [] }, 422);
  }
  const body =
    decided?.submission ??
    (ending === "answer"
      ? readAnswers(ask, values)
      : { text: textIn(values, "text"), reason: textIn(values, "reason") });
  const surface = principal.askId === undefined ? "page" : "link";
  requireMayRemember(principal, body);
  try {
    await settle(call, principal, ask.id, ENDINGS[ending], body, surface);
  } catch (error) {
    if (!(error instanceof AsklineError)) throw error;
    if (error.code === "invalid_answer") {
      const issues = error.issues ?? [];
      const found =
        ending === "answer" ? issuesByIndex(ask, values, issues, words) : generalIssues(issues, words);
      return show(call, visitor, { values, ...found }, 422);
    }
    if (error.code !== "already_settled") throw error;
    // The stored outcome differs from what was sent, even if the same person sent both: show both.
    const settled = await call.services.hub.get(ask.id);
    return show(call, { ...visitor, ask: settled }, { ...EMPTY_FORM, values }, 409);
  }
  return seeOther(back, call);
}

async function signedInVisitor(call: Call): Promise<Visitor> {
  const principal = await signedIn(call);
  if (principal === undefined) {
    throw new AsklineError(
      "unauthorized",
      "this was not sent: you are signed out. Sign in in another tab, then send it again from here.",
    );
  }
  const ask = await requireVisible(call, principal);
  const path = askPath(ask.id);
  return { principal, ask, path, back: `/?done=${encodeURIComponent(ask.id)}` };
}

async function linkVisitor(call: Call): Promise<Visitor> {
  const link = call.param("link");
  const principal = await identifyLink(call, link);
  call.findings.principal = principal;
  const ask = await visibleAsk(call, principal, principal.askId);
  if (ask === undefined) throw noSuchAsk(principal.askId);
  // A link consists of characters that need no encoding in a path.
  return { principal, ask, path: `/a/${link}`, back: `/a/${link}` };
}

/** The signed-in person; undefined if nobody is signed in. */
async function signedIn(call: Call): Promise<Principal | undefined> {
  try {
    const principal = await identify(call);
    if (principal.role === "person" && principal.askId === undefined) return principal;
  } catch (error) {
    if (error instanceof AsklineError && error.code === "unauthorized") return undefined;
    throw error;
  }
  throw new AsklineError("forbidden", "these pages need a person's credential");
}

async function visibleAsk(
  call: Call,
  principal: Principal,
  id: string | undefined,
): Promise<Ask | undefined> {
  if (id === undefined || !/^[\w.:-]{1,128}$/.test(id)) return undefined;
  try {
    const ask = await call.services.hub.get(id);
    return maySee(principal, ask) ? ask : undefined;
  } catch (error) {
    if (error instanceof AsklineError && error.code === "not_found") return undefined;
    throw error;
  }
}
