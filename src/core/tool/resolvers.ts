import { type Clock, systemClock } from "../kit/clock.js";
import { formatIssues, type Issue } from "../kit/issue.js";
import type { AskRequest } from "../model/ask.js";
import { AsklineError } from "../model/error.js";
import type { Answerer, Outcome } from "../model/outcome.js";
import type { Resolver, SubmittedAnswer } from "../model/ports.js";
import { requireAnswerer } from "../rules/parse-answerer.js";
import { requireAsk } from "../rules/parse-ask.js";
import { validateAnswers } from "../rules/validate-answers.js";
import { validateDecisions } from "../rules/validate-decisions.js";
import { untilAborted } from "./abort.js";

/** Answers by question id, for which {@link resolverOf} makes the outcome; or a whole outcome. */
export type Resolution = Outcome | readonly SubmittedAnswer[];

export interface ResolverOptions {
  /** Who is said to have answered where only answers are given. */
  readonly by?: Answerer;
}

/**
 * A resolver that gives the same ending to every ask: for tests and dry runs.
 *
 * @example
 * const resolver = staticResolver([{ question: "q1", selected: ["o1"] }]);
 */
export function staticResolver(resolution: Resolution, options: ResolverOptions = {}): Resolver {
  return resolverOf(() => resolution, { by: { kind: "policy", name: "static" }, ...options });
}

/**
 * A resolver made of a function. The function gets the parsed ask and a signal; it need not watch the
 * signal, for an abort ends the ask as `withdrawn` in any case. Answers and decisions that do not fit the
 * ask are an `invalid_answer` error, or `wrong_kind` where the other was asked for, never an outcome.
 *
 * @example
 * const resolver = resolverOf(async (ask) => [{ question: "q1", text: await askSomebody(ask) }]);
 */
export function resolverOf(
  resolve: (ask: AskRequest, options: { readonly signal: AbortSignal }) => Resolution | Promise<Resolution>,
  options: ResolverOptions = {},
): Resolver {
  const by = options.by ?? { kind: "person", id: "local", surface: "function" };
  return {
    async ask(request, { signal } = {}) {
      const ask = requireAsk(request);
      return withdrawnOnAbort(signal, async (inner) =>
        toOutcome(ask, await resolve(ask, { signal: inner }), by),
      );
    },
  };
}

// How long a resolver gets, once its time is up, to say how the ask really ended.
const GRACE_MS = 5_000;

/**
 * The same resolver, but an ask that takes longer than `milliseconds` ends as `expired`. The resolver inside
 * is aborted first, and what it then says counts: an answer that was given at the last moment is not lost.
 */
export function withTimeout(
  resolver: Resolver,
  milliseconds: number,
  options: { readonly clock?: Clock } = {},
): Resolver {
  const clock = options.clock ?? systemClock;
  return {
    ask(request, { signal } = {}) {
      return withdrawnOnAbort(signal, async (inner) => {
        const timeout = new AbortController();
        let cancel = (): void => undefined;
        const tooLate = new Promise<Outcome>((resolve) => {
          cancel = clock.schedule(milliseconds, () => {
            cancel = clock.schedule(GRACE_MS, () => resolve({ kind: "expired" }));
            timeout.abort();
          });
        });
        const ending = resolver.ask(request, { signal: AbortSignal.any([inner, timeout.signal]) });
        try {
          const outcome = await Promise.race([ending, tooLate]);
          const timedOut = timeout.signal.aborted && !inner.aborted;
          return timedOut && outcome.kind === "withdrawn" ? { kind: "expired" } : outcome;
        } finally {
          cancel();
        }
      });
    },
  };
}

/** Runs `run`; when the signal aborts, ends as `withdrawn` at once, whatever `run` does with it. */
async function withdrawnOnAbort(
  signal: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<Outcome>,
): Promise<Outcome> {
  if (signal?.aborted) return { kind: "withdrawn" };
  try {
    return await untilAborted(signal, run(signal ?? new AbortController().signal));
  } catch (error) {
    // What rejects because it was aborted must not be taken for a fault.
    if (signal?.aborted) return { kind: "withdrawn" };
    throw error;
  }
}

/** The outcome that a resolution means, if it fits the ask: of the right kind, and valid. */
function toOutcome(ask: AskRequest, resolution: Resolution, by: Answerer): Outcome {
  const outcome: Outcome | AnswersOnly =
    "kind" in resolution ? resolution : { kind: "answered", answers: resolution, by };
  if (outcome.kind !== "expired" && outcome.kind !== "withdrawn" && outcome.kind !== "unavailable") {
    requireAnswerer(outcome.by);
  }
  switch (outcome.kind) {
    case "answered": {
      if (ask.approval !== undefined) throw wrongKind("this ask is an approval: give decisions, not answers");
      const checked = validateAnswers(ask, outcome.answers);
      if (!checked.ok) throw invalid("answers", checked.issues);
      return { ...outcome, answers: checked.answers };
    }
    case "decided": {
      if (ask.approval === undefined)
        throw wrongKind("this ask holds questions: give answers, not decisions");
      const checked = validateDecisions(ask, outcome);
      if (!checked.ok) throw invalid("decisions", checked.issues);
      return { ...outcome, decisions: checked.decisions };
    }
    default:
      return outcome;
  }
}

interface AnswersOnly {
  readonly kind: "answered";
  readonly answers: readonly SubmittedAnswer[];
  readonly by: Answerer;
}

function wrongKind(message: string): AsklineError {
  return new AsklineError("wrong_kind", message);
}

function invalid(what: string, issues: readonly Issue[]): AsklineError {
  const message = `the ${what} do not fit the ask:\n${formatIssues(issues)}`;
  return new AsklineError("invalid_answer", message, { issues });
}
