import { systemClock } from "../../core/kit/clock.js";
import type { Answerer, DeliveredOutcome, Outcome } from "../../core/model/outcome.js";
import type { Resolver } from "../../core/model/ports.js";
import { resolverOf } from "../../core/rules/resolvers.js";
import { inTurn } from "./in-turn.js";
import { localForm } from "./local-form.js";
import { stdinResolver } from "./stdin-resolver.js";
import { type ShownEnding, type SurfaceOptions, showForm } from "./surface.js";

export interface TerminalResolverOptions extends SurfaceOptions {
  /** Who is said to have answered; the person `local` at the surface `terminal` by default. */
  readonly by?: Answerer;
  /** Called after Ctrl+C has given the terminal back; by default this process gets the signal that Ctrl+C stands for. */
  readonly onInterrupt?: () => void;
}

/**
 * Asks the person at this terminal with a form: arrows, digits, text fields, previews, a review. Line by line where the
 * person or the terminal wants it so, and as `stdinResolver` where the input is a pipe. Several asks at once are asked
 * one after another.
 *
 * @example
 * const resolver = terminalResolver();
 * const outcome = await resolver.ask({ questions: [{ question: "Which auth?", options: ["OAuth", "API key"] }] });
 */
export function terminalResolver(options: TerminalResolverOptions = {}): Resolver<DeliveredOutcome> {
  const { input = process.stdin, output = process.stderr, clock = systemClock } = options;
  const by = options.by ?? { kind: "person", id: "local", surface: "terminal" };
  if (input.isTTY !== true) return stdinResolver({ input, output, by });
  return resolverOf((ask, { signal }) =>
    inTurn(input, async () => {
      if (signal.aborted) return { kind: "withdrawn" };
      const open = (changed: () => void) => localForm(ask, { by, clock, onChange: changed });
      const { kind, driver } = await showForm({ ask, open, staysPending: false }, options, signal);
      if (kind === "interrupted") (options.onInterrupt ?? interruptProcess)();
      const { phase } = driver.state;
      return phase.kind === "settled" ? phase.outcome : ENDINGS[kind];
    }),
  );
}

const ENDINGS = {
  settled: { kind: "withdrawn" },
  interrupted: { kind: "withdrawn" },
  aborted: { kind: "withdrawn" },
  left: { kind: "unavailable", reason: "the person left the form without an answer" },
  ended: { kind: "unavailable", reason: "the terminal was closed before everything was answered" },
} satisfies Record<ShownEnding["kind"], Outcome>;

/** What a terminal does at Ctrl+C outside of raw mode. */
function interruptProcess(): void {
  if (process.platform !== "win32") process.kill(process.pid, "SIGINT");
  else if (!process.emit("SIGINT")) process.exit(130);
}
