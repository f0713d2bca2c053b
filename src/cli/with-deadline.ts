import {
  type AskRequest,
  type Clock,
  type Outcome,
  type Resolver,
  transition,
  withTimeout,
} from "../core/index.js";

/**
 * The same resolver, but held to the ask's own deadline, for asks that no hub keeps. `timeoutMs` is counted
 * from now and stands before the ask's.
 */
export function withDeadline(
  resolver: Resolver,
  ask: AskRequest,
  { timeoutMs, clock }: { readonly timeoutMs: number | undefined; readonly clock: Clock },
): Resolver {
  const left =
    timeoutMs ?? ask.timeoutMs ?? (ask.deadline === undefined ? undefined : ask.deadline - clock.now());
  if (left === undefined || (timeoutMs === undefined && ask.onDeadline === "wait")) return resolver;
  if (left <= 0) return { ask: async () => atDeadline(ask) };
  const timed = withTimeout(resolver, left, { clock });
  return {
    async ask(request, options) {
      const outcome = await timed.ask(request, options);
      return outcome.kind === "expired" ? atDeadline(ask) : outcome;
    },
  };
}

function atDeadline(ask: AskRequest): Outcome {
  const onDeadline = ask.onDeadline === "recommended" ? "recommended" : "expire";
  const result = transition({ ...ask, status: "pending", deadline: 0, onDeadline }, { type: "deadline" }, 0);
  return result.kind === "settled" ? result.outcome : { kind: "expired" };
}
