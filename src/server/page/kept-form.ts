// A form that was sent and came to nothing, for reasons that are not in it: nobody signed in any more, a
// server that stops, a store in trouble. Going back does not bring it to life again, as these pages are kept
// nowhere. So the page that tells of the error holds it.

import { type ErrorCode, LIMITS } from "../../core/index.js";
import { type Html, html, typed } from "./html.js";
import { WORDS } from "./words.js";

const forms = new WeakMap<Request, URLSearchParams>();

/** More fields than the longest ask has, and as much text as a draft may hold. */
const MOST_FIELDS = 2_000;
const MOST_TEXT = LIMITS.draftLength;

/**
 * Beside the request: what goes wrong with it is told far from where its form was read. Nobody need be signed
 * in to send one, and as markup it is several times as long; so one that is larger than people type is not kept.
 */
export function rememberForm(request: Request, values: URLSearchParams): URLSearchParams {
  if (values.size <= MOST_FIELDS && lengthOf(values) <= MOST_TEXT) forms.set(request, values);
  return values;
}

function lengthOf(values: URLSearchParams): number {
  let length = 0;
  for (const [name, value] of values) length += name.length + value.length;
  return length;
}

export function formOf(request: Request): URLSearchParams | undefined {
  return forms.get(request);
}

/** What no later try of the same form can mend. */
const FOR_GOOD: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "not_found",
  "wrong_kind",
  "invalid_link",
  "link_expired",
  "unsupported",
]);

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
  !FOR_GOOD.has(code) &&
  html`<form method="post" action="${path}">${fields}<div class="actions"><button>${WORDS.sendAgain}</button></div></form>`
}`;
}

/** Arguments were there before: they are somebody's own words only where they were changed. */
function isTyped(name: string, values: URLSearchParams): boolean {
  const [kind = "", id = ""] = name.split(":", 2);
  return kind === "args" ? values.get(`kind:${id}`) === "edit" : /^(text|note|message|reason)$/.test(kind);
}
