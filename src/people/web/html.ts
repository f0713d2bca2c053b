import { html as litHtml, nothing, type TemplateResult } from "lit/html.js";

export type Part = TemplateResult | readonly Part[] | string | symbol | undefined | false;

/** lit's `html`, in which `false` shows nothing instead of the word, so that a part can be `condition && html`. */
export function html(strings: TemplateStringsArray, ...values: readonly unknown[]): TemplateResult {
  return litHtml(strings, ...values.map((value) => (value === false ? nothing : value)));
}
