// The page of one ask, for a signed-in person or by its signed link, and its forms.

import { type Ask, AsklineError } from "../../core/index.js";
import { defined } from "../../core/kit/tools.js";
import type { Principal } from "../access/principal.js";
import { ENDINGS, type EndingName, requireMayRemember, settle } from "../api/endings.js";
import { readForm } from "../http/read-body.js";
import type { Reply } from "../http/reply.js";
import type { Operation } from "../openapi/operation.js";
import type { Call, Route } from "../routing/call.js";
import { identifyLink } from "../routing/identify.js";
import { noSuchAsk, requireVisible } from "../routing/visible-asks.js";
import { EMPTY_FORM, type FormState, textIn } from "./form-values.js";
import { askPage, askPath } from "./inbox-page.js";
import { rememberForm, rememberRefused } from "./kept-form.js";
import { pageReply, seeOther } from "./layout.js";
import { ELSEWHERE, PERSON, posted, SHOWN, shown, signedIn, visibleAsk } from "./page-route.js";
import { generalIssues, issuesByIndex, readAnswers, readDecisions } from "./read-submission.js";
import { previewReply } from "./rich-text.js";
import { wordsFor } from "./words.js";

/** A person who looks at one ask, signed in or by its link. */
interface Visitor {
  readonly principal: Principal;
  readonly ask: Ask;
  /** The path of the ask's page; its forms post to paths below it. */
  readonly path: string;
  /** Where to go after the ask is settled. */
  readonly back: string;
}

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

export const askRoutes: readonly Route[] = [
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
