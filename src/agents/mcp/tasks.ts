// The Tasks extension (io.modelcontextprotocol/tasks): the task is the ask, so it survives restarts of either side.
//
//   pending -> working; withdrawn -> cancelled; every other outcome -> completed, with the result of the tool

import type { Clock } from "../../core/kit/clock.js";
import type { Ask } from "../../core/model/ask.js";
import type { CallResult } from "./results.js";

export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks";

const POLL_MS = { least: 2_000, most: 15_000 };
/** The poll interval reaches its most after about five minutes. */
const POLL_AGE_DIVISOR = 20;

interface TaskOptions {
  readonly clock: Clock;
  readonly where: string;
}

/** What `tools/call` returns in place of a result. Only for a client that declares the extension. */
export function taskResult(ask: Ask, options: TaskOptions): CallResult {
  return { resultType: "task", ...taskOf(ask, options) } as unknown as CallResult;
}

/** The task of an ask, without the result. */
export function taskOf(ask: Ask, { clock, where }: TaskOptions): Readonly<Record<string, unknown>> {
  const age = Math.max(0, clock.now() - ask.createdAt);
  const poll = Math.min(POLL_MS.most, Math.max(POLL_MS.least, Math.round(age / POLL_AGE_DIVISOR)));
  return {
    taskId: ask.id,
    status: statusOf(ask),
    statusMessage: ask.outcome === undefined ? `Waiting for a person to answer ${where}` : ask.outcome.kind,
    createdAt: new Date(ask.createdAt).toISOString(),
    lastUpdatedAt: new Date(ask.settledAt ?? ask.createdAt).toISOString(),
    ttlMs: null,
    ...(ask.outcome === undefined && { pollIntervalMs: poll }),
  };
}

function statusOf({ outcome }: Ask): "working" | "completed" | "cancelled" {
  if (outcome === undefined) return "working";
  return outcome.kind === "withdrawn" ? "cancelled" : "completed";
}
