// The arguments of an action, whole: a command as a command, a change as a difference, a plan as Markdown, anything
// else as a tree. Each argument is shown once, under its own name, and nothing in it is invisible.

import { displayJson, isRecord, type Json, type JsonObject } from "../../core/index.js";
import { APPROVAL_LANGUAGES } from "../../words/approval.js";
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
  const names = Object.keys(args);
  if (names.length === 0)
    return html`<p class="hint">${APPROVAL_LANGUAGES[scene.language.code].noArguments}</p>`;
  return html`<dl class="args" part="arguments">${entriesPart(scene, args, true)}</dl>`;
}

function entriesPart(scene: Scene, object: JsonObject, top: boolean): Part {
  const change = CHANGES.find(
    ([before, after]) => typeof object[before] === "string" && typeof object[after] === "string",
  );
  return Object.entries(object).map(([name, value]): Part => {
    if (change !== undefined && name === change[1]) return undefined;
    if (change !== undefined && name === change[0]) {
      const lines = diffLines(String(object[change[0]]), String(object[change[1]]));
      return entry(html`${shown(change[0])} → ${shown(change[1])}`, diffPart(scene, lines));
    }
    return entry(shown(name), valuePart(scene, name, value, top));
  });
}

function entry(name: Part, value: Part): Part {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

function valuePart(scene: Scene, name: string, value: Json, top: boolean): Part {
  if (typeof value === "string") {
    if (value === "")
      return html`<span class="hint">${APPROVAL_LANGUAGES[scene.language.code].emptyText}</span>`;
    if (COMMANDS.has(name))
      return html`<pre class="command" tabindex="0" aria-label=${APPROVAL_LANGUAGES[scene.language.code].command}><code>${shown(value)}</code></pre>`;
    if (top && name === "plan") return scene.markdown(value);
    const lines = unifiedLines(value);
    if (lines !== undefined) return diffPart(scene, lines);
    return html`<pre class="value" dir="auto">${shown(value)}</pre>`;
  }
  if (Array.isArray(value)) {
    if (value.length === 0) return html`<code class="value">[]</code>`;
    return html`<ol class="items" start="0">${value.map((item) => html`<li>${valuePart(scene, name, item, false)}</li>`)}</ol>`;
  }
  if (isRecord(value)) {
    const object = value as JsonObject;
    if (Object.keys(object).length === 0) return html`<code class="value">{}</code>`;
    return html`<dl class="args inner">${entriesPart(scene, object, false)}</dl>`;
  }
  return html`<code class="value">${JSON.stringify(value)}</code>`;
}

const SIGNS = { same: " ", removed: "−", added: "+", place: " " };

/** Signs and words say it as well as the colours do. */
function diffPart({ language }: Scene, lines: readonly DiffLine[]): Part {
  const words = APPROVAL_LANGUAGES[language.code];
  return html`<pre class="diff" tabindex="0" role="group" part="diff">${lines.map(
    ({ kind, text }) =>
      html`<span class="line ${kind}"><span class="sign" aria-hidden="true">${SIGNS[kind]}</span>${
        kind === "removed" || kind === "added"
          ? html`<span class="unseen">${words[kind]}: </span>`
          : undefined
      }<span class="code">${shown(text)}</span></span>`,
  )}</pre>`;
}

/** Text in which everything that cannot be seen is an escape, set apart from an escape that was typed. */
export function shown(text: string): Part {
  if (displayJson(text) === text) return text;
  const parts: Part[] = [];
  let plain = "";
  for (const character of text) {
    const shownAs = displayJson(character);
    if (shownAs === character) plain += character;
    else {
      parts.push(plain, html`<mark class="hidden-character">${shownAs}</mark>`);
      plain = "";
    }
  }
  return [...parts, plain];
}
