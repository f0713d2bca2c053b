import type { Ask, Inbox, SettleOptions } from "../core/index.js";
import type { FormSubmission } from "./state.js";

/**
 * Sends the submission of a form and resolves with the updated ask. Rejects with the inbox's `AsklineError`, which
 * the form takes as `{ type: "refused", error }`.
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
