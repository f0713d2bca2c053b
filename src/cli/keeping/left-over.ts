import { shellQuote } from "../screen/curl-line.js";
import { counted } from "../screen/numbers.js";

/** That a file holds what was asked in asks that are gone, and what to do about it. */
export function leftOver(path: string, contents: number): readonly [message: string, mend: string] {
  return [
    `${path} holds ${counted(contents, "content")} of asks that an older askline has pruned`,
    `askline prune --settled-before 90d --db ${shellQuote(`sqlite:${path}`)} removes what is before the oldest ask`,
  ];
}
