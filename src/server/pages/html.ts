import { displayText } from "../../core/index.js";

/** Markup that is safe to send: made by {@link html} only. */
export interface Html {
  readonly markup: string;
}

type Part = string | number | Html | undefined | false | readonly Part[];

/**
 * Markup in which every value is text: whatever a model or a person wrote can neither be markup nor hide
 * control characters. Only what was itself made here goes in as it is; `undefined` and `false` are nothing.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { markup: strings.reduce((text, string, index) => text + render(parts[index - 1]) + string) };
}

/**
 * What a person typed, for that person to go on with: as it is, marks of direction and all. A field sends what
 * it shows, so with a character replaced, it would say what nobody has said.
 */
export function typed(text: string): Html {
  return { markup: escapeHtml(text) };
}

function render(part: Part): string {
  if (part === undefined || part === false) return "";
  if (typeof part === "string" || typeof part === "number") return escapeHtml(displayText(String(part)));
  return "markup" in part ? part.markup : part.map(render).join("");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}
