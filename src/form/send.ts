import type { Ask, Inbox, SettleOptions } from "../core/index.js";
import type { FormSubmission } from "./state.js";

/**
 * Sends what a form has submitted. Resolves with the ask as it then stands; rejects as the inbox does, with an
 * `AsklineError` that the form takes as `{ type: "refused", error }`.
 */
export function sendSubmission(
  inbox: Pick<Inbox, "answer" | "decide" | "decline" | "reply">,
  askId: string,
  sent: FormSubmission,
  options: SettleOptions,
): Promise<Ask> {
  switch (sent.kind) {
    case "answer":
      return inbox.answer(askId, sent.submission, options);
    case "decide":
      return inbox.decide(askId, sent.submission, options);
    case "decline":
      return inbox.decline(askId, sent.reason, options);
    case "reply":
      return inbox.reply(askId, sent.text, options);
  }
}
