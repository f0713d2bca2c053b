// Apart from issue-words.ts: the tables of problems need it, which a card loads after its first view.

import type { Words } from "./issue-words.js";

/** Words for what the question accepts; both if that is unknown. */
export function answerWanted(both: string, options: string, text: string): Words {
  return (values) => (values.text === false ? options : values.options === false ? text : both);
}
