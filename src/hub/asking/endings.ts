// The person's side of the hub, as far as it ends an ask; what an agent reports that a person did elsewhere, too.

import type { AsklineError } from "../../core/index.js";
import type { Rules } from "../records/rules.js";
import type { Hub } from "../seam/port.js";
import type { Settling } from "./settling.js";

export type Endings = Pick<Hub, "answer" | "decide" | "decline" | "reply" | "report">;

/** `closed` is the error of a hub that was closed. */
export function createEndings(
  settling: Settling,
  rules: Rules,
  closed: () => AsklineError | undefined,
): Endings {
  // Not async: that would add a microtask turn to each answer.
  const end: Settling["end"] = (id, ending, settlementId, recordsOf) => {
    const error = closed();
    return error === undefined ? settling.end(id, ending, settlementId, recordsOf) : Promise.reject(error);
  };

  return {
    // `options?.`: an untyped caller may omit the options, and must get a rejection, not a synchronous throw.
    answer: (id, submission, options) =>
      end(id, { type: "answer", submission, by: options?.by }, options?.settlementId),
    decide: (id, submission, options) =>
      end(id, { type: "decide", submission, by: options?.by }, options?.settlementId, rules.recordsOf),
    decline: (id, reason, options) =>
      end(id, { type: "decline", reason, by: options?.by }, options?.settlementId),
    reply: (id, text, options) => end(id, { type: "reply", text, by: options?.by }, options?.settlementId),

    async report(id, report, { via, settlementId }) {
      const by = { kind: "person" as const, id: report.person, surface: report.surface, via };
      if ("answer" in report) return end(id, { type: "answer", submission: report.answer, by }, settlementId);
      if ("decide" in report) {
        return end(id, { type: "decide", submission: report.decide, by }, settlementId, rules.recordsOf);
      }
      if ("decline" in report) {
        return end(id, { type: "decline", reason: report.decline.reason, by }, settlementId);
      }
      return end(id, { type: "reply", text: report.reply.text, by }, settlementId);
    },
  };
}
