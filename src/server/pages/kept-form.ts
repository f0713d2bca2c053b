// A form that was sent and came to nothing, for reasons that are not in it: nobody signed in any more, a
// server that stops, a store in trouble. Going back does not bring it to life again, as these pages are kept
// nowhere. So the page that tells of the error holds it.

import { AsklineError, type ErrorCode, LIMITS } from "../../core/index.js";
import { meaningOf } from "../../core/model/error.js";
import { readForm } from "../http/read-body.js";
import type { Call } from "../routing/call.js";
import { type Html, html, typed } from "./html.js";
import { WORDS } from "./words.js";

/** As much as a draft may hold. */
const MOST_TEXT = LIMITS.draftLength;
/** Bytes that are read of who is not known, or not to this ask: the same, with some room for its encoding. */
const MOST_BYTES = MOST_TEXT * 1.5;

/**
 * Keeps a form for the page that shows an error. Nobody need be signed in to send one, and as markup it is several
 * times as long; so one that is larger than people type is not kept.
 */
export function rememberForm({ findings }: Call, values: URLSearchParams): URLSearchParams {
  if (lengthOf(values) <= MOST_TEXT) findings.form = values;
  return values;
}

/**
 * The form of a request that is refused already, for whatever `reason`: it is worth reading, but not much. Who is
 * not known at all pays for that, as for a credential that is none.
 */
export async function rememberRefused(call: Call, reason: unknown): Promise<void> {
  const { services, address } = call;
  if (reason instanceof AsklineError && reason.code === "unauthorized") services.rateLimits.failed(address);
  try {
    rememberForm(call, await readForm(call, MOST_BYTES));
  } catch {
    // The reason is what matters, and not what is wrong with the form.
  }
}

function lengthOf(values: URLSearchParams): number {
  let length = 0;
  for (const [name, value] of values) length += name.length + value.length;
  return length;
}

/** What was typed, and a button that sends the whole of it once more. */
export function keptForm(path: string, values: URLSearchParams, code: ErrorCode): Html {
  const fields = [...values].map(
    ([name, value]) =>
      html`<input type="hidden" name="${typed(name)}" value="${typed(value)}">
`,
  );
  const texts = [...values].filter(([name, value]) => isTyped(name, values) && value.trim() !== "");
  return html`${texts.length > 0 && html`<h2>${WORDS.youTyped}</h2>`}
${texts.map(([, value]) => html`<p class="said">${typed(value)}</p>`)}
${
  meaningOf(code).retry !== "never" &&
  html`<form method="post" action="${path}">${fields}<div class="actions"><button>${WORDS.sendAgain}</button></div></form>`
}`;
}

/** Arguments were there before: they are somebody's own words only where they were changed. */
function isTyped(name: string, values: URLSearchParams): boolean {
  const [kind = "", id = ""] = name.split(":", 2);
  return kind === "args" ? values.get(`kind:${id}`) === "edit" : /^(text|note|message|reason)$/.test(kind);
}
