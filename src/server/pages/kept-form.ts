// A form that was refused for reasons outside of it: the person is signed out, the server is shutting down, the store
// failed. Browsers do not cache these pages, so going back would lose the text. The error page keeps it instead.

import { AsklineError, type ErrorCode, LIMITS } from "../../core/index.js";
import { meaningOf } from "../../core/model/error.js";
import type { PageWords } from "../../words/index.js";
import { readForm } from "../http/read-body.js";
import type { Call } from "../routing/call.js";
import { type Html, html, typed } from "./html.js";

/** As much as a draft. */
const MOST_TEXT = LIMITS.draftLength;
/** Bytes read from senders who may not answer: the same, with room for the encoding. */
const MOST_BYTES = MOST_TEXT * 1.5;

/** Keeps a form for the error page, unless it is larger than people type: anyone may send one, and markup is longer. */
export function rememberForm({ findings }: Call, values: URLSearchParams): URLSearchParams {
  if (lengthOf(values) <= MOST_TEXT) findings.form = values;
  return values;
}

/** Reads the form of a refused request, up to a bound. An unknown sender is charged as for a failed credential. */
export async function rememberRefused(call: Call, reason: unknown): Promise<void> {
  const { services, address } = call;
  if (reason instanceof AsklineError && reason.code === "unauthorized") services.rateLimits.failed(address);
  try {
    rememberForm(call, await readForm(call, MOST_BYTES));
  } catch {
    // The reason of the refusal matters, not what is wrong with the form.
  }
}

function lengthOf(values: URLSearchParams): number {
  let length = 0;
  for (const [name, value] of values) length += name.length + value.length;
  return length;
}

/** The typed text, and a button that sends the form again. */
export function keptForm(path: string, values: URLSearchParams, code: ErrorCode, words: PageWords): Html {
  const fields = [...values].map(
    ([name, value]) =>
      html`<input type="hidden" name="${typed(name)}" value="${typed(value)}">
`,
  );
  const texts = [...values].filter(([name, value]) => isTyped(name, values) && value.trim() !== "");
  return html`${texts.length > 0 && html`<h2>${words.youTyped}</h2>`}
${texts.map(([, value]) => html`<p class="said">${typed(value)}</p>`)}
${
  meaningOf(code).retry !== "never" &&
  html`<form method="post" action="${path}">${fields}<div class="actions"><button>${words.sendAgain}</button></div></form>`
}`;
}

/** Arguments were filled in by us: they count as typed only if edited. */
function isTyped(name: string, values: URLSearchParams): boolean {
  const [kind = "", id = ""] = name.split(":", 2);
  return kind === "args" ? values.get(`kind:${id}`) === "edit" : /^(text|note|message|reason)$/.test(kind);
}
