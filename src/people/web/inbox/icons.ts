import { html, type Part } from "../html.js";

/** The mark of the product: a question on a line. */
export function logoPart(): Part {
  return html`<svg class="logo" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" focusable="false"><rect width="32" height="32" rx="9" fill="var(--accent)"></rect><path d="M9 10.5a2.5 2.5 0 0 1 2.500-2.500h9a2.500 2.500 0 0 1 2.500 2.500v7a2.500 2.500 0 0 1-2.500 2.500H15l-4.200 3.600c-.500.430-1.300.080-1.300-.600V19.800A2.500 2.500 0 0 1 9 17.500Z" fill="var(--on-accent)"></path><path d="M12.500 14h4.500M19.400 14h.100" stroke="var(--accent)" stroke-width="2" stroke-linecap="round" fill="none"></path></svg>`;
}

const SPEAKER = "M6 9.500h2.500L13 6v12l-4.500-3.500H6a1 1 0 0 1-1-1v-3a1 1 0 0 1 1-1Z";

export function soundPart(isOn: boolean): Part {
  const more = isOn ? "M16.500 9.500a4 4 0 0 1 0 5M19 7.500a7 7 0 0 1 0 9" : "M17 10l4 4m0-4l-4 4";
  return html`<svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round"><path d=${`${SPEAKER}${more}`}></path></svg>`;
}
