// What the log of a session is told of an ask. Only that it began and how it ended: what was asked and answered
// is read from the ask itself, so that there is one truth.

import type { Ask, Outcome } from "../core/index.js";
import type { LogAppend } from "./store.js";

/** `questions` or `approval` is what a reader must know without looking at the ask. */
export function beginEntries(ask: Ask): readonly LogAppend[] {
  if (ask.transcript === undefined) return [];
  const asks = ask.approval === undefined ? "questions" : "approval";
  return [{ log: ask.transcript, type: "ask.created", subject: ask.id, data: { asks } }];
}

export function endEntries(ask: Ask, outcome: Outcome): readonly LogAppend[] {
  if (ask.transcript === undefined) return [];
  return [{ log: ask.transcript, type: `ask.${outcome.kind}`, subject: ask.id }];
}
