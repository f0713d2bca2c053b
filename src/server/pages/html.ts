import { displayText } from "../../core/text/display.js";
import { escapeHtml } from "../../core/text/escape-html.js";

/** Markup that is safe to send: made by {@link html} only. */
export interface Html {
  readonly markup: string;
}

type Part = string | number | Html | undefined | false | readonly Part[];

/**
 * Markup in which every value is escaped text: nothing that a model or a person wrote can become markup or hide
 * control characters. Only {@link Html} values are inserted as is; `undefined` and `false` are empty.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { markup: strings.reduce((text, string, index) => text + render(parts[index - 1]) + string) };
}

function render(part: Part): string {
  if (part === undefined || part === false) return "";
  if (typeof part === "string" || typeof part === "number") return escapeHtml(displayText(String(part)));
  return "markup" in part ? part.markup : part.map(render).join("");
}
