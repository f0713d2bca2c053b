import type { Issue } from "./issue.js";
import { LIMITS } from "./limits.js";
import { guarded } from "./validate-answers.js";

type Checked<T> = ({ readonly ok: true } & T) | { readonly ok: false; readonly issues: readonly Issue[] };

/** What a person says instead of answering: not blank, within bounds. */
export function validateReply(text: unknown): Checked<{ readonly text: string }> {
  return guarded((reader) => ({
    ok: true,
    text:
      reader.text(text, ["text"], {
        max: LIMITS.textLength,
        blank: ["empty_answer", "a reply must not be blank"],
      }) ?? "",
  }));
}

/** Why somebody declines or withdraws: optional, within bounds. */
export function validateReason(reason: unknown): Checked<{ readonly reason?: string }> {
  return guarded((reader) => {
    const text = reader.text(reason, ["reason"], { max: LIMITS.reasonLength });
    return text === undefined ? { ok: true } : { ok: true, reason: text };
  });
}
