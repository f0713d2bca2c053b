import type { Clock } from "../../core/kit/clock.js";
import type { AskRequest } from "../../core/model/ask.js";
import { deliverOutcome } from "../../core/model/delivery.js";
import type { DeliveredOutcome } from "../../core/model/outcome.js";
import type { Resolver } from "../../core/model/ports.js";
import { transition } from "../../core/rules/lifecycle.js";
import { withTimeout } from "../../core/rules/resolvers.js";
import type { SurfaceOptions } from "../../people/terminal/surface.js";
import { terminalResolver } from "../../people/terminal/terminal-resolver.js";
import type { Terminal, World } from "../world/world.js";
import type { AskSource } from "./ask-source.js";

/** The flags that say how a form is shown. */
export interface SurfaceFlags {
  readonly plain?: boolean;
  readonly lang?: string;
}

/** How a form is shown in this world. */
export function surfaceOptions(
  { plain, lang }: SurfaceFlags,
  { environment, clock }: World,
): Pick<SurfaceOptions, "environment" | "clock" | "plain" | "locale"> {
  return { environment, clock, ...(plain && { plain }), ...(lang !== undefined && { locale: lang }) };
}

/** Asks the person at this terminal. */
export async function askPerson(
  ask: AskRequest,
  source: AskSource,
  flags: SurfaceFlags & { readonly timeoutMs: number | undefined },
  world: World,
  signal: AbortSignal,
): Promise<DeliveredOutcome> {
  const { timeoutMs } = flags;
  const surface = openSurface(source, world);
  if (surface === undefined) {
    world.stderr.write(
      "askline: there is no terminal to ask at; run this in a terminal, or give the ask with --question or --file and the answers on stdin\n",
    );
    return { kind: "unavailable", reason: "there is no terminal to ask at" };
  }
  try {
    const by = { kind: "person", id: world.user, surface: "terminal" } as const;
    const { input, output } = surface;
    const resolver =
      input.isTTY === true
        ? terminalResolver({
            ...{ input, output, by, ...surfaceOptions(flags, world) },
            // The outcome says it, and the exit code.
            onInterrupt: () => undefined,
          })
        : (await import("../../people/terminal/stdin-resolver.js")).stdinResolver({ input, output, by });
    const timed = withDeadline(resolver, ask, { timeoutMs, clock: world.clock });
    return await timed.ask(timeoutMs === undefined ? ask : shownWith(ask, timeoutMs), { signal });
  } finally {
    surface.close();
  }
}

/** The ask with the time that it really has, for the person to see. */
function shownWith({ deadline: _, ...ask }: AskRequest, timeoutMs: number): AskRequest {
  return { ...ask, timeoutMs };
}

/** Prompts never go to stdout, which is for the outcome only. */
function openSurface({ answersFrom }: AskSource, world: World): Terminal | undefined {
  if (answersFrom === "terminal") return world.openTerminal();
  // Destroyed at the end: an open stdin would keep the process alive.
  return { input: world.stdin, output: world.stderr, close: () => world.stdin.destroy() };
}

/**
 * Adds the ask's deadline to a resolver, for asks without a hub. `timeoutMs` counts from now and overrides the ask's
 * own deadline.
 */
function withDeadline(
  resolver: Resolver<DeliveredOutcome>,
  ask: AskRequest,
  { timeoutMs, clock }: { readonly timeoutMs: number | undefined; readonly clock: Clock },
): Resolver<DeliveredOutcome> {
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

function atDeadline(ask: AskRequest): DeliveredOutcome {
  const onDeadline = ask.onDeadline === "recommended" ? "recommended" : "expire";
  const result = transition({ ...ask, status: "pending", deadline: 0, onDeadline }, { type: "deadline" }, 0);
  return result.kind === "settled" ? deliverOutcome(ask, result.outcome) : { kind: "expired" };
}
