// Apart from issue-words.ts: the tables of problems need it, which a card loads after its first view.

import type { Words } from "./issue-words.js";

/** Words for what the question accepts; both if that is unknown. Then `skip`, where it may also be skipped. */
export function answerWanted(both: string, options: string, text: string, skip: string): Words {
  return (values) => {
    const wanted = values.text === false ? options : values.options === false ? text : both;
    return values.skip === true ? `${wanted} ${skip}` : wanted;
  };
}
