// Most questions have no markup at all. Loading and first using marked takes longer than starting Node, so that
// what needs to appear at once looks here first, and loads the parser only for the rest.

import { displayText } from "../../core/text/display.js";
import type { Document, Inline } from "./document.js";

// Whatever could mean something to Markdown, or to us: marks, references, escapes, addresses, tabs, and the
// beginnings of lists, rules and tables. White space around a line is left to marked as well.
const MARKUP = /[*_~`[\]<>#|\\&\t@]|:\/\/|www\.|^[-+=: ]|^\d{1,9}[.)]| $/im;

/** What `parseMarkdown` returns, for a text in which it would find nothing but lines; undefined for any other. */
export function plainDocument(source: string): Document | undefined {
  if (MARKUP.test(source)) return undefined;
  return displayText(source)
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replace(/^\n|\n$/g, ""))
    .filter((paragraph) => paragraph !== "")
    .map((paragraph) => ({ kind: "paragraph", children: textLines(paragraph) }));
}

/** Text with its line breaks. */
export function textLines(text: string): readonly Inline[] {
  return text.split("\n").flatMap((line, index): readonly Inline[] => {
    const before: readonly Inline[] = index > 0 ? [{ kind: "break" }] : [];
    return line === "" ? before : [...before, { kind: "text", text: line }];
  });
}
