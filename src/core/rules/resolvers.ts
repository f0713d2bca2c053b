import { type Clock, systemClock } from "../kit/clock.js";
import { formatIssues, type Issue } from "../kit/issue.js";
import type { AskRequest } from "../model/ask.js";
import { deliverOutcome } from "../model/delivery.js";
import { endingOf, type SubmittedAnswer, toOutcome } from "../model/ending.js";
import { AsklineError } from "../model/error.js";
import type { Answerer, DeliveredOutcome, Outcome } from "../model/outcome.js";
import type { Resolver } from "../model/ports.js";
import { untilAborted } from "./abort.js";
import { requireAnswerer } from "./parse-answerer.js";
import { requireAsk } from "./parse-ask.js";
import { validateEnding } from "./validate-ending.js";

/**
 * An outcome, or answers, which {@link resolverOf} turns into one. `question` of an answer is the id of its question, or
 * its exact text if no other question has the same.
 */
export type Resolution = Outcome | readonly SubmittedAnswer[];

export interface ResolverOptions {
  /** The answerer, if the function returns only answers. */
  readonly by?: Answerer;
}

/**
 * A resolver that ends every ask in the same way, or rejects with an error. For tests and dry runs.
 *
 * @example
 * const resolver = staticResolver([{ question: "q1", selected: ["o1"] }]);
 */
export function staticResolver(
  resolution: Resolution | Error,
  options: ResolverOptions = {},
): Resolver<DeliveredOutcome> {
  const resolve = (): Resolution => {
    if (resolution instanceof Error) throw resolution;
    return resolution;
  };
  return resolverOf(resolve, { by: { kind: "policy", name: "static" }, ...options });
}

/**
 * A resolver from a function, which gets the parsed ask and a signal. The function may ignore the signal: an abort
 * withdraws the ask in any case. Invalid answers or decisions reject with `invalid_answer`, and answers to an approval,
 * or decisions on questions, with `wrong_kind`.
 *
 * @example
 * const resolver = resolverOf(async (ask) => [{ question: "q1", text: await askSomebody(ask) }]);
 */
export function resolverOf(
  resolve: (ask: AskRequest, options: { readonly signal: AbortSignal }) => Resolution | Promise<Resolution>,
  options: ResolverOptions = {},
): Resolver<DeliveredOutcome> {
  const by = options.by ?? { kind: "person", id: "local", surface: "function" };
  return {
    async ask(request, { signal } = {}) {
      const ask = requireAsk(request);
      return withdrawnOnAbort(signal, async (inner) =>
        deliverOutcome(ask, outcomeOf(ask, await resolve(ask, { signal: inner }), by)),
      );
    },
  };
}

type Unanswered = Extract<Outcome, { readonly kind: "expired" | "withdrawn" }>;

// How long a resolver may take, after the timeout, to report how the ask ended.
const GRACE_MS = 5_000;

/**
 * Ends an ask that takes longer than `milliseconds` as `expired`. The inner resolver is aborted first, and an outcome
 * that it still reports counts, so that an answer at the last moment is not lost.
 */
export function withTimeout<Ended extends Outcome>(
  resolver: Resolver<Ended>,
  milliseconds: number,
  options: { readonly clock?: Clock } = {},
): Resolver<Ended | Unanswered> {
  const clock = options.clock ?? systemClock;
  return {
    ask(request, { signal } = {}) {
      return withdrawnOnAbort(signal, async (inner) => {
        const timeout = new AbortController();
        let cancel = (): void => undefined;
        const tooLate = new Promise<Unanswered>((resolve) => {
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

/** Runs `run`; ends as `withdrawn` as soon as the signal aborts, even if `run` ignores it. */
async function withdrawnOnAbort<Ended extends Outcome>(
  signal: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<Ended>,
): Promise<Ended | Unanswered> {
  if (signal?.aborted) return { kind: "withdrawn" };
  try {
    return await untilAborted(signal, run(signal ?? new AbortController().signal));
  } catch (error) {
    // A rejection after the abort is not a fault.
    if (signal?.aborted) return { kind: "withdrawn" };
    throw error;
  }
}

/** The outcome of a resolution. Throws if it has the wrong kind for the ask, or is not valid. */
function outcomeOf(ask: AskRequest, resolution: Resolution, by: Answerer): Outcome {
  const outcome: Outcome | AnswersOnly =
    "kind" in resolution ? resolution : { kind: "answered", answers: resolution, by };
  if (outcome.kind !== "expired" && outcome.kind !== "withdrawn" && outcome.kind !== "unavailable") {
    requireAnswerer(outcome.by);
  }
  if (outcome.kind !== "answered" && outcome.kind !== "decided") return outcome;
  const isDecided = outcome.kind === "decided";
  if (ask.approval !== undefined && !isDecided) {
    throw wrongKind("this ask is an approval: return decisions, not answers");
  }
  if (ask.approval === undefined && isDecided) {
    throw wrongKind("this ask has questions: return answers, not decisions");
  }
  const named = isDecided ? outcome : { ...outcome, answers: answersById(ask, outcome.answers) };
  const checked = validateEnding(ask, endingOf(named as Outcome), { anyRemember: true });
  if (!checked.ok) throw invalid(isDecided ? "decisions" : "answers", checked.issues);
  return toOutcome(checked.ending, outcome.by);
}

/** The answers with ids instead of question texts. */
function answersById(ask: AskRequest, answers: readonly SubmittedAnswer[]): readonly SubmittedAnswer[] {
  if (!Array.isArray(answers)) return answers;
  return answers.map((answer: SubmittedAnswer, index) => {
    const named = ask.questions.find(({ id }) => id === answer?.question);
    const [worded, ...more] = ask.questions.filter(({ question }) => question === answer?.question);
    if (worded === undefined || worded === named) return answer;
    if (named !== undefined) {
      const message = `"${named.id}" is the id of one question and the text of "${worded.id}"; use other ids`;
      throw invalid("answers", [{ code: "conflict", path: ["answers", index, "question"], message }]);
    }
    return more.length > 0 ? answer : { ...answer, question: worded.id };
  });
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
  const message = `the ${what} are not valid for this ask:\n${formatIssues(issues)}`;
  return new AsklineError("invalid_answer", message, { issues });
}
