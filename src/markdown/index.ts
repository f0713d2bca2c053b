// Markdown once, for terminals and pages. `parseMarkdown` makes untrusted text into a document in which nothing is
// left to sanitise; `toLines` and `toHtml` show it. `plain.ts` can be
// imported alone, without marked.

export type { Alignment, Block, Document, Inline, ListItem, Table } from "./document.js";
export { type CodeHtml, toHtml } from "./html.js";
export { type LineOptions, toLines } from "./lines.js";
export { parseMarkdown } from "./parse.js";
export { plainDocument } from "./plain.js";
