// The arguments of an action, whole, as a tree: each is under its own name, from left to right, and nothing in it is
// invisible. An agent chooses the names, so a difference or Markdown stands beside the text, never in its place.

import { isRecord, type Json, type JsonObject } from "../../../core/kit/json.js";
import { exactPieces } from "../../../core/text/exact-text.js";
import { APPROVAL_LANGUAGES, type ApprovalWords } from "../../../core/words/approval.js";
import { html, type Part } from "../html.js";
import { type DiffLine, diffLines, unifiedLines } from "./diff.js";
import type { Scene } from "./scene.js";

const COMMANDS: ReadonlySet<string> = new Set(["command", "cmd", "script", "shell"]);
const CHANGES = [
  ["old_string", "new_string"],
  ["old_str", "new_str"],
  ["oldString", "newString"],
  ["old_text", "new_text"],
  ["oldText", "newText"],
] as const;

export function argumentsPart(scene: Scene, args: JsonObject): Part {
  const words = wordsOf(scene);
  if (Object.keys(args).length === 0) return html`<p class="hint">${words.noArguments}</p>`;
  return html`<dl class="args" part="arguments" tabindex="-1">${entriesPart(scene, args, true)}</dl>`;
}

function entriesPart(scene: Scene, object: JsonObject, top: boolean): Part {
  const words = wordsOf(scene);
  const change = CHANGES.find(
    ([before, after]) => typeof object[before] === "string" && typeof object[after] === "string",
  );
  return Object.entries(object).map(([name, value]): Part => {
    const lines =
      change !== undefined && name === change[1]
        ? diffLines(String(object[change[0]]), String(value))
        : undefined;
    return html`<div><dt>${marked(name)}</dt><dd>${valuePart(scene, name, value, top)}
      ${lines && html`<details class="beside" open><summary>${words.difference(change?.[0] ?? "", name)}</summary>${diffPart(scene, lines)}</details>`}</dd></div>`;
  });
}

function valuePart(scene: Scene, name: string, value: Json, top: boolean): Part {
  if (typeof value === "string") {
    const words = wordsOf(scene);
    if (value === "") return html`<span class="hint">${words.emptyText}</span>${MARK}`;
    if (COMMANDS.has(name))
      return html`<pre class="command" dir="ltr" tabindex="0" aria-label=${words.command}><code>${marked(value)}</code></pre>`;
    const lines = unifiedLines(value);
    return html`<pre class="value" dir="ltr">${marked(value)}</pre>
      ${top && name === "plan" && html`<details class="beside"><summary>${words.formatted}</summary>${scene.markdown(value)}</details>`}
      ${lines && html`<details class="beside"><summary>${words.formatted}</summary>${diffPart(scene, lines)}</details>`}`;
  }
  if (Array.isArray(value)) {
    if (value.length === 0) return html`<code class="value">[]</code>${MARK}`;
    return html`<ol class="items" start="0">${value.map((item) => html`<li>${valuePart(scene, name, item, false)}</li>`)}</ol>`;
  }
  if (isRecord(value)) {
    const object = value as JsonObject;
    if (Object.keys(object).length === 0) return html`<code class="value">{}</code>${MARK}`;
    return html`<dl class="args inner">${entriesPart(scene, object, false)}</dl>`;
  }
  return html`<code class="value">${JSON.stringify(value)}</code>${MARK}`;
}

function wordsOf({ language }: Scene): ApprovalWords {
  return APPROVAL_LANGUAGES[language.code];
}

const SIGNS = { same: " ", removed: "−", added: "+", place: " " };

/** Signs and words say it as well as the colours do. */
function diffPart(scene: Scene, lines: readonly DiffLine[]): Part {
  const words = wordsOf(scene);
  return html`<pre class="diff" dir="ltr" tabindex="0" role="group" part="diff">${lines.map(
    ({ kind, text }) =>
      html`<span class="line ${kind}"><span class="sign" aria-hidden="true">${SIGNS[kind]}</span>${
        kind === "removed" || kind === "added"
          ? html`<span class="unseen">${words[kind]}: </span>`
          : undefined
      }<span class="code">${shown(text)}</span></span>`,
  )}</pre>`;
}

/** Text as it is, from left to right. An escape is set apart from one that was typed. */
function shown(text: string): Part {
  return exactPieces(text).map(({ kind, text: piece }): Part => {
    if (kind === "plain") return piece;
    return kind === "rtl" ? html`<bdi>${piece}</bdi>` : html`<mark class="hidden-character">${piece}</mark>`;
  });
}

/** Stands behind each piece that has to be on the screen: see reading.ts. */
const MARK = html`<i class="mark"></i>`;

/** Pieces of a few lines on a phone, cut before no combining mark. */
const PIECES = /(?:(?:[^\n]{1,80}(?!\p{M})|[^\n])\n?|\n){1,4}/gu;

/** Text as it is, with marks. */
export function marked(text: string): Part {
  return (text.match(PIECES) ?? []).map((piece) => html`${shown(piece)}${MARK}`);
}
