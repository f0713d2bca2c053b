// The page of one ask, for a signed-in person or by its signed link. Its script answers; see decision 20.

import { defined } from "../../core/kit/tools.js";
import type { Ask } from "../../core/model/ask.js";
import { ENDING_TYPES } from "../../core/model/ending.js";
import { AsklineError, noSuchAsk } from "../../core/model/error.js";
import { maySee } from "../../core/model/visibility.js";
import { pageWords } from "../../core/words/pages.js";
import type { Principal } from "../access/principal.js";
import type { Reply } from "../http/reply.js";
import type { Operation } from "../openapi/operation.js";
import type { Call, Route } from "../routing/call.js";
import { identifyLink } from "../routing/identify.js";
import { requireVisible } from "../routing/visible-asks.js";
import { pageReply } from "./layout.js";
import { HTML_RESPONSE, PERSON, proofFor, shown, signedIn } from "./page-route.js";
import { askPage } from "./plain-pages.js";
import { wordsFor } from "./words.js";

const ASK_PAGE: Operation = {
  id: "askPage",
  summary: "The page of one ask; needs script",
  access: PERSON,
  responses: HTML_RESPONSE,
  errors: ["not_found"],
};

const LINK_PAGE: Operation = {
  id: "linkPage",
  summary: "The page of one ask, by its signed link; needs script",
  responses: HTML_RESPONSE,
  errors: ["not_found", "invalid_link", "link_expired"],
};

export const askRoutes: readonly Route[] = [
  shown("/asks/{id}", ASK_PAGE, byPerson),
  shown("/a/{link}", LINK_PAGE, byLink),
  ...ENDING_TYPES.flatMap((ending) => [
    formerForm(`/asks/{id}/${ending}`, `${ending}ByPage`),
    formerForm(`/a/{link}/${ending}`, `${ending}ByLink`),
  ]),
];

/** Where pages without script sent their forms. */
function formerForm(path: string, id: string): Route {
  const about: Operation = {
    id,
    summary: "Gone: the pages have no forms for answering",
    responses: {},
    errors: ["gone"],
  };
  const handle = async (): Promise<Reply> => {
    throw new AsklineError("gone", pageWords(undefined).howToAnswer);
  };
  return { path, page: true, methods: { POST: { about, handle } } };
}

async function byPerson(call: Call): Promise<Reply> {
  const principal = await signedIn(call);
  if (principal === undefined) throw new AsklineError("unauthorized", "sign in to open this question");
  return show(call, principal, await requireVisible(call, principal));
}

async function byLink(call: Call): Promise<Reply> {
  const principal = await identifyLink(call, call.param("link"));
  call.findings.principal = principal;
  const ask = await call.services.hub.get(principal.askId);
  if (!maySee(principal, ask)) throw noSuchAsk(principal.askId);
  return show(call, principal, ask);
}

async function show(call: Call, { askId, credential, name: person }: Principal, ask: Ask): Promise<Reply> {
  const frame = credential.kind === "link" ? credential.frame : undefined;
  const page = askId === undefined ? "inbox" : "link";
  const live = { page, ask: ask.id, person, proof: await proofFor(call) } as const;
  return pageReply(
    200,
    { ...askPage(ask, live, wordsFor(call.request.headers)), ...defined({ frame }) },
    call,
  );
}
